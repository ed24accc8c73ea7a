#include "platform/simulation/warm_up_finder.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "muster/modules/protocol/job_extension.h"
#include "platform/experiment/simulation_task.h"
#include "platform/experiment/worker_pool.h"
#include "platform/metrics/batch_series.h"
#include "platform/simulation/replication.h"
#include "tests/experiment/single_class.h"

namespace muster {
namespace {

TEST(batch_series, keeps_the_means_of_equal_batches_and_never_more_than_it_may) {
  batch_series few(5, 8);
  for (int i = 0; i < 30; ++i) few.add(i);
  EXPECT_EQ(few.means(), (std::vector<double>{2, 7, 12, 17, 22, 27}));
  for (int i = 30; i < 1003; ++i) {
    few.add(i);
    ASSERT_LT(few.means().size(), 8u);
  }
  const double batch = static_cast<double>(few.batch());
  EXPECT_EQ(batch, 160.0);
  for (std::size_t b = 0; b < few.means().size(); ++b)
    EXPECT_EQ(few.means()[b], static_cast<double>(b) * batch + (batch - 1.0) / 2.0);
}

// By the definition, without recurrences.
std::size_t naive_mser(const std::vector<double>& v) {
  std::size_t best = 0;
  double least = INFINITY;
  for (std::size_t d = 0; (v.size() - d) * 10 >= v.size() && d < v.size(); ++d) {
    const auto left = static_cast<double>(v.size() - d);
    double mean = 0.0, squares = 0.0;
    for (std::size_t i = d; i < v.size(); ++i) mean += v[i] / left;
    for (std::size_t i = d; i < v.size(); ++i) squares += (v[i] - mean) * (v[i] - mean);
    if (squares / left / left < least) {
      least = squares / left / left;
      best = d;
    }
  }
  return best;
}

TEST(mser, is_what_its_definition_says) {
  std::mt19937_64 bits(4);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 50; ++round) {
    std::vector<double> values;
    const double decay = 1.0 + round;
    for (int i = 0; i < 200; ++i) values.push_back(10.0 * std::exp(-i / decay) + normal(bits));
    EXPECT_EQ(mser(values), naive_mser(values)) << round;
  }
}

TEST(mser, cuts_a_step_off_where_it_is) {
  std::vector<double> values(300, 0.0);
  std::mt19937_64 bits(2);
  std::normal_distribution<double> normal;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = (i < 40 ? 20.0 : 5.0) + normal(bits);
  EXPECT_NEAR(static_cast<double>(mser(values)), 40.0, 1.0);
}

found_warm_up pilot(const scenario& model) {
  found_warm_up found;
  worker_pool(1).run(
      1, [&](std::size_t) { return to_text(run_pilot(model)); },
      [&](const task_outcome& outcome) {
        EXPECT_FALSE(outcome.failed) << outcome.text;
        found = warm_up_from_text(outcome.text);
        return true;
      },
      [] { return true; });
  return found;
}

// The queue's relaxation time is 1 / (1 - sqrt(0.9))^2 = 380 services (Cohen, 1982), so that nothing is left of the
// empty start after some thousand jobs.
TEST(warm_up, of_an_empty_queue_at_load_0_9_is_found) {
  std::vector<double> cuts;
  for (int seed = 1; seed <= 15; ++seed) {
    const auto found = pilot(single_class(1, 0.9, fmt::format("jobs = 200000\nwarm_up = \"mser5\"\nseed = {}", seed)));
    EXPECT_TRUE(found.settled) << seed;
    EXPECT_EQ(found.jobs % 5, 0u);
    cuts.push_back(static_cast<double>(found.jobs));
  }
  std::sort(cuts.begin(), cuts.end());
  EXPECT_LT(cuts[7], 20'000.0);
}

TEST(warm_up, is_half_of_a_replication_that_never_settles) {
  const auto found = pilot(single_class(1, 1.5, "jobs = 20000\nwarm_up = \"mser5\""));
  EXPECT_FALSE(found.settled);
  EXPECT_EQ(found.jobs, 10'000u);
}

TEST(warm_up, is_found_in_as_many_jobs_as_asked_for_whatever_a_precision_takes) {
  scenario model =
      single_class(1, 1.5, "jobs = 2000\nwarm_up = \"mser5\"\nintervals = \"batch_means\"\nprecision = 0.01");
  model.run.precision->most_replications = 5;
  const auto found = pilot(model);
  EXPECT_FALSE(found.settled);
  EXPECT_EQ(found.jobs, 1'000u) << "half of the replication";
}

/// Of a replication whose response times are 5 times each of these.
found_warm_up found_of(const std::vector<ticks>& responses) {
  warm_up_finder finder;
  job_extension j;
  for (const ticks response : responses)
    for (int n = 0; n < 5; ++n) {
      j.arrival = 1000;
      finder.job_completes(1000 + response, j);
    }
  return finder.warm_up();
}

/// 20 values, of which all behind the first `off` are alike.
std::vector<ticks> level_after(std::size_t off) {
  std::vector<ticks> values(20, 7);
  for (std::size_t n = 0; n < off; ++n) values[n] = 100 + 50 * (n % 3);
  return values;
}

TEST(warm_up, of_exactly_half_is_a_steady_state_and_one_batch_more_is_none) {
  EXPECT_TRUE(found_of(level_after(9)).settled);
  EXPECT_EQ(found_of(level_after(9)).jobs, 45u);
  EXPECT_TRUE(found_of(level_after(10)).settled);
  EXPECT_EQ(found_of(level_after(10)).jobs, 50u);
  EXPECT_FALSE(found_of(level_after(11)).settled);
  EXPECT_EQ(found_of(level_after(11)).jobs, 50u) << "half of the replication";
  EXPECT_TRUE(found_of(level_after(0)).settled);
  EXPECT_EQ(found_of(level_after(0)).jobs, 0u);
}

TEST(warm_up, of_fewer_jobs_than_a_batch_is_half_of_them) {
  EXPECT_FALSE(found_of({}).settled);
  warm_up_finder finder;
  const job_extension j;
  for (int n = 0; n < 4; ++n) finder.job_completes(10, j);
  EXPECT_FALSE(finder.warm_up().settled);
  EXPECT_EQ(finder.warm_up().jobs, 2u);
}

TEST(mser, looks_at_all_but_less_than_the_last_tenth) {
  // Only the last values of 20 are alike: two of them are a tenth, one is less.
  std::vector<double> values;
  for (int i = 0; i < 20; ++i) values.push_back(100.0 + 50.0 * (i % 3) - i * i);
  values[19] = values[18];
  EXPECT_EQ(mser(values), 18u);
  values[19] = values[18] + 1000.0;
  EXPECT_EQ(mser(values), naive_mser(values));
  EXPECT_LT(mser(values), 19u);
}

}  // namespace
}  // namespace muster
