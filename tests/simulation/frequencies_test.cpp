#include <gtest/gtest.h>

#include "platform/theory/stability/stability.h"
#include "tests/scenario/graph_folder.h"
#include "tests/simulation/replicate.h"
#include "tests/simulation/scenes.h"

// Frequencies of servers, by hand: a core draws 1 W while it is idle, 3 W at 1 GHz, where its speed is 0.5, and 9 W at
// 2 GHz.

namespace muster {
namespace {

class frequencies : public graph_folder {
 protected:
  replication_result run(const std::string& jobs, const std::string& servers, const std::string& more = "",
                         const std::vector<std::string>& overrides = {}) const {
    write("jobs.csv", "id,arrival,size\n" + jobs);
    const std::string text = R"(name = "frequencies"
policy = "fcfs"
classes = [{ name = "job" }]
arrivals = { process = "list", file = "jobs.csv" }
)" + more + R"(
[run]
warm_up = 0
[platform]
servers = [{ name = "node", power = { idle = 1.0 }, frequencies = [{ frequency = "2 GHz", watts = 9, speed = 1 },
  { frequency = 1e9, watts = 3, speed = 0.5 }], )" +
                             servers + " }]\n";
    return run_replication(read_here(text, overrides).points.front().model, 0);
  }
  static void expect(const replication_result& result, double response_time, double energy_per_job) {
    EXPECT_NEAR(result.find("all", "response_time")->value, response_time, 1e-9);
    EXPECT_NEAR(result.find("all", "energy_per_job")->value, energy_per_job, 1e-9);
    EXPECT_NEAR(result.find("all", "energy_delay_product")->value, response_time * energy_per_job, 1e-6);
  }
};

TEST_F(frequencies, of_the_usual_governor_are_the_fastest) { expect(run("0,0,10\n", "count = 1"), 10.0, 90.0); }

TEST_F(frequencies, that_never_change_are_the_capacity_and_power_of_servers) {
  expect(run("0,0,10\n", "governor = \"slow_down\""), 20.0, 60.0);
  expect(run("0,0,10\n", "governor = \"fixed\", frequency = \"1 GHz\", capacity = 2"), 10.0, 30.0);
}

// At 4 the first job has 6 left, which take 12. It ends at 16, the second one runs in 20..22.
TEST_F(frequencies, that_are_fixed_change_by_an_event) {
  const std::string event = "events = [{ at = 4, servers = \"node\", frequency = \"1000 MHz\" }]";
  expect(run("0,0,10\n1,20,1\n", "governor = \"fixed\", frequency = 2e9", event), (16 + 2) / 2.0,
         (4 * 9 + 12 * 3 + 4 * 1 + 2 * 3) / 2.0);
}

// 0..2: one core of two works at speed 0.5. 2..3: both at 1, so that the second job ends. 3..7: the first one has 2
// left, at 0.5.
TEST_F(frequencies, on_demand_follow_the_busy_cores) {
  expect(run("0,0,4\n1,2,1\n", "cores = 2, governor = \"on_demand\""), (7 + 1) / 2.0, (2 * 4 + 1 * 18 + 4 * 4) / 2.0);
}

// 0..2 as above. From 2 on both cores would draw 2 W and 16 W above: half of that leaves the cap. The second job ends
// at 4, the first one has 2 left then and goes on at 0.5, at 4 W, to 8.
TEST_F(frequencies, of_capped_servers_are_slowed_within_the_row) {
  const replication_result result = run("0,0,4\n1,2,1\n", "cores = 2, governor = \"on_demand\"",
                                        "events = [{ at = 1, servers = \"node\", power_cap = \"10 W\" }]");
  expect(result, (8 + 2) / 2.0, (2 * 4 + 2 * 10 + 4 * 4) / 2.0);
  EXPECT_NEAR(result.find("all", "time_capped")->value, 2.0 / 8.0, 1e-9);
}

// The second job waits for its core to wake in 10..11, in overhead at 9 W, which no frequency changes. Jobs run in 0..4
// and 11..13, at speed 0.5; a core that sleeps draws nothing.
TEST_F(frequencies, leave_overhead_as_it_is) {
  expect(run("0,0,2\n1,10,1\n", "cores = 2, governor = \"on_demand\"", "",
             {"platform.servers.node.power.sleep_after=0", "platform.servers.node.power.wake=1"}),
         (4 + 3) / 2.0, (4 * 3 + 9 + 2 * 3) / 2.0);
}

// A pooled job has all cores of its server: two of speed 1. The jobs run in 0..2 and 2..3.
TEST_F(frequencies, on_demand_are_the_fastest_under_pooled_jobs) {
  const replication_result result =
      run("0,0,4\n1,1,2\n", "cores = 2, governor = \"on_demand\"", "", {"policy=fcfs_pooled"});
  expect(result, (2 + 2) / 2.0, 3 * 2 * 9 / 2.0);
}

// Two servers of a core each in each of two racks. Four jobs of 2: those of rack 1 draw 18 W, of which 2 W are idle,
// and are capped at 10 W.
TEST_F(frequencies, of_the_servers_of_a_rack_are_capped_together) {
  const replication_result result =
      run("0,0,2\n1,0,2\n2,0,2\n3,0,2\n", "count = 4", "events = [{ at = 1e-9, rack = 1, power_cap = 10 }]",
          {"platform.link.topology=racks", "platform.link.racks=2"});
  EXPECT_NEAR(result.find("all", "response_time")->value, (2 + 2 + 4 + 4) / 4.0, 1e-6);
  EXPECT_NEAR(result.find("all", "time_capped")->value, 1.0, 1e-6);
}

// A gang goes on at the pace of its slowest server: one core of two is busy on each, at speed 0.5.
TEST(frequencies_of_gangs, are_those_of_its_servers) {
  const std::string servers =
      "count = 2, cores = 2, power = { idle = 1.0 }, governor = \"on_demand\", frequencies = [{ frequency = 1, watts = "
      "3, speed = 0.5 }, { frequency = 2, watts = 9, speed = 1 }]";
  std::string text = one_class(servers, "", 0.01, "distribution = \"deterministic\", mean = 3",
                               "jobs = 200\nreplications = 2\nwarm_up = 0");
  text.replace(text.find("need = 1\n"), 9, "tasks = 2\nper_task = { cores = 1 }\nat_most_per_server = 1\n");
  const auto results = replicate(text);
  EXPECT_GT(estimate_of(results, "response_time").mean, 5.5);
  EXPECT_NEAR(estimate_of(results, "response_time_p50").mean, 6.0, 0.1);
}

TEST(frequencies_that_never_change, leave_limits_and_exact_values_as_they_are_at_that_capacity) {
  const std::string table =
      "power = { idle = 1.0 }, frequencies = [{ frequency = 1, watts = 3, speed = 0.5 }, { frequency = 2, watts = 9, "
      "speed = 1 }], governor = ";
  const auto limit = [&](const std::string& governor) {
    const scenario model = first_point(one_class(table + governor, "", 0.4, exponential, "jobs = 1000"));
    return examine_stability(model);
  };
  EXPECT_EQ(limit("\"race_to_idle\"").answer, stability::verdict::stable);
  EXPECT_DOUBLE_EQ(limit("\"slow_down\"").unstable_from, 0.5);
  EXPECT_EQ(limit("\"on_demand\"").answer, stability::verdict::unknown);
  EXPECT_DOUBLE_EQ(limit("\"on_demand\"").unstable_from, 1.0);
}

TEST(frequencies_of_a_replication, are_the_same_each_time) {
  const std::string servers =
      "count = 2, cores = 4, power = { idle = 1.0, sleep_after = 1, wake = 0.1 }, faults = { to_failure = 50, "
      "to_repair "
      "= 5 }, governor = \"on_demand\", frequencies = [{ frequency = 1, watts = 3, speed = 0.5 }, { frequency = 2, "
      "watts = 9, speed = 1 }]";
  const std::string text =
      one_class(servers, "", 4.0, exponential, "jobs = 2000\nreplications = 2") +
      "[[events]]\nat = 10\npower_cap = 40\n[price]\nenergy = { prices = [0.1, 0.4], period = 5 }\n";
  EXPECT_EQ(text_of(replicate(text)), text_of(replicate(text)));
}

}  // namespace
}  // namespace muster
