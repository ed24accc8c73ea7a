#include "platform/theory/stability/long_queues.h"

#include <gtest/gtest.h>

#include "platform/theory/stability/policy_limit.h"

namespace muster {
namespace {

/// Exponential sizes of mean 1, at total rate 1.
rigid_workload of_shares(unsigned cores, const std::vector<std::pair<unsigned, double>>& needs) {
  rigid_workload workload;
  workload.cores = cores;
  for (const auto& [need, share] : needs)
    workload.classes.push_back({need, share, 1.0, 0.0, 1.0, distribution::make("exponential", {{"mean", {1.0}}})});
  return workload;
}

constexpr admission_order every_order[] = {admission_order::largest_first, admission_order::earliest_first,
                                           admission_order::largest_first_with_drains};

// One, two and eight of eight cores divide each other: load 1 of 2.3 cores a job is the limit, whatever the order.
TEST(long_queues, drain_below_load_1_and_not_above_it_where_that_is_the_limit) {
  const rigid_workload workload = of_shares(8, {{1, 0.6}, {2, 0.25}, {8, 0.15}});
  for (const admission_order order : every_order) {
    EXPECT_TRUE(long_queues_drain(workload, order, 0.95 * 8.0 / 2.3));
    EXPECT_FALSE(long_queues_drain(workload, order, 1.01 * 8.0 / 2.3));
  }
}

// Jobs of 4 of 6 cores run one at a time: half of the rate must be below 1. At 2.08 the load is 5.2 of 6, and all work
// becomes less for some time, as jobs of one core wait; those of 4 cores are more and more.
TEST(long_queues, do_not_drain_because_those_of_other_classes_do) {
  const rigid_workload workload = of_shares(6, {{1, 0.5}, {4, 0.5}});
  for (const admission_order order : every_order) {
    EXPECT_TRUE(long_queues_drain(workload, order, 1.7));
    EXPECT_FALSE(long_queues_drain(workload, order, 2.08));
    const double found = rate_at_which_long_queues_drain(workload, order, 0.0, 2.1);
    EXPECT_LT(found, 2.0);
    EXPECT_GE(found, 0.8 * 2.1 - 1e-9);
  }
}

TEST(long_queues, are_not_simulated_of_classes_that_hardly_ever_come) {
  const rigid_workload workload = of_shares(5, {{2, 0.999}, {3, 0.001}});
  EXPECT_EQ(rate_at_which_long_queues_drain(workload, admission_order::largest_first, 0.125, 2.5), 0.125);
}

TEST(policy_limit, of_greedy_policies_where_needs_do_not_divide_each_other_is_simulated_in_a_thorough_search_only) {
  const rigid_workload workload = of_shares(15, {{1, 0.5}, {3, 0.25}, {5, 0.2}, {15, 0.05}});
  for (const stability_rule rule :
       {stability_rule::greedy_by_need, stability_rule::greedy_by_arrival, stability_rule::greedy_with_drains}) {
    const policy_limit quick = policy_limit_of(rule, workload, false);
    EXPECT_EQ(quick.known_by, limit_evidence::bound);
    EXPECT_LE(quick.stable_below, 13.0 / 3.0 + 1e-9);
    const policy_limit found = policy_limit_of(rule, workload, false, limit_search::thorough);
    EXPECT_EQ(found.known_by, limit_evidence::simulated_bound);
    EXPECT_EQ(found.condition,
              "long queues drain in simulations at this rate and at lower ones; nothing is proved of it");
    EXPECT_GE(found.rate.value(), 4.75);
    EXPECT_LT(found.rate.value(), 5.0);
    EXPECT_EQ(found.stable_below, *found.rate);
    EXPECT_NEAR(found.unstable_from, 5.0, 1e-9);
  }
}

}  // namespace
}  // namespace muster
