#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/command_line/command.h"

namespace muster {
namespace {

const std::string plugins = MUSTER_PLUGINS "/";

/// Every command refuses the plugin with exit status 2 and one line, which has all of these words.
void expect_refusal(const std::string& scenario, const std::string& given, const std::vector<std::string>& words) {
  for (const std::string& command : {"run " + scenario + " --out " + scenario + ".out", "check " + scenario,
                                     "theory " + scenario, std::string("list policies")}) {
    const auto result = shell("muster " + command + " " + given);
    EXPECT_EQ(result.status, 2) << result.output;
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
    for (const std::string& word : words)
      EXPECT_NE(result.output.find(word), std::string::npos) << word << '\n' << result.output;
  }
  EXPECT_FALSE(std::filesystem::exists(scenario + ".out"));
}

TEST_F(command_line_test, plugin_that_is_missing_is_refused) {
  expect_refusal(scenario(), "--plugin " + at("none.so"), {"plugin '" + at("none.so") + "': no such file"});
  expect_refusal(scenario(), "--plugin " + folder_.string(), {"no such file"});
}

TEST_F(command_line_test, plugin_of_another_version_is_refused_before_it_is_asked_for_policies) {
  expect_refusal(scenario(), "--plugin " + plugins + "other_version.so",
                 {"other_version.so' was built with muster 0.0.1, but this is muster ", "build it anew"});
}

TEST_F(command_line_test, library_that_is_no_plugin_is_refused) {
  expect_refusal(scenario(), "--plugin " + plugins + "no_plugin.so",
                 {"no_plugin.so' is none of muster's: it has no muster_plugin_version", "MUSTER_PLUGIN"});
}

TEST_F(command_line_test, file_that_is_no_library_is_refused) {
  expect_refusal(scenario(), "--plugin " + scenario(), {"small.toml' cannot be loaded: "});
}

TEST_F(command_line_test, plugin_that_lacks_a_function_is_refused_when_it_is_loaded) {
  expect_refusal(scenario(), "--plugin " + plugins + "unresolved.so",
                 {"unresolved.so' cannot be loaded: ", "made_elsewhere"});
}

TEST_F(command_line_test, plugin_with_a_name_that_is_taken_is_refused) {
  expect_refusal(scenario(), "--plugin " + plugins + "name_that_is_taken.so",
                 {"name_that_is_taken.so': policy 'fcfs': there is one of that name already"});
  const std::string twice = "--plugin " + plugins + "adversaries.so";
  expect_refusal(scenario(), twice + " " + twice, {"policy 'starts_nothing': there is one of that name already"});
}

TEST_F(command_line_test, plugin_with_a_name_that_is_none_is_refused) {
  expect_refusal(
      scenario(), "--plugin " + plugins + "names_that_are_none.so",
      {"names_that_are_none.so': policy 'good_name', parameter 'bad name': expected a name of letters, digits, "
       "'_' and '-'"});
}

TEST_F(command_line_test, policies_of_a_plugin_are_listed_behind_our_own) {
  const auto result = shell("muster list policies --plugin " + plugins + "adversaries.so");
  EXPECT_EQ(result.status, 0) << result.output;
  const auto ours = result.output.find("\nequal_partitioning\n");
  EXPECT_NE(result.output.find("\nstarts_twice\n", ours), std::string::npos) << result.output;
}

TEST_F(command_line_test, plugin_without_a_folder_in_its_name_is_looked_up_here) {
  std::filesystem::copy(plugins + "adversaries.so", folder_);
  const auto result = shell("cd " + folder_.string() + " && muster list policies --plugin adversaries.so");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("\nstarts_twice\n"), std::string::npos) << result.output;
}

}  // namespace
}  // namespace muster
