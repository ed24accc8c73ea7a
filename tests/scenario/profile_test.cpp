#include <cmath>

#include <gtest/gtest.h>

#include "platform/metrics/sample.h"
#include "tests/scenario/drawn_arrivals.h"
#include "tests/scenario/slotted_sample.h"

namespace muster {
namespace {

scenario with_profile(const std::string& rates, const std::string& period, const std::string& text = sample) {
  return first_point(text, {"arrivals.process=profile", "arrivals.rates=" + rates, "arrivals.period=" + period});
}

// At rate 7 the parts of two seconds have 7, 0, 28 and 21 arrivals on average. Sums over 4,000 periods and the total
// are within five standard deviations of Poisson laws; so is the variance, whose own is 2 / n of its square and a
// little.
TEST(profile, has_the_numbers_of_arrivals_of_a_poisson_process_in_each_part_of_the_period) {
  constexpr std::size_t periods = 4'000;
  const std::vector<double> counts = counts_of_arrivals(with_profile("[1, 0, 4, 3]", "8 s"), 2.0, 4 * periods);
  std::vector<double> of_part[4];
  double total = 0.0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    of_part[i % 4].push_back(counts[i]);
    total += counts[i];
  }
  const double expected[] = {7.0, 0.0, 28.0, 21.0}, n = periods;
  for (std::size_t part = 0; part < 4; ++part) {
    EXPECT_NEAR(mean_of(of_part[part]), expected[part], 5.0 * std::sqrt(expected[part] / n)) << part;
    EXPECT_NEAR(variance_of(of_part[part]), expected[part], 5.0 * expected[part] * std::sqrt(2.2 / n)) << part;
  }
  EXPECT_NEAR(total, 56.0 * n, 5.0 * std::sqrt(56.0 * n));
}

// One time between arrivals is drawn for each job, and nothing else than Poisson arrivals draw.
TEST(profile, has_the_jobs_of_poisson_arrivals_and_with_equal_rates_their_times) {
  const auto poisson = drawn_jobs(first_point(sample, {}), 20'000);
  const auto uneven = drawn_jobs(with_profile("[1, 0, 4, 3]", "8 s"), 20'000);
  const auto even = drawn_jobs(with_profile("[2, 2, 2]", "1 h"), 20'000);
  ticks before = 0;
  for (std::size_t i = 0; i < poisson.size(); ++i) {
    ASSERT_EQ(uneven[i].type, poisson[i].type);
    ASSERT_EQ(uneven[i].size, poisson[i].size);
    ASSERT_GE(uneven[i].arrival, before);
    ASSERT_NEAR(static_cast<double>(even[i].arrival), static_cast<double>(poisson[i].arrival), 1.0);
    before = uneven[i].arrival;
  }
}

TEST(profile, has_the_same_jobs_under_every_policy) {
  const auto jobs_of = [](const std::string& policy) {
    return drawn_jobs(with_profile("[1, 4]", "8 s", with("\"msfq\"", "\"" + policy + "\"")), 2'000);
  };
  const auto expected = jobs_of("msfq");
  for (const char* policy : {"fcfs", "first_fit", "adaptive_quickswap"}) {
    const auto jobs = jobs_of(policy);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      ASSERT_EQ(jobs[i].arrival, expected[i].arrival) << policy;
      ASSERT_EQ(jobs[i].size, expected[i].size) << policy;
    }
  }
}

// 50 units at load 0.5 of 100 cores: one job a second on average.
TEST(profile, serves_slotted_and_pooled_jobs_too) {
  for (const std::string& text : {slotted_stream, pooled_sample}) {
    const std::vector<double> counts = counts_of_arrivals(with_profile("[0, 1]", "20 s", text), 10.0, 2'000);
    double idle = 0.0, busy = 0.0;
    for (std::size_t i = 0; i < counts.size(); ++i) (i % 2 == 0 ? idle : busy) += counts[i];
    EXPECT_EQ(idle, 0.0);
    EXPECT_NEAR(busy, 20'000.0, 5.0 * std::sqrt(20'000.0));
  }
}

TEST(profile, is_read_swept_and_resolved_like_other_keys) {
  const study two = read(with("rate = 7.0", "process = \"profile\"\nrate = 7.0\nperiod = \"2 min\"") +
                         "[sweep]\n\"arrivals.rates\" = [[1], [1, 2.5]]\n");
  EXPECT_EQ(two.points[0].model.arrivals.lists, (std::vector<std::vector<double>>{{1.0}}));
  EXPECT_EQ(two.points[1].model.arrivals.lists, (std::vector<std::vector<double>>{{1.0, 2.5}}));
  EXPECT_EQ(two.points[1].model.arrivals.values, std::vector<double>{120.0});
  EXPECT_EQ(two.points[1].model.arrivals.jobs_of_cycle(), 840.0);
  EXPECT_EQ(read(two.resolved).resolved, two.resolved);
}

TEST(profile, is_reported_where_its_keys_are_wrong) {
  const std::string profile = with("rate = 7.0", "process = \"profile\"\nrate = 7.0");
  EXPECT_EQ(complaints(profile),
            "f.toml:14:1: arrivals.period: missing; expected a number > 0\n"
            "f.toml:14:1: arrivals.rates: missing; expected an array of numbers");
  const auto said_of = [&](const std::string& rates, const std::string& period) {
    return complaints(profile, {"arrivals.rates=" + rates, "arrivals.period=" + period});
  };
  EXPECT_EQ(said_of("[1, -2]", "8"),
            "--set arrivals.rates=[1, -2]:1:20: arrivals.rates: expected a number from 0 to 1000000, found -2");
  EXPECT_EQ(
      said_of("[1, \"2 s\"]", "8"),
      "--set arrivals.rates=[1, \"2 s\"]:1:20: arrivals.rates: has no unit; expected a number alone, found '2 s'");
  EXPECT_EQ(said_of("[0, 0]", "8"),
            "--set arrivals.rates=[0, 0]:1:16: arrivals.rates: expected at least one rate > 0, found none");
  EXPECT_EQ(said_of("[]", "8"),
            "--set arrivals.rates=[]:1:16: arrivals.rates: expected at least one number, found an empty array");
  EXPECT_EQ(said_of("[1]", "0"), "--set arrivals.period=0:1:17: arrivals.period: expected a number > 0, found 0");
  EXPECT_EQ(complaints(sample, {"arrivals.rates=[1, 2]", "arrivals.period=8"}),
            "--set arrivals.rates=[1, 2]:1:16: arrivals.rates: has no effect with process 'poisson'; expected process "
            "'profile' or 'modulated'\n"
            "--set arrivals.period=8:1:17: arrivals.period: has no effect with process 'poisson'; expected process "
            "'profile'");
}

}  // namespace
}  // namespace muster
