#include "platform/theory/pooled/pooled_stability.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/model/compatibility_graph.h"
#include "platform/theory/stability/stability.h"
#include "tests/theory/pooled_scenario.h"

namespace muster {
namespace {

const std::vector<server_spec> tree{{"left", 1, 1, 1.0}, {"right", 1, 1, 0.5}, {"shared", 2, 1, 0.75}};

scenario tree_with(double a, double b, const std::string& policy = "balanced_fair") {
  return pooled(tree, {{a, {"left", "shared"}}, {b, {"right", "shared"}}}, policy);
}

TEST(pooled_stability, names_the_set_of_classes_that_breaks_theorem_1) {
  const stability s = examine_stability(tree_with(0.4, 2.1));  // the whole has 2.5 of 3, class b 2.1 of 2
  EXPECT_EQ(s.answer, stability::verdict::unstable);
  EXPECT_DOUBLE_EQ(s.work, 1.05);
  EXPECT_EQ(to_words(s.hardest.value(), tree_with(0.4, 2.1)), "b on right, shared");
  EXPECT_DOUBLE_EQ(s.hardest->load, 2.1);
  EXPECT_DOUBLE_EQ(s.hardest->capacity, 2.0);
}

TEST(pooled_stability, is_decided_both_ways_in_the_papers_model) {
  for (const char* policy : {"fcfs_pooled", "balanced_fair"}) {
    const stability s = examine_stability(tree_with(1.7, 1.2, policy));
    EXPECT_EQ(s.answer, stability::verdict::stable) << policy;
    EXPECT_TRUE(s.policy_rate_is_exact());
    EXPECT_NEAR(s.policy_rate.value(), 3.0, 1e-12);
    EXPECT_EQ(examine_stability(tree_with(1.8, 1.2, policy)).answer, stability::verdict::unstable) << policy;
  }
}

TEST(pooled_stability, is_bounded_alone_where_the_speeds_of_servers_change) {
  scenario model = tree_with(1.7, 1.2);
  model.servers[0].speeds = {{0, 1.0, 2.0}, {0, 9.0, 0.5}};
  const stability fastest_keep_1 = examine_stability(model);
  EXPECT_EQ(fastest_keep_1.answer, stability::verdict::unknown);
  EXPECT_FALSE(fastest_keep_1.policy_rate);
  EXPECT_NEAR(fastest_keep_1.unstable_from, 3.0, 1e-12);
  model.servers[1].speeds = {{0, 1.0, 0.5}};
  model.servers[2].speeds = {{0, 1.0, 0.5}, {1, 1.0, 0.25}};
  const stability none_keeps_1 = examine_stability(model);
  EXPECT_EQ(none_keeps_1.answer, stability::verdict::unstable);
  EXPECT_NEAR(none_keeps_1.unstable_from, 1.5, 1e-12);
}

TEST(pooled_stability, is_decided_by_the_last_rate_of_arrivals) {
  scenario model = tree_with(1.7, 1.2);
  model.arrivals.changes = {{1.0, 2.0}, {9.0, 1.0}};
  EXPECT_EQ(examine_stability(model).answer, stability::verdict::stable);
  model.arrivals.changes.push_back({10.0, 1.1});  // 3.19, where 3 can be served
  EXPECT_EQ(examine_stability(model).answer, stability::verdict::unstable);
}

TEST(pooled_stability, is_decided_for_any_sizes_and_timers_of_interrupted_jobs) {
  scenario model = tree_with(1.7, 1.2);
  model.classes[0].size = distribution::make("deterministic", {{"value", {1.0}}});
  model.timers.kind = timer_spec::law::deterministic;
  const stability s = examine_stability(model);
  EXPECT_TRUE(s.policy_rate_is_exact());
  EXPECT_NEAR(s.policy_rate.value(), 3.0, 1e-12);
  EXPECT_EQ(s.answer, stability::verdict::stable);
  EXPECT_EQ(s.condition,
            "stable if and only if every set of classes has less load than capacity (any sizes, as each server serves "
            "the job that has been in the queue longest; derived from fluid limits)");
  model.classes[0].rate = 2.6;
  EXPECT_EQ(examine_stability(model).answer, stability::verdict::unstable);
}

// Each of the servers that a job may use, 2.5 of capacity for class a and 2 for b, may set it up (0.1) and be the one
// to save it when another completes it (0.02), and with two interruptions saves, restores and moves it twice (0.1):
// 0.32.
TEST(pooled_stability, of_interrupted_jobs_with_costs_is_bounded_by_what_they_can_cost_on_all_servers) {
  scenario model = tree_with(0.8, 0.7);
  model.costs.set_up = 0.1;
  model.costs.save = 0.02;
  model.costs.restore = 0.03;
  model.costs.migration = 0.05;
  model.policy.settings = {{"theta", 0.5}};
  const stability s = examine_stability(model);
  EXPECT_EQ(s.known_by, limit_evidence::bound);
  EXPECT_NEAR(s.policy_rate.value(), 1.5 * 3.0 / (0.8 * 1.8 + 0.7 * 1.64), 1e-9);
  EXPECT_EQ(s.answer, stability::verdict::stable);
  model.costs.bandwidth = 1.0;
  model.classes[0].state = model.classes[1].state = 0.1;  // 0.1 more for each move
  EXPECT_NEAR(examine_stability(model).policy_rate.value(), 1.5 * 3.0 / (0.8 * 2.3 + 0.7 * 2.04), 1e-9);
}

TEST(pooled_stability, has_only_an_upper_bound_where_time_is_not_counted) {
  scenario model = tree_with(1.7, 1.2);
  model.decision.fixed = 0.01;
  model.network.link.latency = 0.01;
  const stability s = examine_stability(model);
  EXPECT_FALSE(s.policy_rate);
  EXPECT_EQ(s.answer, stability::verdict::unknown);
  EXPECT_EQ(limit_text(s), fmt::format("<= {:.6g}", s.work_rate));
  EXPECT_EQ(s.condition,
            "an upper bound, as not all time for links, decisions is counted: every set of classes must have "
            "less load than capacity (Balanced fairness, Theorem 1)");
}

// Up 9/10 of the time, the shared servers have 1.35; class b alone has 0.45 + 1.35 = 1.8 for it.
TEST(pooled_stability, ends_at_the_capacity_of_servers_while_they_are_up) {
  scenario model = tree_with(0.1, 1.7);
  for (server_spec& s : model.servers) s.faults = fault_spec{9.0, 1.0};
  EXPECT_EQ(examine_stability(model).answer, stability::verdict::unknown);
  EXPECT_NEAR(examine_stability(model).unstable_from, 1.8 * 1.8 / 1.7, 1e-9);
  model.classes[1].rate = 1.85;
  EXPECT_EQ(examine_stability(model).answer, stability::verdict::unstable);
}

TEST(pooled_stability, of_jobs_served_in_order_is_decided_for_any_sizes_and_arrivals) {
  scenario model = tree_with(1.7, 1.2, "fcfs_pooled");
  model.classes[0].size = distribution::make("lognormal", {{"mean", {0.5}}, {"scv", {4.0}}});
  model.classes[0].rate *= 2.0;
  model.arrivals.rate += 1.7;
  model.arrivals.kind = arrival_spec::process::renewal;
  const stability s = examine_stability(model);
  EXPECT_TRUE(s.policy_rate_is_exact());
  EXPECT_EQ(s.answer, stability::verdict::stable);
  model.classes[1].rate = 1.4;
  EXPECT_EQ(examine_stability(model).answer, stability::verdict::unstable);
  model.classes[1].rate = 1.2;
  model.policy.name = "balanced_fair";
  model.policy.settings = {{"theta", 1.0}};
  EXPECT_EQ(examine_stability(model).answer, stability::verdict::stable);
  model.policy.settings = {{"interruptions_per_job", 0.0}};
  EXPECT_EQ(examine_stability(model).answer, stability::verdict::stable);
  model.costs.set_up = 0.01;
  EXPECT_EQ(examine_stability(model).known_by, limit_evidence::bound) << "paid on any number of servers";
}

TEST(pooled_stability, of_jobs_that_may_use_all_servers_is_decided_for_any_sizes) {
  scenario model = pooled(tree, {{2.0, {"left", "right", "shared"}}, {0.9, {"left", "right", "shared"}}});
  model.classes[0].size = distribution::make("deterministic", {{"value", {1.0}}});
  EXPECT_TRUE(examine_stability(model).policy_rate_is_exact());
  EXPECT_EQ(examine_stability(model).answer, stability::verdict::stable);
  model.classes[1].rate = 1.1;
  EXPECT_EQ(examine_stability(model).answer, stability::verdict::unstable);
}

TEST(pooled_model, names_every_departure) {
  EXPECT_TRUE(departures_from_pooled_model(tree_with(1.0, 1.0)).empty());
  scenario model = pooled(tree, {{1.0, {"left"}}, {1.0, {"right"}, 0.2}});
  model.arrivals.kind = arrival_spec::process::renewal;
  model.classes[0].size = distribution::make("deterministic", {{"value", {1.0}}});
  model.timers.kind = timer_spec::law::deterministic;
  model.costs.migration = 0.1;
  model.network.link.latency = 0.1;
  EXPECT_EQ(departures_from_pooled_model(model),
            (std::vector<std::string>{"arrivals that are not Poisson", "sizes that are not exponential",
                                      "classes of different mean sizes", "timers that are not exponential", "costs",
                                      "links"}));
}

TEST(pooled_classes, have_a_largest_service_rate_and_arrival_rate) {
  const auto classes =
      examine_pooled_classes(pooled(tree, {{0.4, {"left", "shared"}, 2.0}, {1.5, {"right", "shared"}}}));
  EXPECT_DOUBLE_EQ(classes[0].load, 0.8);
  EXPECT_DOUBLE_EQ(classes[0].fastest, 2.5);
  EXPECT_DOUBLE_EQ(classes[1].fastest, 2.0);
  EXPECT_NEAR(classes[0].highest_rate.value(), 0.75, 1e-12);  // min(2.5, 3 - 1.5) / 2
  EXPECT_NEAR(classes[1].highest_rate.value(), 2.0, 1e-12);   // min(2, 3 - 0.8)
}

TEST(pooled_classes, have_no_rate_left_where_others_take_all) {
  EXPECT_EQ(examine_pooled_classes(pooled(tree, {{0.4, {"left"}}, {1.5, {"left"}}}))[0].highest_rate, 0.0);
}

TEST(capacity_set, lists_every_set_of_few_classes_and_none_of_many) {
  const auto sets = capacity_set(tree_with(0.4, 1.5));
  ASSERT_EQ(sets.size(), 3u);
  EXPECT_DOUBLE_EQ(sets[0].capacity, 2.5);
  EXPECT_DOUBLE_EQ(sets[1].capacity, 2.0);
  EXPECT_DOUBLE_EQ(sets[2].capacity, 3.0);
  EXPECT_DOUBLE_EQ(sets[2].load, 1.9);
  EXPECT_TRUE(capacity_set(pooled(tree, std::vector<pooled_class_spec>(5, {0.1, {"left"}}))).empty());
}

TEST(random_draws, press_hardest_on_the_slowest_servers) {
  // Two of four: a sixth of the load falls on the slow two.
  const scenario model = pooled({{"fast", 2, 1, 10.0}, {"slow", 2, 1, 0.1}}, {{3.0, {}, 1.0, 2}});
  const hardest_pressed found = find_hardest_pressed(model);
  EXPECT_TRUE(found.sure);
  EXPECT_EQ(to_words(found.set, model), "a on slow");
  EXPECT_NEAR(found.set.load, 0.5, 1e-12);
  EXPECT_NEAR(found.set.capacity, 0.2, 1e-12);
  EXPECT_EQ(examine_stability(model).answer, stability::verdict::unstable);
  const pooled_class limits = examine_pooled_classes(model).front();
  EXPECT_NEAR(limits.highest_rate.value(), 1.2, 1e-12);
  EXPECT_NEAR(limits.fastest, 20.0, 1e-12);
}

TEST(random_draws, among_unequal_servers_are_judged_as_the_graph_of_all_draws_is) {
  const scenario model =
      pooled({{"x", 2, 1, 1.0}, {"y", 2, 1, 2.0}, {"z", 1, 1, 0.3}}, {{2.0, {}, 1.0, 2}, {1.0, {}, 1.0, 3}});
  const auto split = make_split_graph(model, 100);
  ASSERT_TRUE(split);
  EXPECT_EQ(class_vertices(*split), 20u);
  const hardest_pressed found = find_hardest_pressed(model);
  EXPECT_NEAR(found.set.load / found.set.capacity, find_bottleneck(*split).load, 1e-12);
}

TEST(random_draws, among_like_servers_press_hardest_on_all_of_them) {
  const scenario model = pooled({{"node", 1000, 1, 1.0}}, {{900.0, {}, 1.0, 2}});
  const hardest_pressed found = find_hardest_pressed(model);
  EXPECT_EQ(to_words(found.set, model), "a on node");
  EXPECT_DOUBLE_EQ(found.set.load / found.set.capacity, 0.9);
}

TEST(random_draws, beside_listed_servers_are_told_apart) {
  // Draws of one of two load each server with 0.5; class b adds 0.7 to x alone.
  const scenario model = pooled({{"x", 1, 1, 1.0}, {"y", 1, 1, 5.0}}, {{1.0, {}, 1.0, 1}, {0.7, {"x"}}});
  const hardest_pressed found = find_hardest_pressed(model);
  EXPECT_TRUE(found.sure);
  EXPECT_EQ(to_words(found.set, model), "a, b on x");
  EXPECT_NEAR(found.set.load, 1.2, 1e-12);
}

TEST(random_draws, beside_listed_servers_claim_nothing_where_they_are_too_many) {
  scenario model = pooled({{"node", 100, 1, 1.0}, {"extra", 1, 1, 1.0}}, {{50.0, {}, 1.0, 5}, {0.7, {"extra"}}});
  EXPECT_FALSE(find_hardest_pressed(model).sure);
  EXPECT_EQ(examine_stability(model).answer, stability::verdict::unknown);
  model.classes[0].rate = 101.0;
  EXPECT_EQ(examine_stability(model).answer, stability::verdict::unstable);
}

TEST(unusable_servers, are_named) {
  const scenario model = pooled({{"x", 1, 1, 1.0}, {"spare", 1, 1, 1.0}}, {{0.5, {"x"}}});
  EXPECT_EQ(unusable_servers(model), std::vector<std::string>{"server 'spare' stands idle: no class can use it"});
}

TEST(pooled_stability, ends_where_a_set_of_classes_has_exactly_the_capacity_of_its_servers) {
  const stability exact = examine_stability(tree_with(0.5, 2.0));  // class b has 2 of 2
  EXPECT_EQ(exact.work, 1.0);
  EXPECT_EQ(exact.answer, stability::verdict::unstable);
  EXPECT_EQ(examine_stability(tree_with(0.5, 1.875)).answer, stability::verdict::stable);
  scenario outside = tree_with(0.5, 2.0);
  outside.costs.migration = 0.1;  // where the condition is only necessary
  EXPECT_EQ(examine_stability(outside).answer, stability::verdict::unstable);
}

TEST(pooled_model, is_left_by_cores_that_take_time_to_wake) {
  scenario model = tree_with(1.0, 1.0);
  model.servers[1].power.sleep_after = 1.0;
  EXPECT_TRUE(departures_from_pooled_model(model).empty());
  model.servers[1].power.wake = 0.5;
  EXPECT_EQ(departures_from_pooled_model(model), (std::vector<std::string>{"waking"}));
  EXPECT_EQ(examine_stability(model).answer, stability::verdict::unknown);
}

}  // namespace
}  // namespace muster
