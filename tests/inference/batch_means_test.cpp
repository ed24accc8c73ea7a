#include "platform/metrics/sample.h"

#include <cmath>
#include <memory>
#include <random>

#include <gtest/gtest.h>
#include <boost/math/distributions/students_t.hpp>

#include "platform/simulation/instruments/batch_sequences.h"

namespace muster {
namespace {

// 39 overlapping batches of 2: 19 means of 1, one of 0, and 19 of -1; their squares sum to 38. With n = 40 and m = 2
// the variance of the mean is m / ((n - m) (n - m + 1)) times that: 2 / (38 * 39) * 38 = 2 / 39. The 0.975 quantile of
// Student's t with 28.5 degrees of freedom lies between those with 28 and 29, 2.04841 and 2.04523.
TEST(overlapping_batch_means, is_what_its_definition_gives_by_hand) {
  std::vector<double> means(40, 1.0);
  std::fill(means.begin() + 20, means.end(), -1.0);
  const double half = overlapping_batch_means(means).value();
  EXPECT_LT(half, 2.04841 * std::sqrt(2.0 / 39.0));
  EXPECT_GT(half, 2.04523 * std::sqrt(2.0 / 39.0));
}

// Meketon and Schmeiser's estimator, summed batch by batch.
double naive(const std::vector<double>& means) {
  const std::size_t n = means.size(), m = n / 20;
  double mean = 0.0;
  for (const double v : means) mean += v / static_cast<double>(n);
  double squares = 0.0;
  std::size_t batches = 0;
  for (std::size_t begin = 0; begin + m <= n; ++begin, ++batches) {
    double of_batch = 0.0;
    for (std::size_t i = begin; i < begin + m; ++i) of_batch += means[i] / static_cast<double>(m);
    squares += (of_batch - mean) * (of_batch - mean);
  }
  const double variance = static_cast<double>(m) / static_cast<double>(n - m) * squares / static_cast<double>(batches);
  const double freedom = 1.5 * (static_cast<double>(n) / static_cast<double>(m) - 1.0);
  return boost::math::quantile(boost::math::students_t(freedom), 0.975) * std::sqrt(variance);
}

TEST(overlapping_batch_means, agrees_with_sums_batch_by_batch_whatever_the_number_of_means) {
  std::mt19937_64 bits(7);
  std::normal_distribution<double> normal(1000.0, 1.0);
  for (const std::size_t count : {40u, 41u, 59u, 60u, 119u, 120u, 777u, 2047u}) {
    std::vector<double> means(count);
    for (double& v : means) v = normal(bits);
    const double expected = naive(means);
    EXPECT_NEAR(overlapping_batch_means(means).value(), expected, 1e-9 * expected) << count;
  }
}

TEST(overlapping_batch_means, needs_forty_means) {
  EXPECT_FALSE(overlapping_batch_means(std::vector<double>(39, 1.0)));
  EXPECT_EQ(overlapping_batch_means(std::vector<double>(40, 1.0)), 0.0);
}

/// A job of class `type` that has waited and then been served for so long.
void leave(batch_sequences& kept, std::uint32_t type, ticks waited, ticks served, bool expired = false) {
  job_extension j;
  j.type = class_id{type};
  j.descriptor.type = type;
  j.descriptor.size = 1;
  j.arrival = 1000;
  j.started = j.arrival + waited / 2;  // it has lost its cores again
  j.count_holding();
  j.held.total = served;
  if (expired) {
    j.slots = std::make_unique<slotted_report>();
    j.slots->expired = true;
  }
  kept.job_completes(j.arrival + waited + served, j);
}

TEST(batch_sequences, begin_anew_behind_the_last_job_of_the_warm_up_for_all_and_for_every_class) {
  batch_sequences kept(2);
  leave(kept, 0, 1, 70);
  leave(kept, 1, 2, 80);
  leave(kept, 0, 3, 90);
  kept.window_opens(1093);
  for (const time_series* series : {&kept.all(), &kept.of(class_id{0}), &kept.of(class_id{1})}) {
    EXPECT_TRUE(series->response.means().empty());
    EXPECT_TRUE(series->waiting.means().empty());
  }
  leave(kept, 1, 4, 10);
  leave(kept, 0, 5, 20);
  leave(kept, 1, 6, 30);
  EXPECT_EQ(kept.all().response.means(), (std::vector<double>{14, 25, 36}));
  EXPECT_EQ(kept.all().waiting.means(), (std::vector<double>{4, 5, 6}));
  EXPECT_EQ(kept.all().to_start.means(), (std::vector<double>{2, 2, 3}));
  EXPECT_EQ(kept.of(class_id{0}).response.means(), (std::vector<double>{25}));
  EXPECT_EQ(kept.of(class_id{0}).waiting.means(), (std::vector<double>{5}));
  EXPECT_EQ(kept.of(class_id{1}).response.means(), (std::vector<double>{14, 36}));
  EXPECT_EQ(kept.of(class_id{1}).waiting.means(), (std::vector<double>{4, 6}));
}

TEST(batch_sequences, keep_no_time_of_a_job_that_expires) {
  batch_sequences kept(1);
  leave(kept, 0, 4, 10, true);
  leave(kept, 0, 5, 20);
  EXPECT_EQ(kept.all().response.means(), (std::vector<double>{25}));
  EXPECT_EQ(kept.of(class_id{0}).waiting.means(), (std::vector<double>{5}));
}

}  // namespace
}  // namespace muster
