#include <gtest/gtest.h>

#include "tests/command_line/command.h"

namespace muster {
namespace {

// What an FMU does is tested by an importer, see tests/packaging/fmu_importer.
class export_fmu_test : public command_line_test {
 protected:
  command_result in_folder(const std::string& commands) const {
    return shell("cd " + folder_.string() + " && " + commands);
  }

  static constexpr const char* point = "--set arrivals.rate=0.5 --set policy.name=msf ";
};

TEST_F(export_fmu_test, lists_the_variables_and_writes_the_file) {
  const auto made = in_folder(std::string("muster export-fmu small.toml ") + point);
  EXPECT_EQ(made.status, 0) << made.output;
  EXPECT_NE(made.output.find("\nwaiting.heavy"), std::string::npos) << made.output;
  EXPECT_NE(made.output.find("\nsmall.fmu is written\n"), std::string::npos) << made.output;
  EXPECT_TRUE(std::filesystem::is_regular_file(folder_ / "small.fmu"));
  const auto rows = in_folder(std::string("muster export-fmu small.toml --force --format csv ") + point);
  EXPECT_EQ(rows.output.substr(0, rows.output.find('\n')), "variable,causality,type,unit,what_it_is");
}

TEST_F(export_fmu_test, puts_plugins_into_the_file_and_loads_them_for_the_cluster) {
  const auto made = in_folder(std::string("muster export-fmu small.toml --set arrivals.rate=0.5 --set ") +
                              "policy.name=longest_queue --plugin " MUSTER_PLUGINS "/libmy_policy.so");
  EXPECT_EQ(made.status, 0) << made.output;
  EXPECT_NE(content_of(folder_ / "small.fmu").find("resources/plugins/00_libmy_policy.so"), std::string::npos);
}

TEST_F(export_fmu_test, refusals_say_what_to_do) {
  const std::pair<std::string, const char*> cases[] = {
      {"",
       "small.toml: the sweep has 4 points, and an FMU has one; expected a value of each swept key by --set: "
       "arrivals.rate, policy\n"},
      {point + std::string("-o small.zip"), "--out: small.zip does not end in .fmu, as importers want it\n"},
      {point + std::string("--out folder.fmu"),
       "--out: folder.fmu is not a regular file; expected an FMU to write, such as my.fmu\n"},
      {point + std::string("--out there.fmu"),
       "there.fmu: is there already; choose another file with --out, or overwrite with --force\n"},
      {point + std::string("--out missing/my.fmu"),
       "--out: there is no folder missing; make it first, or choose another one with --out\n"}};
  std::filesystem::create_directory(folder_ / "folder.fmu");
  std::ofstream(folder_ / "there.fmu") << "mine";
  for (const auto& [words, message] : cases) {
    const auto refused = in_folder("muster export-fmu small.toml " + words);
    EXPECT_EQ(refused.status, 2) << words;
    EXPECT_EQ(refused.output, message) << words;
  }
  EXPECT_EQ(content_of(folder_ / "there.fmu"), "mine");
}

}  // namespace
}  // namespace muster
