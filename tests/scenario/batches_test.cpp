#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "platform/model/synthetic_workload.h"
#include "tests/scenario/slotted_sample.h"

namespace muster {
namespace {

scenario in_batches(const std::string& law, const std::string& mean, const std::string& text = sample) {
  return read(text, {"arrivals.process=batches", "arrivals.batch=" + law, "arrivals.mean_batch=" + mean})
      .points.front()
      .model;
}

/// The batches of a scenario's first jobs.
struct drawn_batches {
  drawn_batches(const scenario& model, std::uint64_t jobs) {
    const auto source = make_workload(model, 0);
    std::uint64_t size = 0;
    ticks before = 0;
    for (job_request job; jobs > 0; --jobs) {
      source->next(job);
      if (job.arrival != before && size > 0) {
        ++of_size[size];
        ++count;
        size = 0;
      }
      before = job.arrival;
      ++size;
      ++of_class[job.type];
    }
    end = model.unit.to_units(before);
  }

  std::map<std::uint64_t, int> of_size;
  std::map<class_id, int> of_class;
  int count = 0;
  double end = 0.0;  ///< units of time to the last arrival
};

// Counts are of 300,000 jobs at rate 7. Each is within five standard deviations of a binomial or Poisson law.
TEST(batches, come_at_the_rate_of_the_scenario_and_have_sizes_of_their_law) {
  const drawn_batches geometric{in_batches("geometric", "3"), 300'000};
  EXPECT_NEAR(geometric.end, 300'000 / 7.0, 5.0 * std::sqrt(300'000 * 5.0) / 7.0);
  EXPECT_NEAR(geometric.count, 100'000, 5.0 * std::sqrt(100'000 * 2.0 / 3.0));
  EXPECT_NEAR(geometric.of_size.at(1), geometric.count / 3.0, 5.0 * std::sqrt(100'000 * 2.0 / 9.0));
  EXPECT_NEAR(geometric.of_size.at(2), geometric.count * 2.0 / 9.0, 5.0 * std::sqrt(100'000 * 14.0 / 81.0));
  EXPECT_NEAR(geometric.of_class.at(class_id{1}), 270'000, 5.0 * std::sqrt(27'000.0));

  const drawn_batches fixed{in_batches("fixed", "4"), 300'000};
  EXPECT_EQ(fixed.of_size.size(), 1u);
  EXPECT_EQ(fixed.of_size.at(4), fixed.count);

  const drawn_batches uniform{in_batches("uniform", "2"), 300'000};
  EXPECT_EQ(uniform.of_size.size(), 3u);
  for (const auto& [size, count] : uniform.of_size)
    EXPECT_NEAR(count, uniform.count / 3.0, 5.0 * std::sqrt(150'000 * 2.0 / 9.0)) << size;
}

TEST(batches, of_one_job_on_average_are_poisson_arrivals) {
  for (const char* law : {"geometric", "fixed", "uniform"}) {
    const drawn_batches all{in_batches(law, "1"), 100'000};
    EXPECT_EQ(all.of_size.size(), 1u) << law;
    EXPECT_NEAR(all.end, 100'000 / 7.0, 5.0 * std::sqrt(100'000.0) / 7.0) << law;
  }
}

TEST(batches, have_the_dispersion_of_their_sizes) {
  const auto dispersion = [](const char* law, const char* mean) {
    const arrival_spec arrivals = in_batches(law, mean).arrivals;
    return arrivals.entry->dispersion(arrivals);
  };
  EXPECT_DOUBLE_EQ(dispersion("geometric", "2.5"), 4.0);
  EXPECT_DOUBLE_EQ(dispersion("fixed", "3"), 3.0);
  EXPECT_DOUBLE_EQ(dispersion("uniform", "2"), (1.0 + 4.0 + 9.0) / 6.0);
}

TEST(batches, serve_slotted_and_pooled_jobs_too) {
  const scenario slotted = in_batches("fixed", "3", slotted_stream), pooled = in_batches("fixed", "3", pooled_sample);
  EXPECT_EQ(drawn_batches(slotted, 300).of_size.at(3), 99);
  EXPECT_EQ(drawn_batches(pooled, 300).of_size.at(3), 99);
  EXPECT_FALSE(slotted.arrivals.finite());
}

TEST(batches, are_reported_where_their_keys_are_wrong) {
  const std::string batches = with("rate = 7.0", "process = \"batches\"\nrate = 7.0");
  EXPECT_EQ(complaints(batches), "f.toml:14:1: arrivals.mean_batch: missing; expected a number from 1 to 1000000");
  EXPECT_EQ(complaints(batches, {"arrivals.mean_batch=0.5"}),
            "--set arrivals.mean_batch=0.5:1:21: arrivals.mean_batch: expected a number from 1 to 1000000, found 0.5");
  EXPECT_EQ(complaints(batches, {"arrivals.mean_batch=2.5", "arrivals.batch=fixed"}),
            "--set arrivals.mean_batch=2.5:1:21: arrivals.mean_batch: expected a whole number, because only "
            "'geometric' batches have any mean, found 2.5");
  EXPECT_EQ(complaints(sample, {"arrivals.mean_batch=2"}),
            "--set arrivals.mean_batch=2:1:21: arrivals.mean_batch: has no effect with process 'poisson'; expected "
            "process 'batches'");
}

}  // namespace
}  // namespace muster
