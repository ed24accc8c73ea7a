#include "muster/policies/algorithms/switching_chain.h"

#include <gtest/gtest.h>

#include <cmath>

namespace muster {
namespace {

TEST(switching_time, of_one_class_is_a_sum_of_exponential_times) {
  EXPECT_NEAR(switching_time({4}, {0}, {1.0}), 1.0 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4, 1e-12);
  EXPECT_NEAR(switching_time({4}, {2}, {3.0}), 3.0 * (1.0 / 3 + 1.0 / 4), 1e-12);
  EXPECT_EQ(switching_time({2, 1}, {2, 3}, {1.0, 1.0}), 0.0);
}

TEST(switching_time, of_several_classes_is_that_of_the_slowest) {
  // The maximum of two exponential times: the sum of the means less the mean of the minimum.
  EXPECT_NEAR(switching_time({1, 1}, {0, 0}, {1.0, 2.0}), 1.0 + 2.0 - 1.0 / (1.0 + 0.5), 1e-6);
  EXPECT_NEAR(switching_time({1, 1, 5}, {0, 0, 7}, {1.0, 0.001, 1.0}), 1.0 + 0.001 - 1.0 / (1.0 + 1000.0), 1e-6);
  // Eight of one class are four and four of two like it.
  EXPECT_NEAR(switching_time({4, 4}, {0, 0}, {1.0, 1.0}), switching_time({8}, {0}, {1.0}), 1e-6);
}

const class_demands one_or_all_demands{{8, 1}, {0.5, 2.0}, {1.0, 1.0}};

TEST(derived_cycle, serves_each_load_by_the_root_of_the_factor_more_often) {
  const schedule_mix mix = largest_mix(one_or_all_demands.needs, one_or_all_demands.loads, 8);
  ASSERT_NEAR(mix.factor, 1.0 / (0.5 + 2.0 / 8), 1e-12);
  const double switching = 1.0 + switching_time({8}, {0}, {1.0}), root = std::sqrt(mix.factor);
  const switching_chain chain = cycle_of(mix, one_or_all_demands, visit_timer::from_completion);
  ASSERT_EQ(chain.schedules, (std::vector<schedule>{{1, 0}, {0, 8}}));
  const double working = 1.0 / chain.rates[0][1] + 1.0 / chain.rates[1][0];
  EXPECT_NEAR(working, switching / (root - 1.0), 1e-9);
  EXPECT_NEAR(mix.factor * working / (working + switching), root, 1e-9);
  EXPECT_NEAR(chain.rates[1][0] / chain.rates[0][1], 0.5 / (2.0 / 8), 1e-9) << "the visits have the mix's shares";
  // With jobs that complete in the switches it serves more.
  const std::vector<double> served = most_served(chain, one_or_all_demands, 8, visit_timer::from_completion);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_GT(served[i], root * one_or_all_demands.loads[i]);

  const switching_chain within = cycle_of(mix, one_or_all_demands, visit_timer::from_request);
  EXPECT_NEAR(1.0 / within.rates[0][1] + 1.0 / within.rates[1][0], working + switching, 1e-9);
  const switching_chain given = cycle_of(mix, one_or_all_demands, visit_timer::from_completion, 30.0);
  EXPECT_NEAR(1.0 / given.rates[0][1] + 1.0 / given.rates[1][0], 30.0, 1e-9);
}

TEST(derived_cycle, of_one_schedule_never_switches) {
  const schedule_mix mix = largest_mix({2}, {1.0}, 5);
  const switching_chain chain = cycle_of(mix, {{2}, {1.0}, {1.0}}, visit_timer::from_completion);
  EXPECT_EQ(chain.schedules, (std::vector<schedule>{{2}}));
  EXPECT_EQ(chain.leaving(0), 0.0);
  EXPECT_EQ(most_served(chain, {{2}, {1.0}, {1.0}}, 5, visit_timer::from_completion), std::vector<double>{2.0});
}

TEST(most_served, of_one_or_all_counts_the_time_of_switches_and_what_completes_in_them) {
  const switching_chain chain{{{1, 0}, {0, 8}}, {{0.0, 0.1}, {0.2, 0.0}}};
  const double to_heavy = switching_time({8}, {0}, {1.0}), cycle = 10.0 + 1.0 + 5.0 + to_heavy;
  const std::vector<double> served = most_served(chain, one_or_all_demands, 8, visit_timer::from_completion);
  EXPECT_NEAR(served[0], (10.0 + 1.0) / cycle, 1e-12);
  EXPECT_NEAR(served[1], (5.0 * 8 + 8.0) / cycle, 1e-12);
}

// While the second class goes from four jobs to two it completes two; those that stay count when the switch is over.
TEST(most_served, counts_the_jobs_of_a_class_in_excess_until_they_have_completed) {
  const switching_chain chain{{{1, 4}, {0, 2}}, {{0.0, 0.1}, {0.2, 0.0}}};
  const class_demands demands{{2, 1}, {0.1, 0.1}, {1e-9, 3.0}};
  const double switching = 3.0 * (1.0 / 3 + 1.0 / 4), cycle = 10.0 + switching + 5.0;
  const std::vector<double> served = most_served(chain, demands, 6, visit_timer::from_completion);
  EXPECT_NEAR(served[0], 10.0 / cycle, 1e-6);
  EXPECT_NEAR(served[1], (10.0 * 4 + 2 * 3.0 + 5.0 * 2) / cycle, 1e-6);
}

TEST(most_served, weighs_schedules_by_how_often_a_chain_that_is_no_cycle_visits_them) {
  // From 0 to 1 twice as often as to 2, and back.
  const switching_chain chain{{{1, 0}, {0, 1}, {1, 1}}, {{0, 2, 1}, {1, 0, 0}, {4, 0, 0}}};
  const class_demands demands{{1, 1}, {0.1, 0.1}, {1e-9, 1e-9}};
  const std::vector<double> served = most_served(chain, demands, 2, visit_timer::from_completion);
  // Times by visits: 3 of 1/3, 2 of 1, 1 of 1/4.
  EXPECT_NEAR(served[0], (1.0 + 0.25) / 3.25, 1e-6);
  EXPECT_NEAR(served[1], (2.0 + 0.25) / 3.25, 1e-6);
}

TEST(switching_chain, tells_which_schedule_it_does_not_visit_again) {
  EXPECT_FALSE(never_visited_again({{{1}, {2}}, {{0, 1}, {1, 0}}}).has_value());
  EXPECT_EQ(never_visited_again({{{1}, {2}}, {{0, 1}, {0, 0}}}), std::size_t{0});
  EXPECT_EQ(never_visited_again({{{1}, {2}, {3}}, {{0, 1, 0}, {1, 0, 0}, {1, 0, 0}}}), std::size_t{2});
}

TEST(mix_of_given_schedules, is_the_best_of_them_alone) {
  const schedule_mix mix = mix_of({{1, 0}, {0, 6}, {0, 8}, {0, 4}}, {0.5, 2.0});
  EXPECT_NEAR(mix.factor, 1.0 / (0.5 + 2.0 / 8), 1e-12);
  EXPECT_EQ(mix.schedules, (std::vector<schedule>{{1, 0}, {0, 8}}));
  EXPECT_NEAR(mix_of({{1, 0}, {0, 6}}, {0.5, 2.0}).factor, 1.0 / (0.5 + 2.0 / 6), 1e-12);
  EXPECT_EQ(mix_of({{1, 0}}, {0.5, 2.0}).factor, 0.0);
  EXPECT_EQ(mix_of({{1, 0}}, {0.5, 0.0}).factor, 2.0);
  EXPECT_THROW(mix_of({}, {1.0}), std::invalid_argument);
  EXPECT_THROW(mix_of({{1}}, {1.0, 2.0}), std::invalid_argument);
}

}  // namespace
}  // namespace muster
