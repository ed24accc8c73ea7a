#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/simulation/replicate.h"

// Checkpoints that take time: the time to complete a job under exponential failures is known in closed form, and has
// its minimum near the interval of Young (1974) and Daly (2006).

namespace muster {
namespace {

constexpr double size = 10.0, to_failure = 5.0, to_repair = 0.5, cost = 0.1, restore = 0.2;

std::vector<replication_result> checkpoints_every(double interval, int jobs) {
  return replicate(fmt::format(R"(name = "checkpoints"
platform.servers = [{{ name = "node", faults = {{ to_failure = {}, to_repair = {} }} }}]
platform.checkpoint_every = {}
platform.checkpoint_cost = {}
platform.costs = {{ restore = {} }}
classes = [{{ name = "job", need = 1, rate = 0.004, size = {{ distribution = "deterministic", value = {} }} }}]
policy = "fcfs"
run = {{ jobs = {}, warm_up = 0.0, replications = 24 }}
)",
                               to_failure, to_repair, interval, cost, restore, size, jobs));
}

// Mean time until a server has been up for `lasts` in a row, with failures undone from the start and `again` before
// each new attempt: (1 / lambda + D) e^(lambda R) (e^(lambda L) - 1).
double mean_time(double lasts, double again) {
  return (to_failure + to_repair) * std::exp(again / to_failure) * std::expm1(lasts / to_failure);
}

// From the job's first core to its end. Nothing is kept before the first checkpoint, and so nothing restored.
double mean_time_of_job(double interval) {
  const double segments = std::ceil(size / interval - 1e-9), last = size - (segments - 1.0) * interval;
  if (segments == 1.0) return mean_time(size, 0.0);
  return mean_time(interval + cost, 0.0) + (segments - 2.0) * mean_time(interval + cost, restore) +
         mean_time(last, restore);
}

double found_time(const std::vector<replication_result>& results) {
  return estimate_of(results, "response_time").mean - estimate_of(results, "time_to_start").mean;
}

TEST(checkpoints, that_take_time_make_jobs_as_long_as_the_closed_form_says) {
  for (const double interval : {0.4, 1.0, 2.5, 4.0, 5.0}) {
    const auto results = checkpoints_every(interval, 200);
    const wide_estimate response = estimate_of(results, "response_time"), start = estimate_of(results, "time_to_start");
    const double found = response.mean - start.mean;
    EXPECT_NEAR(found, mean_time_of_job(interval), response.half + start.half) << "every " << interval;
    EXPECT_LT(response.half + start.half, 0.15 * found) << "every " << interval;
  }
}

TEST(checkpoints, cost_least_at_the_intervals_of_young_and_daly) {
  const double young = std::sqrt(2.0 * cost * to_failure);
  const double x = std::sqrt(cost / (2.0 * to_failure));
  const double daly = std::sqrt(2.0 * cost * to_failure) * (1.0 + x / 3.0 + x * x / 9.0) - cost;
  const double at_young = found_time(checkpoints_every(young, 1000)),
               at_daly = found_time(checkpoints_every(daly, 1000));
  EXPECT_NEAR(at_young, at_daly, 0.02 * at_young);
  for (const double other : {0.3 * young, 3.0 * young})
    EXPECT_LT(at_young, 0.95 * found_time(checkpoints_every(other, 1000)));
}

TEST(checkpoints, are_counted_as_overhead_of_cores_and_jobs) {
  const std::vector<std::string> explained{"report.explain=true", "run.replications=2", "run.jobs=1000"};
  const std::string text = R"(name = "checkpoints"
platform.servers = [{ name = "node", count = 2, faults = { to_failure = 4e9, to_repair = 1.0 } }]
platform.checkpoint_every = 1.0
platform.checkpoint_cost = 0.25
classes = [{ name = "gang", need = 2, rate = 0.1, size = { distribution = "deterministic", value = 4.0 } }]
policy = "fcfs"
run.warm_up = 0.0
)";
  for (const replication_result& found : replicate(text, explained)) {
    EXPECT_NEAR(found.find("all", "time_overhead")->value, 3 * 0.25, 1e-9);
    EXPECT_NEAR(found.find("all", "time_running")->value, 4.0, 1e-9);
    // Of each 4 units of core time at work 0.75 are overhead, but for the job in service at the end.
    EXPECT_NEAR(found.find("all", "overhead_share")->value / found.find("all", "utilization")->value, 0.75 / 4.0, 1e-3);
  }
}

}  // namespace
}  // namespace muster
