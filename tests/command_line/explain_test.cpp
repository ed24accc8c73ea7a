#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/command_line/trace_scenes.h"

// Why did jobs wait? By the command's option, in results and in traces.

namespace muster {
namespace {

class explain_test : public trace_test {};

const char* const parts[] = {"time_running", "time_overhead", "time_network",       "time_decision",
                             "time_failure", "wait_no_core",  "wait_fragmentation", "wait_behind_others"};

/// Rigid jobs that are preempted, on servers that fail, over links, with decisions that take time.
constexpr const char* everything = R"(name = "everything"
time_unit = "ms"
platform.servers = [{ name = "node", count = 3, cores = 4, faults = { to_failure = 50.0, to_repair = 1.0 } }]
platform.costs = { set_up = 0.05, save = 0.02, restore = 0.01 }
platform.link = { latency = 0.002 }
platform.decision = { fixed = 0.001, per_job = 0.0005 }
classes = [
  { name = "light", need = 1, share = 0.8, size = { distribution = "exponential", mean = 1.0 } },
  { name = "heavy", need = 7, share = 0.2, size = { distribution = "exponential", mean = 1.0 } },
]
arrivals.rate = 3.0
policy = "server_filling"
run = { jobs = 3000, replications = 1, warm_up = 0.0 }
)";

TEST_F(explain_test, columns_of_a_trace_of_jobs_add_up_to_the_response_and_average_to_the_metrics) {
  std::vector<named_scenario> all(std::begin(scenarios), std::end(scenarios));
  all.push_back({"everything", everything, 12});
  std::map<std::string, double> of_all;
  for (const named_scenario& s : all) {
    SCOPED_TRACE(s.name);
    run(s, "--explain --trace jobs");
    std::map<std::string, double> sums;
    double completed = 0;
    for (const auto& row : read_table(content(s, "jobs.csv"))) {
      double sum = 0;
      for (const char* part : parts) sum += std::stod(row.at(part));
      EXPECT_NEAR(sum, std::stod(row.at("response")), 1e-8) << "job " << row.at("id");
      if (row.at("outcome") != "completed") continue;
      ++completed;
      for (const char* part : parts) sums[part] += std::stod(row.at(part));
    }
    for (const char* part : parts) {
      expect_same(sums[part] / completed, result(s, "all", part), part);
      of_all[part] += sums[part];
    }
  }
  for (const char* part : parts)
    if (std::string_view(part) != "wait_fragmentation") {
      EXPECT_GT(of_all[part], 0.0) << part << " is 0 everywhere: the test is too easy";
    }
}

TEST_F(explain_test, columns_and_metrics_are_absent_without_it) {
  run(scenarios[0], "--trace jobs");
  for (const char* part : parts) {
    EXPECT_EQ(read_table(content(scenarios[0], "jobs.csv")).front().count(part), 0u) << part;
    EXPECT_THROW(result(scenarios[0], "all", part), std::runtime_error) << part;
  }
}

TEST_F(explain_test, option_is_the_setting_and_goes_on_after_an_earlier_run) {
  const auto run_small = [&](const std::string& options, const std::string& out) {
    const auto found = shell(fmt::format("muster run {} --quiet {} --out {}", scenario(), options, at(out)));
    EXPECT_EQ(found.status, 0) << found.output;
    return found.output;
  };
  run_small("--explain", "option");
  run_small("--set report.explain=true", "setting");
  run_small("--explain --replications 1", "resumed");
  const std::string resumed = run_small("--explain", "resumed");
  EXPECT_NE(resumed.find("4 replications of an earlier run"), std::string::npos) << resumed;
  const std::string results = content_of(folder_ / "option" / "results.csv");
  EXPECT_NE(results.find(",wait_behind_others,"), std::string::npos);
  EXPECT_EQ(content_of(folder_ / "setting" / "results.csv"), results);
  EXPECT_EQ(content_of(folder_ / "resumed" / "results.csv"), results);
  EXPECT_EQ(content_of(folder_ / "setting" / "scenario.toml"), content_of(folder_ / "option" / "scenario.toml"));
}

TEST_F(explain_test, setting_takes_true_or_false_only) {
  const auto refused = shell("muster check " + scenario() + " --set report.explain=1");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.output.find("report.explain: expected true or false, found an integer"), std::string::npos)
      << refused.output;
}

}  // namespace
}  // namespace muster
