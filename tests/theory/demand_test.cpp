#include "platform/theory/demand.h"

#include <gtest/gtest.h>

#include "platform/command_line/stability_text.h"
#include "platform/inference/stability_of_study.h"
#include "platform/scenario/scenario_file.h"
#include "platform/theory/stability/stability.h"
#include "tests/theory/pooled_scenario.h"

// Every number here is worked out by hand.

namespace muster {
namespace {

std::vector<std::string> warnings_of(const study& s) { return stability_warnings(s, examine_points(s)); }

study one_class(const std::string& servers, const std::string& platform, double rate, int need = 1) {
  return read_study("name = \"s\"\n[platform]\nservers = [" + servers + "]\n" + platform +
                        "\n[[classes]]\nname = \"job\"\nneed = " + std::to_string(need) +
                        "\nrate = " + std::to_string(rate) +
                        "\nsize = { distribution = \"exponential\", mean = 1.0 }\n[policy]\nname = \"fcfs\"\n",
                    "test", {});
}

stability examine(const std::string& servers, const std::string& platform, double rate, int need = 1) {
  return examine_stability(one_class(servers, platform, rate, need).points.front().model);
}

const std::string set_up = "costs = { dispatch_latency = 0.1, set_up = 0.2 }";

// M/G/1 with set-up: a service takes 1.3 on average, so that 1 / 1.3 = 0.7692 jobs per unit of time are too many.
TEST(overhead, of_dispatch_and_set_up_lowers_the_limit_of_a_single_core) {
  const stability over = examine(R"({ name = "n" })", set_up, 0.8);
  EXPECT_DOUBLE_EQ(over.work, 1.04);
  EXPECT_DOUBLE_EQ(over.work_rate, 0.8 / 1.04);
  EXPECT_DOUBLE_EQ(over.classes.front().overhead, 0.3);
  EXPECT_DOUBLE_EQ(over.classes.front().cores, 1.04);
  EXPECT_EQ(over.overhead, overhead_count::exact);
  EXPECT_EQ(over.answer, stability::verdict::unstable);
  const stability under = examine(R"({ name = "n" })", set_up, 0.76);
  EXPECT_EQ(under.answer, stability::verdict::stable);
  EXPECT_DOUBLE_EQ(under.policy_rate.value(), 1.0 / 1.3);
}

// A job that is killed does its work again: at load 0.9 the queue may or may not be stable.
TEST(overhead, counts_work_that_a_policy_kills_as_not_known) {
  scenario model = one_class(R"({ name = "n" })", "", 0.9).points.front().model;
  model.policy.name = "kill_restart";
  const stability killed = examine_stability(model);
  EXPECT_EQ(killed.overhead, overhead_count::lower_bound);
  EXPECT_EQ(killed.answer, stability::verdict::unknown);
  EXPECT_NE(killed.condition.find("not all time for preemption is counted"), std::string::npos) << killed.condition;
}

// A job of mean 1 writes 4 - 1 checkpoints or more, whatever the law of its size; how often it fails is not counted.
TEST(overhead, counts_the_fewest_checkpoints_that_a_job_can_write) {
  const stability s = examine(R"({ name = "n", faults = { to_failure = 100.0, to_repair = 1.0 } })",
                              "checkpoint_every = 0.25\ncheckpoint_cost = 0.1", 0.5);
  EXPECT_DOUBLE_EQ(s.classes.front().overhead, 0.3);
  EXPECT_EQ(s.overhead, overhead_count::lower_bound);
}

// A gang of 4 holds its cores for 1 / 2 + 0.3; the overhead is no faster on fast cores.
TEST(overhead, takes_as_long_on_fast_cores) {
  const stability s = examine(R"({ name = "n", cores = 8, capacity = 2.0 })", set_up, 1.5, 4);
  EXPECT_DOUBLE_EQ(s.work, 1.5 * 4 * 0.8 / 8);
  EXPECT_DOUBLE_EQ(s.classes.front().cores, 1.5 * 4 * 0.8);
  EXPECT_DOUBLE_EQ(s.classes.front().share, 1.5 * 4 * 0.8 / 8);
  EXPECT_EQ(s.overhead, overhead_count::exact);
}

// On the slow core it costs 0.3 of what the core could do, on the fast one 0.6; which one is taken is not known.
TEST(overhead, is_a_lower_bound_where_a_class_may_use_cores_of_several_capacities) {
  const stability s = examine(R"({ name = "slow" }, { name = "fast", capacity = 2.0 })", set_up, 1.0);
  EXPECT_DOUBLE_EQ(s.work, 1.3 / 3.0);
  EXPECT_EQ(s.overhead, overhead_count::lower_bound);
  EXPECT_EQ(s.answer, stability::verdict::unknown);
}

TEST(overhead, of_links_is_the_way_there_and_back) {
  const stability latency = examine(R"({ name = "n" })", "link = { latency = 0.1 }", 0.5);
  EXPECT_DOUBLE_EQ(latency.work, 0.5 * 1.2);
  EXPECT_EQ(latency.overhead, overhead_count::exact);
  const stability bytes = examine(R"({ name = "n" })", "link = { latency = 0.1, bandwidth = 1000.0 }", 0.5);
  EXPECT_DOUBLE_EQ(bytes.work, 0.5 * (1.2 + 0.040 + 0.008));
  EXPECT_EQ(bytes.overhead, overhead_count::lower_bound) << "messages may wait for each other";
  const stability racks = examine(
      R"({ name = "n" })", R"(link = { topology = "racks", racks = 1, latency = 0.1, uplink_latency = 0.2 })", 0.5);
  EXPECT_DOUBLE_EQ(racks.work, 0.5 * 1.6);
  const stability shared =
      examine(R"({ name = "n" })",
              "link = { topology = \"leaf_spine\", leaves = 1, spines = 2, latency = 0.1, bandwidth "
              "= 1000.0, uplink_bandwidth = 400.0, sharing = \"max_min\" }",
              0.5);
  EXPECT_DOUBLE_EQ(shared.work, 0.5 * (1.4 + 0.040 + 0.008)) << "all edges at once, the uplinks by half of the bytes";
}

TEST(overhead, is_a_lower_bound_where_something_else_may_hold_cores) {
  for (const char* servers : {R"({ name = "n", power = { sleep_after = 1.0, wake = 0.5 } })",
                              R"({ name = "n", faults = { to_failure = 1000.0, to_repair = 1.0 } })"})
    EXPECT_EQ(examine(servers, "", 0.5).overhead, overhead_count::lower_bound) << servers;
  EXPECT_EQ(examine(R"({ name = "n" })", "decision = { fixed = 0.1 }", 0.5).overhead, overhead_count::lower_bound);
  EXPECT_EQ(examine(R"({ name = "n" })", "", 0.5).overhead, overhead_count::none);
}

// Two interruptions for each job of size 1: 0.01 + 0.1 once, and 0.02 + 0.01 + 0.03 each time, on a server of
// capacity 2.
scenario interrupted(std::vector<server_spec> servers) {
  std::vector<std::string> names;
  for (const server_spec& s : servers) names.push_back(s.name);
  scenario model = pooled(std::move(servers), {{1.0, names}});
  model.policy.settings = {{"theta", 0.5}};
  model.costs.dispatch_latency = 0.01;
  model.costs.set_up = 0.1;
  model.costs.save = 0.02;
  model.costs.restore = 0.03;
  return model;
}

TEST(overhead, of_interruptions_is_counted_where_timers_have_no_memory) {
  scenario model = interrupted({{"a", 1, 1, 2.0}});
  stability s = examine_stability(model);
  EXPECT_DOUBLE_EQ(demands_of(model).front().overhead, 0.11 + 2 * 0.06);
  EXPECT_DOUBLE_EQ(s.work, (1.0 + 2.0 * 0.23) / 2.0);
  EXPECT_EQ(s.overhead, overhead_count::exact);
  model.timers.kind = timer_spec::law::deterministic;
  s = examine_stability(model);
  EXPECT_DOUBLE_EQ(s.work, (1.0 + 2.0 * 0.11) / 2.0);
  EXPECT_EQ(s.overhead, overhead_count::lower_bound);
}

TEST(overhead, of_pooled_jobs_is_that_of_one_server_where_several_may_come) {
  const scenario model = interrupted({{"a", 1, 1, 2.0}, {"b", 1, 1, 1.0}});
  const stability s = examine_stability(model);
  EXPECT_DOUBLE_EQ(s.work, (1.0 + 1.0 * 0.23) / 3.0);
  EXPECT_EQ(s.overhead, overhead_count::lower_bound);
  EXPECT_DOUBLE_EQ(examine_pooled_classes(model).front().load, 1.23);
  EXPECT_DOUBLE_EQ(examine_pooled_classes(model).front().highest_rate.value(), 3.0 / 1.23);
}

TEST(overhead, that_makes_a_set_of_pooled_classes_too_heavy_is_an_unstable_point) {
  scenario model = pooled({{"a", 1, 1, 1.0}}, {{0.9, {"a"}}}, "fcfs_pooled");
  EXPECT_EQ(examine_stability(model).answer, stability::verdict::stable);
  model.costs.set_up = 0.2;
  EXPECT_EQ(examine_stability(model).answer, stability::verdict::unstable);
}

TEST(overhead, of_slotted_jobs_has_epsilon_once_for_each_job) {
  const study s = read_study(R"(
name = "slots"
platform.servers = [{ name = "m", count = 4 }]
platform.slot = 2.0
platform.costs = { epsilon = 0.25, set_up = 0.1 }
classes = [{ name = "job", share = 1.0, units = 3, utility = { function = "exponential", steepness = 1.0 } }]
arrivals.rate = 0.5
policy = "fifo"
)",
                             "test", {});
  const stability found = examine_stability(s.points.front().model);
  EXPECT_DOUBLE_EQ(found.work, 0.5 * (3 * 2.0 + 0.25 * 2.0 + 0.1) / 4);
  EXPECT_EQ(found.overhead, overhead_count::lower_bound);
}

TEST(overhead, is_named_by_check_and_its_warnings) {
  const study exact = one_class(R"({ name = "n" })", set_up, 0.8);
  const std::string text = stability_report(exact).text();
  for (const char* words : {"1.0400  exact", "0.769231", "UNSTABLE", "exact: load and limits count all of it"})
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  ASSERT_EQ(warnings_of(exact).size(), 1u);
  EXPECT_NE(warnings_of(exact).front().find("not below the limit 0.769231, overhead included;"), std::string::npos)
      << warnings_of(exact).front();
  const study bound = one_class(R"({ name = "n" })", set_up + "\ndecision = { fixed = 0.1 }", 0.8);
  EXPECT_NE(warnings_of(bound).front().find("0.769231 (an upper bound: it counts the overhead that is certain)"),
            std::string::npos)
      << warnings_of(bound).front();
  EXPECT_EQ(stability_report(one_class(R"({ name = "n" })", "", 0.8)).text().find("lower bound"), std::string::npos);
}

}  // namespace
}  // namespace muster
