#include "platform/theory/stability/policy_limit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace muster {
namespace {

/// Classes of equal rates and sizes of mean 1, at total rate 1.
rigid_workload equal_classes(unsigned cores, const std::vector<unsigned>& needs) {
  rigid_workload workload;
  workload.cores = cores;
  for (const unsigned need : needs)
    workload.classes.push_back({need, 1.0 / static_cast<double>(needs.size()), 1.0, 0.0, 1.0,
                                distribution::make("exponential", {{"mean", {1.0}}})});
  return workload;
}

void expect_exact(const policy_limit& found, double limit) {
  EXPECT_EQ(found.known_by, limit_evidence::exact) << found.condition;
  EXPECT_NEAR(found.rate.value(), limit, 1e-9) << found.condition;
  EXPECT_EQ(found.stable_below, *found.rate);
  EXPECT_EQ(found.unstable_from, *found.rate);
}

void expect_nothing_up_to(const policy_limit& found, double limit_of_any) {
  EXPECT_FALSE(found.rate) << found.condition;
  EXPECT_EQ(found.stable_below, 0.0);
  EXPECT_NEAR(found.unstable_from, limit_of_any, 1e-9);
}

// Needs 2 and 3 on 4 cores: two of 2, or one of 3, and so 1/2 * 1/2 + 1/2 = 3/4 of the time for one job. Work would
// allow 4 / 2.5.
TEST(policy_limit, of_a_policy_that_reaches_the_best_mix_is_that_of_the_linear_program) {
  const rigid_workload workload = equal_classes(4, {2, 3});
  expect_exact(policy_limit_of(stability_rule::best_mix, workload, true), 4.0 / 3.0);
  expect_exact(policy_limit_of(stability_rule::preemptive_best_mix, workload, false), 4.0 / 3.0);
  expect_nothing_up_to(policy_limit_of(stability_rule::preemptive_best_mix, workload, true), 4.0 / 3.0);
  expect_nothing_up_to(policy_limit_of(stability_rule::not_known, workload, false), 4.0 / 3.0);
}

TEST(policy_limit,
     of_filling_is_load_1_where_needs_divide_each_other_and_else_leaves_idle_what_jobs_that_do_not_fit_leave) {
  expect_exact(policy_limit_of(stability_rule::filling, equal_classes(8, {1, 2, 4, 8}), false), 8.0 / 3.75);
  expect_nothing_up_to(policy_limit_of(stability_rule::filling, equal_classes(8, {1, 2, 4, 8}), true), 8.0 / 3.75);
  const policy_limit bound = policy_limit_of(stability_rule::filling, equal_classes(8, {1, 2, 3}), false);
  EXPECT_EQ(bound.known_by, limit_evidence::bound);
  EXPECT_NEAR(bound.rate.value(), (8.0 - 2.0) / 2.0, 1e-9);
  EXPECT_NEAR(bound.unstable_from, 4.0, 1e-9);
  // A job of 7 that does not fit leaves 1 of 8 cores idle at most, as one of 7 or more is in service; one of 3
  // leaves 2.
  EXPECT_NEAR(policy_limit_of(stability_rule::filling, equal_classes(8, {1, 3, 7}), false).rate.value(),
              (8.0 - 2.0) / (11.0 / 3.0), 1e-9);
}

// 4 and 6 divide 12, but neither the other.
TEST(policy_limit, of_divisor_filling_is_load_1_where_every_need_divides_the_cores) {
  expect_exact(policy_limit_of(stability_rule::divisor_filling, equal_classes(12, {1, 4, 6}), false), 36.0 / 11.0);
  EXPECT_FALSE(policy_limit_of(stability_rule::divisor_filling, equal_classes(12, {1, 5, 6}), false).rate);
  EXPECT_FALSE(policy_limit_of(stability_rule::divisor_filling, equal_classes(12, {1, 4, 6}), true).rate);
}

// In turn: 1/2 of a core of 8 each, and the whole cluster each second time. In order: after a heavy job come n light
// ones with probability 2^-(n+1); together they take 1 + sum over n of 2^-n / min(n, 8), and bring n + 1 = 2 jobs.
TEST(policy_limit, is_only_an_upper_one_where_jobs_may_hold_cores_for_any_time) {
  rigid_workload workload = equal_classes(8, {1, 8});
  for (auto& c : workload.classes) c.held_most = std::numeric_limits<double>::infinity();
  for (const stability_rule rule :
       {stability_rule::greedy_by_need, stability_rule::greedy_by_arrival, stability_rule::greedy_with_drains,
        stability_rule::best_mix, stability_rule::best_mix_in_turn, stability_rule::filling})
    expect_nothing_up_to(policy_limit_of(rule, workload, false), 8.0 / 4.5);
  expect_nothing_up_to(policy_limit_of(stability_rule::classes_in_turn, workload, false), 1.0 / (0.5 / 8.0 + 0.5));
  double cycle = 1.0;
  for (int n = 1; n < 60; ++n) cycle += std::ldexp(1.0, -n) / std::min(n, 8);
  expect_nothing_up_to(policy_limit_of(stability_rule::in_order, workload, false), 2.0 / cycle);
}

// Times are derived for exponential sizes without overhead.
TEST(policy_limit, of_schedules_in_turn_is_that_of_the_linear_program_for_exponential_sizes) {
  rigid_workload workload = equal_classes(4, {2, 3});
  expect_exact(policy_limit_of(stability_rule::best_mix_in_turn, workload, false), 4.0 / 3.0);
  workload.classes[1].size = distribution::make("deterministic", {{"value", {1.0}}});
  expect_nothing_up_to(policy_limit_of(stability_rule::best_mix_in_turn, workload, false), 4.0 / 3.0);
  workload = equal_classes(4, {2, 3});
  workload.classes[0].overhead = 0.5;
  workload.classes[0].held = workload.classes[0].held_most = 1.5;
  EXPECT_FALSE(policy_limit_of(stability_rule::best_mix_in_turn, workload, false).rate);
}

}  // namespace
}  // namespace muster
