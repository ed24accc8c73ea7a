#include <cmath>

#include <gtest/gtest.h>

#include "tests/scenario/graph_folder.h"
#include "tests/simulation/replicate.h"
#include "tests/simulation/scenes.h"

// Power and sleep in an M/M/1 queue, whose idle periods are exponential.

namespace muster {
namespace {

std::string queue(const std::string& power) {
  return "time_unit = \"min\"" +
         one_class("power = { " + power + " }", "", 0.6, exponential, "jobs = 100_000\nreplications = 12");
}

TEST(energy, is_that_of_the_states_that_cores_are_in) {
  const auto results = replicate(queue("idle = 50.0, active = 200.0"));
  EXPECT_ESTIMATE(results, "average_power", "all", 50.0 + 150.0 * 0.6);
  EXPECT_ESTIMATE(results, "energy_per_job", "all", 60.0 * (50.0 + 150.0 * 0.6) / 0.6);
}

TEST(energy, of_sleep_follows_from_the_idle_periods) {
  const auto results = replicate(queue("idle = 50.0, active = 200.0, asleep = 5.0, sleep_after = 0.5"));
  const double asleep = 0.4 * std::exp(-0.6 * 0.5);
  EXPECT_ESTIMATE(results, "asleep_share", "all", asleep);
  EXPECT_ESTIMATE(results, "average_power", "all", 200.0 * 0.6 + 5.0 * asleep + 50.0 * (0.4 - asleep));
  EXPECT_ESTIMATE(results, "response_time", "all", 1.0 / 0.4);
}

// M/M/1 with a set-up time D at the beginning of each busy period (Welch 1964): the wait grows by
// (2 D + lambda D^2) / (2 (1 + lambda D)); every core that is idle sleeps at once.
TEST(energy, waking_delays_as_the_queue_with_set_up_times_does) {
  const double wake = 0.8, rate = 0.6;
  const auto results = replicate(queue("idle = 50.0, active = 200.0, sleep_after = 0.0, wake = 0.8"));
  EXPECT_ESTIMATE(results, "response_time", "all",
                  1.0 / 0.4 + (2.0 * wake + rate * wake * wake) / (2.0 * (1.0 + rate * wake)));
}

// The servers' states add up to all the time, and each of them but that of being down draws its power.
TEST(energy, is_not_drawn_by_servers_that_are_down) {
  const auto results =
      replicate(queue("idle = 50.0, active = 200.0, overhead = 120.0, asleep = 5.0, sleep_after = 0.5, wake = 0.1"),
                {"platform.servers.node.count=2", "platform.servers.node.faults={to_failure=8.0,to_repair=4.0}",
                 "platform.costs.set_up=0.1", "run.jobs=2000", "run.replications=2"});
  const auto mean = [&](const char* metric) { return estimate_of(results, metric).mean; };
  const double running = mean("utilization"), overhead = mean("overhead_share"), asleep = mean("asleep_share");
  const double down = mean("down_share");
  for (const double share : {running, overhead, asleep, down}) EXPECT_GT(share, 0.01);
  const double idle = 1.0 - running - overhead - asleep - down;
  EXPECT_GT(idle, 0.01);
  EXPECT_NEAR(mean("average_power"), 2.0 * (200.0 * running + 120.0 * overhead + 5.0 * asleep + 50.0 * idle), 1e-6);
}

// Nobody may use the second server, so that all that runs runs on the first.
TEST(energy, of_each_server_is_by_its_own_power) {
  const auto results = replicate(queue(""), {"platform.servers=[{name=\"node\",power={idle=50.0,active=200.0}},"
                                             "{name=\"spare\",power={idle=7.0,active=1000.0}}]",
                                             "classes.job.servers=[\"node\"]", "run.jobs=2000", "run.replications=2"});
  const double running = 2.0 * estimate_of(results, "utilization").mean;
  EXPECT_GT(running, 0.4);
  EXPECT_NEAR(estimate_of(results, "average_power").mean, 200.0 * running + 50.0 * (1.0 - running) + 7.0, 1e-6);
}

// Two servers with 2 GPUs, of which each job holds a half, and 8 GB, of which it holds 3. Cores draw nothing.
TEST(energy, of_devices_and_amounts_is_by_what_jobs_hold_of_them) {
  const std::string resources =
      "resources = { gpu = { kind = \"devices\", shares = 2 }, memory = { kind = \"amount\", unit = \"B\" } }";
  const std::string power =
      "power = { resources = { gpu = { idle = 20.0, busy = 300.0 }, memory = { idle = \"0.5 W/GB\" } } }";
  const std::vector<std::string> jobs{"classes.job.per_task={gpu=0.5,memory=\"3 GB\"}", "run.jobs=2000",
                                      "run.replications=2"};
  std::string text = one_class("count = 2, cores = 4, resources = { gpu = 2, memory = \"8 GB\" }, " + power, resources,
                               2.0, exponential, "jobs = 100");
  text.erase(text.find("need = 1\n"), 9);
  const auto mean = [](const auto& results, const char* metric, const char* of = "all") {
    return estimate_of(results, metric, of).mean;
  };
  const auto always_up = replicate(text, jobs);
  const double held = mean(always_up, "resource_utilization", "resource_gpu");
  EXPECT_GT(held, 0.1);
  EXPECT_NEAR(mean(always_up, "average_power"), 4.0 * (20.0 + 280.0 * held) + 16.0 * 0.5, 1e-6);
  auto failing = jobs;
  failing.push_back("platform.servers.node.faults={to_failure=8.0,to_repair=4.0}");
  const auto results = replicate(text, failing);
  const double busy = mean(results, "resource_utilization", "resource_gpu"), up = 1.0 - mean(results, "down_share");
  EXPECT_LT(up, 0.9);
  EXPECT_NEAR(mean(results, "average_power"), 4.0 * (20.0 * up + 280.0 * busy) + 16.0 * 0.5 * up, 1e-6);
}

class energy_of_the_cluster : public graph_folder {
 protected:
  // A job of 10 at 0, and one of 1 at 20, on a core that becomes half as fast at 4.
  replication_result of_a_slower_server(const std::string& platform) {
    write("jobs.csv", "id,arrival,size\n0,0,10\n1,20,1\n");
    const std::string text = R"(name = "slower"
policy = "fcfs"
classes = [{ name = "job" }]
arrivals = { process = "list", file = "jobs.csv" }
events = [{ at = 4, servers = "node", speed = 0.5 }]
[platform]
servers = [{ name = "node", power = { idle = 50.0, active = 200.0, overhead = 120.0 } }]
)" + platform;
    return run_replication(read_here(text).points.front().model, 0);
  }
};

// At 4 the first job has 6 left, which take 12. The core runs in 0..16 and 20..22, from 4 on at half the speed, at
// which it draws 50 + 150 / 2 W.
TEST_F(energy_of_the_cluster, is_drawn_for_longer_by_a_server_that_becomes_slower) {
  const replication_result result = of_a_slower_server("");
  EXPECT_NEAR(result.find("all", "response_time")->value, (16 + 2) / 2.0, 1e-9);
  EXPECT_NEAR(result.find("all", "energy_per_job")->value, (200.0 * 4 + 125.0 * 14 + 50.0 * 4) / 2, 1e-9);
  EXPECT_NEAR(result.find("all", "average_power")->value, (200.0 * 4 + 125.0 * 14 + 50.0 * 4) / 22, 1e-9);
}

// The way to the server and back takes 0.25. The first job has done 3.75 at 4 and runs in 0.25..16.5, the second in
// 20.25..22.25.
TEST_F(energy_of_the_cluster, is_drawn_behind_a_link_while_a_slower_server_runs) {
  const replication_result result = of_a_slower_server("link = { latency = 0.25 }\n");
  EXPECT_NEAR(result.find("all", "response_time")->value, (16.75 + 2.5) / 2.0, 1e-9);
  EXPECT_NEAR(result.find("all", "energy_per_job")->value, (200.0 * 3.75 + 125.0 * 14.5 + 50.0 * 4.25) / 2, 1e-9);
  EXPECT_NEAR(result.find("all", "average_power")->value, (200.0 * 3.75 + 125.0 * 14.5 + 50.0 * 4.25) / 22.5, 1e-9);
}

// Three licences. Job 1 holds two of them in 0..1, job 2 one in 0.5..2.5, job 3 waits for all three and holds them in
// 2.5..5.5: 2 x 1 + 1 x 2 + 3 x 3 = 13 of the 3 x 5.5 = 16.5 licence seconds, which draw 10 W, the other 3.5 draw 2 W.
TEST_F(energy_of_the_cluster, is_by_what_jobs_hold_of_its_resources) {
  write("jobs.csv", "id,arrival,size,licence\n1,0,1,2\n2,0.5,2,1\n3,1,3,3\n");
  const std::string text = R"(name = "licences"
platform.servers = [{ name = "node", cores = 4 }]
platform.resources.licence = { kind = "amount", of = "cluster", amount = 3, power = { idle = 2.0, busy = 10.0 } }
classes = [{ name = "job" }]
arrivals = { process = "list", file = "jobs.csv" }
policy = "fcfs"
[price]
watt = 0.5
resources = { licence = 7.0 }
)";
  const replication_result result = run_replication(read_here(text).points.front().model, 0);
  const double joules = 2.0 * 3.5 + 10.0 * 13.0;
  EXPECT_NEAR(result.find("all", "average_power")->value, joules / 5.5, 1e-9);
  EXPECT_NEAR(result.find("all", "energy_per_job")->value, joules / 3.0, 1e-9);
  EXPECT_NEAR(result.find("all", "cost")->value, 3 * 7.0 + 0.5 * joules / 5.5, 1e-9);
}

// Five licences, of which each job holds one while its only core runs, also where a failure ends that.
TEST(energy, of_resources_of_the_cluster_is_given_back_by_jobs_whose_server_fails) {
  const auto results =
      replicate(one_class("count = 2, cores = 2, faults = { to_failure = 8.0, to_repair = 4.0 }",
                          "resources = { licence = { kind = \"amount\", of = \"cluster\", amount = 5, power = { idle = "
                          "2.0, busy = 10.0 } } }",
                          1.5, exponential, "jobs = 2000\nreplications = 2"),
                {"classes.job.per_job={licence=1}"});
  const double running = 4.0 * estimate_of(results, "utilization").mean;
  EXPECT_GT(running, 1.0);
  EXPECT_GT(estimate_of(results, "failures_per_job").mean, 0.01);
  EXPECT_NEAR(estimate_of(results, "average_power").mean, 5 * 2.0 + 8.0 * running, 1e-6);
}

TEST(energy, of_resources_of_the_cluster_that_no_job_needs_is_that_of_idle_ones) {
  const auto results =
      replicate(queue(""), {"platform.resources={ licence = { kind = \"amount\", of = \"cluster\", amount = 5, power = "
                            "{ idle = 2, busy = 10 } } }",
                            "run.jobs=100", "run.replications=2"});
  EXPECT_NEAR(estimate_of(results, "average_power").mean, 10.0, 1e-9);
}

TEST(energy, is_not_in_the_results_where_no_power_is_given) {
  const auto results = replicate(queue("asleep = 0.0"), {"run.jobs=100", "run.replications=1"});
  ASSERT_FALSE(results.front().measurements.empty());
  for (const measurement& m : results.front().measurements)
    EXPECT_TRUE(m.metric != "average_power" && m.metric != "energy_per_job" && m.metric != "asleep_share") << m.metric;
}

}  // namespace
}  // namespace muster
