#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/math/distributions/students_t.hpp>

#include "platform/experiment/simulation_task.h"
#include "platform/experiment/worker_pool.h"
#include "platform/metrics/estimate.h"
#include "platform/simulation/replication.h"
#include "tests/scenario/first_point.h"

namespace muster {

/// All replications of a scenario's first point, each in a process of its own. `reduce` is applied to each result in
/// its process: thousands of whole results would make each new process copy them.
inline std::vector<replication_result> replicate(
    const scenario& model, std::size_t workers = 2, const watching& watch = {},
    const std::function<void(replication_result&)>& reduce = [](replication_result&) {}) {
  std::vector<replication_result> results(model.run.replications);
  worker_pool(workers).run(
      results.size(),
      [&](std::size_t r) {
        replication_result result = run_replication(model, static_cast<std::uint32_t>(r), watch);
        reduce(result);
        return to_text(result);
      },
      [&](const task_outcome& outcome) {
        if (outcome.failed) throw std::runtime_error(outcome.text);
        results[outcome.task] = replication_from_text(outcome.text);
        return true;
      },
      [] { return true; });
  return results;
}

inline std::vector<replication_result> replicate(const std::string& toml, const std::vector<std::string>& set = {}) {
  return replicate(first_point(toml, set));
}

/// All that replications found, but for the time that they took.
inline std::string text_of(std::vector<replication_result> results) {
  std::string text;
  for (replication_result& r : results) {
    r.seconds = 0.0;
    text += to_text(r) + "\n";
  }
  return text;
}

/// The estimate of one metric, with an interval that misses the truth once in 10,000 tests.
struct wide_estimate {
  double mean, half;

  bool covers(double truth) const { return mean - half <= truth && truth <= mean + half; }
};

inline wide_estimate estimate_of(const std::vector<replication_result>& results, const std::string& metric,
                                 const std::string& class_name = "all") {
  for (const estimate& e : measured_point(results).estimates()) {
    if (e.class_name != class_name || e.metric != metric) continue;
    const boost::math::students_t t(e.replications - 1.0);
    const double scale = boost::math::quantile(t, 1.0 - 0.5e-4) / boost::math::quantile(t, 0.975);
    return {*e.mean, (*e.ci_high - *e.mean) * scale};
  }
  throw std::logic_error("no estimate of " + metric + " for " + class_name);
}

}  // namespace muster

/// The truth lies in the interval, and the interval is narrow enough to mean something.
#define EXPECT_ESTIMATE(results, metric, class_name, truth)                                              \
  do {                                                                                                   \
    const auto found_ = muster::estimate_of(results, metric, class_name);                                \
    EXPECT_TRUE(found_.covers(truth)) << metric << " of " << class_name << ": " << found_.mean << " +- " \
                                      << found_.half << ", expected " << (truth);                        \
    EXPECT_LT(found_.half, 0.15 * std::abs(truth) + 1e-9) << metric << " of " << class_name;             \
  } while (false)
