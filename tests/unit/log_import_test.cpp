#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "platform/import/arrival_rates.h"
#include "platform/import/job_figures.h"
#include "platform/import/need_ranges.h"

// What a model of a log has beside the laws of run times: classes by need, rates by hour, and the figures that it is
// held against.

namespace muster {
namespace {

constexpr double hour = 3600.0, day = 24.0 * hour, week = 7.0 * day;

TEST(class_rule_by_needs, has_a_class_for_each_of_eight_needs) {
  std::vector<need_weight> needs;
  for (std::uint32_t n = 0; n < 8; ++n) needs.push_back({1u << n, 10.0, 10.0});
  EXPECT_EQ(class_rule_by_needs(needs), "need");
}

// Four heaps of three neighbours: one range less would leave a factor of ten within one, three leave under 1 % each.
TEST(class_rule_by_needs, cuts_many_needs_where_they_are_far_apart) {
  std::vector<need_weight> needs;
  for (const std::uint32_t heap : {10u, 100u, 1'000u, 10'000u})
    for (const std::uint32_t off : {0u, 1u, 2u}) needs.push_back({heap + off, 1.0, 1.0});
  EXPECT_EQ(class_rule_by_needs(needs), "cores: 10-12, 100-102, 1000-1002, 10000-10002");
}

TEST(class_rule_by_needs, has_at_most_eight_ranges_that_hold_every_need) {
  std::vector<need_weight> needs;
  for (std::uint32_t n = 1; n <= 512; ++n) needs.push_back({n, 1.0, 1.0});
  const std::string rule = class_rule_by_needs(needs);
  EXPECT_EQ(std::count(rule.begin(), rule.end(), ','), 7) << rule;
  EXPECT_EQ(rule.rfind("cores: 1", 0), 0u) << rule;
  EXPECT_EQ(rule.substr(rule.size() - 4), "-512") << rule;
}

// A job that takes nearly all work weighs as much as all the others together.
TEST(class_rule_by_needs, weighs_work_as_much_as_jobs) {
  std::vector<need_weight> needs;
  for (std::uint32_t n = 100; n < 110; ++n) needs.push_back({n, 100.0, 1e-9});
  needs.push_back({1'000, 1.0, 1.0});
  EXPECT_EQ(class_rule_by_needs(needs), "cores: 100-109, 1000");
}

TEST(fitted_arrivals, of_less_than_two_days_have_one_rate) {
  const fitted_arrivals fit = fit_arrivals({0.0, 100.0, 400.0}, std::nullopt);
  EXPECT_DOUBLE_EQ(fit.rate, 2.0 / 400.0);
  EXPECT_DOUBLE_EQ(fit.window, 600.0);
  EXPECT_TRUE(fit.rates.empty());
}

// Four days from 6 h on: three jobs at half past nine, one at half past six.
TEST(fitted_arrivals, of_days_have_the_rates_of_their_hours) {
  std::vector<double> arrivals;
  for (int d = 0; d < 4; ++d)
    for (const double at : {0.5, 3.5, 3.5, 3.5}) arrivals.push_back(d * day + at * hour);
  const fitted_arrivals fit = fit_arrivals(arrivals, 6.5 * hour);
  ASSERT_EQ(fit.rates.size(), 24u);
  EXPECT_EQ(fit.period, day);
  EXPECT_DOUBLE_EQ(fit.begin, 6.5 * hour);
  for (std::size_t h = 0; h < 24; ++h) EXPECT_EQ(fit.rates[h] > 0.0, h == 6 || h == 9) << h;
  // The window is 16 / 15 of the 75 hours between first and last arrival: 80 hours, from half past six to half past
  // two. Hour 9 is covered four times; so are the last half of hour 6, and its first half three times.
  EXPECT_NEAR(fit.window, 80.0 * hour, 1e-6);
  EXPECT_NEAR(fit.rates[9] / fit.rates[6], (12.0 / 4.0) / (4.0 / 3.5), 1e-9);
  double sum = 0.0;
  for (const double rate : fit.rates) sum += rate;
  EXPECT_NEAR(sum / 24.0, 1.0, 1e-12);
  EXPECT_NEAR(fit.rate * 24.0 * hour, 12.0 / 4.0 + 4.0 / 3.5, 1e-9);
}

// Two weeks from a Saturday, the 3rd of January 1970, 12 h on.
TEST(fitted_arrivals, of_two_weeks_have_the_rates_of_the_week_from_monday_on) {
  std::vector<double> arrivals;
  for (int h = 0; h < 14 * 24; ++h) arrivals.push_back(h * hour);
  const fitted_arrivals fit = fit_arrivals(arrivals, 2.5 * day);
  ASSERT_EQ(fit.rates.size(), 168u);
  EXPECT_EQ(fit.period, week);
  EXPECT_DOUBLE_EQ(fit.begin, 5.5 * day);
  for (const double rate : fit.rates) EXPECT_NEAR(rate, 1.0, 1e-9);
  EXPECT_NEAR(fit.rate, 1.0 / hour, 1e-12);
}

// Loads and shares by hand: work is 2 * 10 + 1 * 30 + 2 * 10 = 70 of 4 cores in 100 s.
TEST(figures_of_jobs, are_those_by_hand) {
  job_sample jobs;
  jobs.arrivals = {0.0, 10.0, 40.0};
  jobs.sizes = {10.0, 30.0, 10.0};
  jobs.types = {1, 0, 1};
  jobs.needs = {2, 1, 2};
  const std::vector<job_figures> all = figures_of(jobs, 3, 4.0, 100.0);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_DOUBLE_EQ(all[0][offered_load], 70.0 / 400.0);
  EXPECT_DOUBLE_EQ(all[0][mean_between], 20.0);
  EXPECT_DOUBLE_EQ(all[0][between_cv], 0.5);  // 10 and 30
  EXPECT_DOUBLE_EQ(all[0][mean_need], 5.0 / 3.0);
  EXPECT_DOUBLE_EQ(all[0][mean_run], 50.0 / 3.0);
  EXPECT_DOUBLE_EQ(all[0][median_run], 10.0);
  EXPECT_DOUBLE_EQ(all[0][run_p95], 30.0);
  EXPECT_DOUBLE_EQ(all[1][share_of_work], 30.0 / 70.0);
  EXPECT_DOUBLE_EQ(all[2][share_of_jobs], 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(all[2][run_cv], 0.0);
  EXPECT_EQ(all[3][number_of_jobs], 0.0);
  EXPECT_TRUE(std::isnan(all[3][mean_run]));
}

}  // namespace
}  // namespace muster
