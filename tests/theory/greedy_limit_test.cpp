#include "platform/theory/stability/greedy_limit.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "muster/policies/algorithms/schedule_mix.h"

namespace muster {
namespace {

stability_gap greedy_limit_of(unsigned cores, const std::vector<unsigned>& needs, const std::vector<double>& loads,
                              drains admission = drains::never) {
  return greedy_limit(cores, needs, loads, admission);
}

TEST(greedy_limit, of_needs_that_divide_each_other_and_the_cores_is_load_1) {
  for (const drains admission : {drains::never, drains::sometimes}) {
    const stability_gap found = greedy_limit_of(24, {8, 1, 4, 2, 24}, {0.1, 2.0, 0.3, 1.0, 0.02}, admission);
    const double work = 0.8 + 2.0 + 1.2 + 2.0 + 0.48;
    EXPECT_NEAR(found.stable_below, 24.0 / work, 1e-12);
    EXPECT_NEAR(found.unstable_from, 24.0 / work, 1e-12);
  }
}

// Needs 3 and 5 of 15: with long queues of 3 alone fewer than 3 cores are idle, 13 of 15 at work; load 3 per unit.
TEST(greedy_limit, of_the_four_classes_of_figure_5_is_what_the_smallest_of_two_needs_leaves_idle) {
  const std::vector<unsigned> needs{1, 3, 5, 15};
  const std::vector<double> loads{0.5, 0.25, 0.2, 0.05};
  const stability_gap found = greedy_limit_of(15, needs, loads);
  EXPECT_NEAR(found.stable_below, 13.0 / 3.0, 1e-12);
  EXPECT_NEAR(found.unstable_from, 5.0, 1e-12);
  EXPECT_EQ(greedy_limit_of(15, needs, loads, drains::sometimes).stable_below, 0.0);
}

// One job of 4 on 6 cores at a time, and 6 cores for all: no policy does better, and none needs to.
TEST(greedy_limit, of_one_need_beside_1_is_exact_whether_or_not_it_divides_the_cores) {
  for (const double heavy : {0.25, 1.0, 4.0}) {
    const stability_gap found = greedy_limit_of(6, {4, 1}, {heavy, 1.0});
    const double exact = std::min(1.0 / heavy, 6.0 / (4.0 * heavy + 1.0));
    EXPECT_NEAR(found.stable_below, exact, 1e-12) << heavy;
    EXPECT_NEAR(found.unstable_from, exact, 1e-12) << heavy;
  }
}

// Classes of need 2 and 4 together have 4 of 5 cores.
TEST(greedy_limit, counts_cores_that_no_job_of_several_classes_can_use_as_lost) {
  EXPECT_NEAR(greedy_limit_of(5, {2, 4}, {1.0, 0.5}).unstable_from, 1.0, 1e-12);
  EXPECT_NEAR(greedy_limit_of(5, {2, 4}, {1.0, 0.5}).stable_below, 1.0, 1e-12);
}

TEST(greedy_limit, of_classes_with_one_need_is_that_of_their_sum) {
  const stability_gap apart = greedy_limit_of(9, {2, 5, 2, 1}, {0.3, 0.4, 0.2, 1.0});
  const stability_gap together = greedy_limit_of(9, {1, 2, 5}, {1.0, 0.5, 0.4});
  EXPECT_DOUBLE_EQ(apart.stable_below, together.stable_below);
  EXPECT_DOUBLE_EQ(apart.unstable_from, together.unstable_from);
}

// The linear program knows no policies: what is claimed to be stable lies within what some mix of schedules carries,
// and what is claimed to be unstable outside.
RC_GTEST_PROP(greedy_limit, never_contradicts_the_best_mix_of_schedules, ()) {
  const auto cores = *rc::gen::inRange(1u, 25u);
  const auto classes = *rc::gen::inRange<std::size_t>(1, 5);
  std::vector<unsigned> needs(classes);
  std::vector<double> loads(classes);
  for (std::size_t i = 0; i < classes; ++i) {
    needs[i] = *rc::gen::inRange(1u, cores + 1);
    loads[i] = 0.01 * *rc::gen::inRange(1, 400);
  }
  const schedule_mix best = largest_mix(needs, loads, cores);
  for (const drains admission : {drains::never, drains::sometimes}) {
    const stability_gap found = greedy_limit_of(cores, needs, loads, admission);
    RC_ASSERT(found.stable_below <= found.unstable_from * (1.0 + 1e-9));
    RC_ASSERT(found.stable_below <= best.bound * (1.0 + 1e-9));
    RC_ASSERT(found.unstable_from >= best.factor * (1.0 - 1e-9));
  }
}

}  // namespace
}  // namespace muster
