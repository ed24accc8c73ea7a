#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "platform/command_line/forecast_text.h"
#include "platform/forecast/forecast.h"

// Run times of earlier jobs, quantiles, and times in words.

namespace muster {
namespace {

run_time_history history_of(const std::string& user, int jobs, double run, double requested) {
  run_time_history history;
  for (int n = 0; n < jobs; ++n) history.add(user, run + n, requested);
  history.settle();
  return history;
}

TEST(run_time_history_test, draws_shares_of_the_request_above_what_has_passed) {
  const run_time_history history = history_of("ann", 20, 1.0, 20.0);  // shares 0.05, 0.1, .. 1
  random_stream bits(1, 0, "test", "draws");
  double least = 1e9, most = 0.0;
  for (int n = 0; n < 2000; ++n) {
    const auto drawn = history.draw("ann", 200.0, 90.0, bits);
    ASSERT_TRUE(drawn);
    EXPECT_EQ(drawn->from, run_time_source::user);
    least = std::min(least, drawn->whole);
    most = std::max(most, drawn->whole);
  }
  EXPECT_DOUBLE_EQ(least, 100.0);
  EXPECT_DOUBLE_EQ(most, 200.0);
}

TEST(run_time_history_test, takes_all_users_where_the_own_jobs_are_too_few_and_nothing_where_all_are) {
  run_time_history history = history_of("ann", 9, 1.0, 10.0);
  history.add("bob", 50.0, 100.0);
  history.settle();
  random_stream bits(1, 0, "test", "draws");
  EXPECT_EQ(history.draw("ann", 10.0, 0.0, bits)->from, run_time_source::all_users);
  EXPECT_FALSE(history.draw("ann", 10.0, 2.0, bits)) << "eight are longer, among them bob's";
  EXPECT_EQ(history.users_with_enough(), 0u);
  EXPECT_EQ(history_of("ann", 10, 1.0, 10.0).users_with_enough(), 1u);
}

TEST(run_time_history_test, draws_run_times_as_they_are_where_no_request_is_known) {
  const run_time_history without = history_of("ann", 30, 5.0, 0.0), with = history_of("ann", 30, 5.0, 10.0);
  random_stream bits(1, 0, "test", "draws");
  for (int n = 0; n < 100; ++n) {
    EXPECT_LE(without.draw("ann", 1000.0, 0.0, bits)->whole, 34.0);
    EXPECT_LE(with.draw("ann", 0.0, 0.0, bits)->whole, 34.0);
    EXPECT_GE(with.draw("ann", 1000.0, 0.0, bits)->whole, 500.0);
  }
}

TEST(time_quantiles_test, are_times_that_enough_do_not_exceed) {
  std::vector<double> times(10);
  std::iota(times.rbegin(), times.rend(), 1.0);
  const time_quantiles ten = quantiles_of(times);
  EXPECT_EQ(ten.p10, 1.0);
  EXPECT_EQ(ten.p50, 5.0);
  EXPECT_EQ(ten.p90, 9.0);
  EXPECT_EQ(ten.p50_low, 2.0);  // 2 * (1 + 10) of 1024 lie outside
  EXPECT_EQ(ten.p50_high, 9.0);
  const time_quantiles one = quantiles_of({3.0});
  EXPECT_EQ(one.p10, 3.0);
  EXPECT_EQ(one.p90, 3.0);
  EXPECT_FALSE(one.p50_low);
  times[0] = std::numeric_limits<double>::infinity();
  times[1] = times[0];
  EXPECT_TRUE(std::isinf(quantiles_of(times).p90));
  EXPECT_EQ(quantiles_of(times).p50, 5.0);
}

TEST(time_in_words_test, has_at_most_two_units) {
  EXPECT_EQ(time_in_words(0.0), "0 s");
  EXPECT_EQ(time_in_words(0.005), "5 ms");
  EXPECT_EQ(time_in_words(45.2), "45 s");
  EXPECT_EQ(time_in_words(59.7), "1 min");
  EXPECT_EQ(time_in_words(7800.0), "2 h 10 min");
  EXPECT_EQ(time_in_words(7199.0), "2 h");
  EXPECT_EQ(time_in_words(86399.0), "1 d");
  EXPECT_EQ(time_in_words(3 * 86400.0 + 4 * 3600.0 + 100.0), "3 d 4 h");
}

}  // namespace
}  // namespace muster
