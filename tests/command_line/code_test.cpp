#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "platform/store/code_fingerprint.h"
#include "tests/command_line/command.h"

namespace muster {
namespace {

/// The program and a plugin, of which there is another build.
class code_test : public command_line_test {
 protected:
  void SetUp() override {
    command_line_test::SetUp();
    copy(MUSTER_PLUGINS "/examples.so", "examples.so");
    copy_with_other_build(MUSTER_PLUGINS "/examples.so", "other/examples.so");
  }

  void copy(const std::string& file, const std::string& to) const {
    std::filesystem::create_directories(std::filesystem::path(at(to)).parent_path());
    std::filesystem::copy_file(file, at(to));
  }

  // Copies a file of code and gives the copy another build id.
  void copy_with_other_build(const std::string& file, const std::string& to) const {
    std::string bytes = content_of(file), id;
    const std::string words = build_of(file);
    for (std::size_t at = 0; at < words.size(); at += 2)
      id += static_cast<char>(std::stoi(words.substr(at, 2), nullptr, 16));
    const std::size_t place = bytes.find(id);
    ASSERT_NE(place, std::string::npos);
    bytes[place] = static_cast<char>(bytes[place] ^ 1);
    copy(file, to);
    std::ofstream(at(to), std::ios::binary | std::ios::trunc) << bytes;
  }

  std::string run(const std::string& plugin, const std::string& more = "") const {
    return " run " + scenario() + " --set policy.name=batches --set run.jobs=200 --quiet --out " + at("out") +
           " --plugin " + at(plugin) + more;
  }
};

TEST_F(code_test, of_a_plugin_that_has_changed_is_not_mixed_with_what_it_has_made) {
  ASSERT_EQ(shell("muster" + run("examples.so", " --replications 2")).status, 0);
  const auto refused = shell("muster" + run("other/examples.so"));
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.output.find("results.sqlite: its replications are by other code: plugin examples.so (build "),
            std::string::npos)
      << refused.output;
  EXPECT_NE(refused.output.find("; run all anew with --force, or choose another directory with --out\n"),
            std::string::npos)
      << refused.output;
  copy(MUSTER_PLUGINS "/examples.so", "again/examples.so");
  EXPECT_EQ(shell("muster" + run("again/examples.so")).status, 0) << "the same build, installed again";
  const auto report = shell("muster report " + at("out") + " --plugin " + at("other/examples.so"));
  EXPECT_EQ(report.status, 0);
  EXPECT_EQ(report.output.rfind("note: the replications are by other code: plugin examples.so (build ", 0), 0u)
      << report.output;
  const std::string before = content_of(at("out/results.csv"));
  EXPECT_EQ(shell("muster" + run("other/examples.so", " --force")).status, 0);
  EXPECT_EQ(content_of(at("out/results.csv")), before) << "only store and manifest know of it";
  EXPECT_EQ(shell("muster" + run("other/examples.so")).status, 0);
}

TEST_F(code_test, of_a_plugin_is_of_no_account_where_no_policy_of_its_is_named) {
  const std::string words = "muster run " + scenario() + " --set run.jobs=200 --quiet --out " + at("out");
  ASSERT_EQ(shell(words + " --plugin " + at("examples.so")).status, 0);
  EXPECT_EQ(shell(words).status, 0);
}

TEST_F(code_test, of_a_program_that_has_changed_is_not_mixed_and_compare_says_so) {
  copy_with_other_build(MUSTER_BINARY, "other/muster");
  const std::string words = " run " + scenario() + " --set run.jobs=200 --quiet --out ";
  ASSERT_EQ(shell("muster" + words + at("out")).status, 0);
  const auto refused = shell(at("other/muster") + words + at("out") + " --replications 9");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.output.find("its replications are by other code: muster (build "), std::string::npos)
      << refused.output;
  ASSERT_EQ(shell(at("other/muster") + words + at("b")).status, 0);
  const auto compared = shell("muster compare " + at("out") + " " + at("b"));
  EXPECT_EQ(compared.status, 0);
  EXPECT_EQ(compared.output.rfind("note: A and B are by different code: muster (build ", 0), 0u) << compared.output;
  EXPECT_NE(compared.output.find(": identical: "), std::string::npos) << compared.output;
}

TEST_F(code_test, of_a_plugin_that_is_not_loaded_is_named_by_the_command_of_the_run) {
  ASSERT_EQ(shell("muster" + run("examples.so")).status, 0);
  const std::string out = at("out"), stored = out + "/scenario.toml";
  for (const std::string& words :
       {"report " + out, "gallery " + out, "check " + stored, "theory " + stored, "run " + stored,
        "tune " + stored + " --over arrivals.rate=1,2 --minimize response_time"}) {
    const auto refused = shell("muster " + words);
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.output.find("unknown policy 'batches'"), std::string::npos) << refused.output;
    EXPECT_NE(refused.output.find("one of a plugin needs --plugin FILE\n"), std::string::npos) << refused.output;
    EXPECT_NE(refused.output.find("manifest.json:1:1: command: the run was `muster run " + scenario()),
              std::string::npos)
        << refused.output;
    EXPECT_NE(refused.output.find(" --plugin " + at("examples.so") + "`; give the same --plugin here\n"),
              std::string::npos)
        << refused.output;
  }
}

TEST_F(code_test, of_libraries_in_the_working_folder_is_not_loaded) {
  std::ofstream(at("libsqlite3.so.0")) << "no library";
  const auto listed = shell("cd " + folder_.string() + " && muster list policies");
  EXPECT_EQ(listed.status, 0) << listed.output;
}

}  // namespace
}  // namespace muster
