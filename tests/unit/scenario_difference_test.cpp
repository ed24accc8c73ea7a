#include "platform/store/scenario_difference.h"

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <gtest/gtest.h>

namespace muster {
namespace {

namespace fs = std::filesystem;

toml_value parsed(const std::string& text) {
  findings errors{{"test"}};
  auto document = parse_toml(text, 0, errors);
  errors.throw_if_any();
  return *document;
}

// "key: a -> b" of each.
std::vector<std::string> lines(const std::vector<changed_key>& changed) {
  std::vector<std::string> all;
  for (const changed_key& c : changed) all.push_back(c.key + ": " + c.a.value_or("-") + " -> " + c.b.value_or("-"));
  return all;
}

std::vector<std::string> between(const std::string& a, const std::string& b) {
  return lines(scenario_differences({parsed(a), "."}, {parsed(b), "."}));
}

using changes = std::vector<std::string>;

TEST(scenario_difference, is_none_between_equal_values_however_they_are_written) {
  EXPECT_EQ(between("a = 1\nb = { x = [1, 2], y = \"z\" }", "b.y = 'z'\nb.x = [1.0, 2]\na = 1.0"), changes{});
}

TEST(scenario_difference, names_keys_with_both_values_and_what_only_one_has) {
  EXPECT_EQ(between("[policy]\nname = \"msf\"\n[run]\nseed = 1\nwarm_up = 0.1",
                    "[policy]\nname = \"msfq\"\nthreshold = 3\n[run]\nseed = 1\n"),
            (changes{"policy.name: msf -> msfq", "policy.threshold: - -> 3", "run.warm_up: 0.1 -> -"}));
}

TEST(scenario_difference, finds_elements_by_their_names_and_others_by_their_places) {
  EXPECT_EQ(
      between("classes = [{ name = \"a\", need = 1 }, { name = \"b\", need = 2 }]\n"
              "[run]\nprecision = [{ half_width = 0.1 }, { half_width = 0.2 }]",
              "classes = [{ name = \"b\", need = 3 }, { name = \"c\", need = 2 }, { name = \"a\", need = 1 }]\n"
              "[run]\nprecision = [{ half_width = 0.1 }, { half_width = 0.3 }]"),
      (changes{"classes.b.need: 2 -> 3", "classes.c: - -> c(need=2)", "run.precision[1].half_width: 0.2 -> 0.3"}));
}

TEST(scenario_difference, holds_swept_values_against_each_other_as_a_whole) {
  EXPECT_EQ(between("[sweep]\n\"arrivals.rate\" = [1.0, 2.0]\n", "[sweep]\n\"arrivals.rate\" = [1.0, 3.0]\n"),
            (changes{"sweep.\"arrivals.rate\": [1 2] -> [1 3]"}));
}

TEST(scenario_difference, sees_another_content_of_a_file_of_the_same_name) {
  const fs::path folder = fs::temp_directory_path() / ("muster_scenario_difference" + std::to_string(getpid()));
  for (const char* run : {"a", "b"}) fs::create_directories(folder / run);
  std::ofstream(folder / "a/graph.txt") << "x y\n";
  std::ofstream(folder / "b/graph.txt") << "x z\n";
  const toml_value document = parsed("[platform]\ngraph = \"graph.txt\"\n");
  EXPECT_EQ(lines(scenario_differences({document, folder / "a"}, {document, folder / "b"})),
            (changes{"platform.graph: graph.txt of 4 bytes -> graph.txt of 4 bytes, other content"}));
  EXPECT_EQ(lines(scenario_differences({document, folder / "a"}, {document, folder / "a"})), changes{});
  fs::remove_all(folder);
}

TEST(scenario_difference, sees_another_content_of_any_file_of_a_list) {
  const fs::path folder = fs::temp_directory_path() / ("muster_files_of_a_list" + std::to_string(getpid()));
  const toml_value document = parsed("[sweep]\n\"platform.graph\" = [\"one.txt\", \"two.txt\", \"three.txt\"]\n");
  const auto write = [&](const char* run, const char* name, const char* content) {
    fs::create_directories(folder / run);
    std::ofstream(folder / run / name) << content;
  };
  for (const char* changed : {"one", "two", "three"}) {
    for (const char* run : {"a", "b"})
      for (const char* name : {"one.txt", "two.txt", "three.txt"}) write(run, name, "x y\n");
    const std::string name = changed + std::string(".txt");
    write("b", name.c_str(), "x y z\n");
    EXPECT_EQ(lines(scenario_differences({document, folder / "a"}, {document, folder / "b"})),
              changes{"sweep.\"platform.graph\": " + name + " of 4 bytes -> " + name + " of 6 bytes"});
  }
  fs::remove_all(folder);
}

}  // namespace
}  // namespace muster
