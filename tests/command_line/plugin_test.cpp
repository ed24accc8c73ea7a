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
                 {"name_that_is_taken.so': policy 'fcfs': a policy of this name exists already"});
  const std::string twice = "--plugin " + plugins + "adversaries.so";
  expect_refusal(scenario(), twice + " " + twice, {"policy 'starts_nothing': a policy of this name exists already"});
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

TEST_F(command_line_test, policies_of_a_plugin_have_a_process_for_each_simulation) {
  const auto result = shell("muster run " + scenario() + " --plugin " + plugins +
                            "adversaries.so --set policy.name=serves_one_simulation --set run.jobs=20 --replications "
                            "30 -j 1 --quiet --out " +
                            at("results"));
  EXPECT_EQ(result.status, 0) << result.output;
}

const std::string weighted = "--plugin " + plugins + "examples.so --set policy.name=weighted ";

TEST_F(command_line_test, parameters_of_classes_are_listed_as_they_stand_in_a_scenario) {
  const auto result = shell("muster list policies " + weighted.substr(0, weighted.find(" --set")));
  EXPECT_NE(result.output.find("    classes.*.policy.weight (a number > 0, default 1)\n        of the class\n"),
            std::string::npos)
      << result.output;
}

TEST_F(command_line_test, parameters_of_classes_reach_the_policy_and_can_be_swept) {
  const auto result = shell(
      "muster run " + scenario() + " " + weighted +
      "--set 'sweep.\"classes.heavy.policy.weight\"=[0.5, 2.0]' --set arrivals.rate=1 --quiet --out " + at("out"));
  ASSERT_EQ(result.status, 0) << result.output;
  const std::string results = content_of(folder_ / "out" / "results.csv");
  EXPECT_EQ(results.rfind("scenario,point,classes.heavy.policy.weight,", 0), 0u) << results;
  const std::string resolved = content_of(folder_ / "out" / "scenario.toml");
  EXPECT_NE(resolved.find("policy = { weight = 1.0 }\n"), std::string::npos) << resolved;
  std::vector<std::string> found;
  for (std::size_t at = 0; (at = results.find(",all,response_time,", at)) != std::string::npos; ++at)
    found.push_back(results.substr(at, results.find('\n', at) - at));
  ASSERT_EQ(found.size(), 2u) << results;
  EXPECT_NE(found[0], found[1]) << "the weights have an effect";
}

TEST_F(command_line_test, policy_that_has_itself_woken_runs) {
  const auto mean = [&](const std::string& every) {
    const auto result =
        shell("muster run " + scenario() + " --plugin " + plugins +
              "examples.so --set policy.name=batches --set arrivals.rate=1 --set policy.every=" + every +
              " --quiet --out " + at(every));
    EXPECT_EQ(result.status, 0) << result.output;
    const std::string results = content_of(folder_ / every / "results.csv");
    const std::string before = ",all,waiting_time,s,";
    return std::stod(results.substr(results.find(before) + before.size()));
  };
  EXPECT_GT(mean("4"), mean("0.5") + 1.0) << "jobs wait for half a period at least";
}

TEST_F(command_line_test, policy_that_draws_has_the_same_random_numbers_in_each_run_of_a_replication) {
  const std::string words = "muster run " + scenario() + " " + weighted +
                            "--set policy.turn=drawn --set arrivals.rate=1 --replications 2 --quiet --out ";
  ASSERT_EQ(shell(words + at("once")).status, 0);
  ASSERT_EQ(shell(words + at("twice") + " -j 1").status, 0);
  ASSERT_EQ(shell(words + at("other") + " --seed 2").status, 0);
  const auto results = [&](const char* run) { return content_of(folder_ / run / "results.csv"); };
  EXPECT_EQ(results("once"), results("twice"));
  EXPECT_NE(results("once"), results("other"));
}

}  // namespace
}  // namespace muster
