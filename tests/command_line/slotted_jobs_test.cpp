#include <algorithm>

#include <gtest/gtest.h>

#include "tests/command_line/command.h"

namespace muster {
namespace {

class slotted_command_test : public command_line_test {
 protected:
  void SetUp() override {
    command_line_test::SetUp();
    // Theorem 3 of the ISPEED paper: of two jobs, the one of the greater gain could wait, and the other could not.
    std::ofstream(folder_ / "jobs.csv") << "id,arrival,deadline,units,marginals\n1,1,1,1,0.5\n2,1,2,1,1\n";
    std::ofstream(folder_ / "bait.toml") << R"(name = "bait"
platform.servers = [ { name = "machine", count = 1 } ]
classes = [{ name = "job" }]
arrivals = { process = "list", file = "jobs.csv" }
policy = "ispeed"
run.replications = 1
[sweep]
policy = [ { name = "ispeed" }, { name = "edf" } ]
)";
    std::ofstream(folder_ / "stream.toml") << R"(name = "stream"
[platform]
servers = [ { name = "machine", count = 10 } ]
[[classes]]
name = "tasks"
units = 4
share = 1.0
utility = { function = "steps", tasks = 2 }
deadline = { distribution = "constant", slots = 3 }
[arrivals]
rate = 2.0
[policy]
name = "ispeed"
gain = "literal"
[run]
jobs = 200
replications = 2
)";
  }
  std::string bait() const { return at("bait.toml"); }
  std::string stream() const { return at("stream.toml"); }
};

void expect_words(const command_result& result, std::initializer_list<const char*> all) {
  EXPECT_EQ(result.status, 0);
  for (const char* words : all)
    EXPECT_NE(result.output.find(words), std::string::npos) << words << '\n' << result.output;
}

TEST_F(slotted_command_test, run_prints_utility_and_what_it_could_have_been) {
  const auto result = shell("muster run " + bait() + " --out " + at("out"));
  expect_words(result, {"utility", "utility_rate", "optimal_utility", "competitive_ratio", "completed_share",
                        "expired_share", "utilization"});
  EXPECT_EQ(result.output.find("response_time"), std::string::npos) << "that is not what slotted jobs are about";
  const auto row = [&](const char* policy) {
    const std::size_t begin = result.output.rfind(policy, result.output.find("which policy is best"));
    std::string line = result.output.substr(begin, result.output.find('\n', begin) - begin);
    line.erase(std::unique(line.begin(), line.end(), [](char a, char b) { return a == ' ' && b == ' '; }), line.end());
    return line;
  };
  EXPECT_EQ(row("ispeed"), "ispeed 1 1 1.5 1.5 0.5 0.5 1 1") << result.output;
  EXPECT_EQ(row("edf"), "edf 1.5 0.75 1.5 1 1 0 1 1") << result.output;
}

TEST_F(slotted_command_test, run_stores_the_optimum_and_the_ratio_of_each_point) {
  ASSERT_EQ(shell("muster run " + bait() + " --quiet --out " + at("out")).status, 0);
  const std::string results = content_of(folder_ / "out" / "results.csv");
  for (const char* row : {",all,utility,,1,,,1,2,\n", ",all,optimal_utility,,1.5,,,1,2,\n",
                          ",all,competitive_ratio,,1.5,,,1,2,\n", ",all,competitive_ratio,,1,,,1,2,\n",
                          ",job,expired_share,,0.5,,,1,2,\n", ",job,utility_rate,1/s,0.75,,,1,2,\n"})
    EXPECT_NE(results.find(row), std::string::npos) << row << results;
  const std::string theory = content_of(folder_ / "out" / "theory.csv");
  for (const char* row : {",all,optimal_utility,,1.5,,,0,0,\n", ",all,competitive_bound,,2,,,0,0,\n"})
    EXPECT_NE(theory.find(row), std::string::npos) << row << theory;
}

TEST_F(slotted_command_test, resolved_scenario_with_its_list_gives_the_same_results_again) {
  ASSERT_EQ(shell("muster run " + bait() + " --quiet --out " + at("first")).status, 0);
  ASSERT_EQ(shell("muster run " + at("first/scenario.toml") + " --quiet --out " + at("second")).status, 0);
  const std::string results = content_of(folder_ / "first" / "results.csv");
  EXPECT_GT(results.size(), 1000u);
  EXPECT_EQ(results, content_of(folder_ / "second" / "results.csv"));
}

TEST_F(slotted_command_test, theory_prints_optimum_and_bound_and_says_what_they_are) {
  expect_words(
      shell("muster theory " + bait()),
      {"optimal_utility", "competitive_bound", "1.5", "                  2",
       "points 0-1: mean over the replications' jobs of the most utility that any schedule can give them, at no "
       "cost; ISPEED's ratio to it is bounded by 2 + alpha (ISPEED, Theorem 2)"});
}

TEST_F(slotted_command_test, theory_says_why_there_is_no_optimum_or_no_bound) {
  expect_words(shell("muster theory " + stream()),
               {"point 0: no optimum: the arrivals never end; no bound: alpha of equation 3 is infinite where a unit "
                "without gain comes before one with some"});
  std::ofstream(folder_ / "jobs.csv") << "id,arrival,deadline,units,marginals\n1,1,1,2,1 3\n";
  const auto convex = shell("muster theory " + bait());
  expect_words(convex, {"points 0-1: no optimum: not every utility is concave; ISPEED's ratio to it is bounded by"});
  EXPECT_NE(convex.output.find("4\n"), std::string::npos) << "2 + alpha, 3 / 1 - 1 = 2: " << convex.output;
}

TEST_F(slotted_command_test, check_prints_the_load_of_slotted_jobs) {
  // 2 jobs of 4 units per second on 10 machines.
  expect_words(shell("muster check " + stream()), {"\ntasks ", "0.8000", "stable"});
}

TEST_F(slotted_command_test, check_and_run_warn_of_the_literal_rule_where_utility_is_not_concave) {
  const char* warning =
      "warning: class 'tasks': its utility is not concave, and ispeed with gain 'literal' looks no further than the "
      "next unit; gain 'envelope' looks ahead\n";
  expect_words(shell("muster check " + stream()), {warning});
  expect_words(shell("muster run " + stream() + " --quiet --out " + at("out")), {warning});
  for (const char* remedy : {"policy.gain=envelope", "classes.tasks.utility.tasks=4"})
    EXPECT_EQ(shell("muster check " + stream() + " --set " + remedy).output.find("warning"), std::string::npos)
        << remedy;
}

TEST_F(slotted_command_test, metrics_and_policies_of_slotted_jobs_are_listed) {
  const std::string metrics = shell("muster list metrics").output;
  for (const char* name : {"utility", "utility_rate", "completed_share", "expired_share", "preemptions_per_job",
                           "optimal_utility", "competitive_ratio", "competitive_bound"})
    EXPECT_NE(metrics.find(std::string("\n") + name + " "), std::string::npos) << name;
  const std::string policies = shell("muster list policies").output;
  for (const char* name : {"ispeed", "fifo", "edf", "equal_partitioning"})
    EXPECT_NE(policies.find(std::string("\n") + name + "\n"), std::string::npos) << name;
}

TEST_F(slotted_command_test, studies_of_the_paper_pass_the_check) {
  int studies = 0;
  for (const auto& file : std::filesystem::directory_iterator(MUSTER_SOURCE "/scenarios")) {
    if (file.path().filename().string().rfind("ispeed_", 0) != 0) continue;
    ++studies;
    const auto result = shell("muster check " + file.path().string());
    EXPECT_EQ(result.status, 0) << file.path() << '\n' << result.output;
  }
  EXPECT_GE(studies, 3);
}

}  // namespace
}  // namespace muster
