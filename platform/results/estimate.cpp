#include "platform/results/estimate.h"

#include <cmath>

#include <boost/math/distributions/students_t.hpp>

namespace muster {

namespace {

estimate over(const std::vector<replication_result>& replications, std::size_t at) {
  const measurement& first = replications.front().measurements[at];
  estimate e{first.class_name, first.metric, {}, {}, {}, 0, 0};
  double sum = 0.0;
  for (const replication_result& r : replications) {
    const measurement& m = r.measurements[at];
    e.jobs += m.jobs;
    if (!m.has_value) continue;
    sum += m.value;
    ++e.replications;
  }
  if (e.replications == 0) return e;
  const double n = e.replications;
  const double mean = sum / n;
  e.mean = mean;
  if (e.replications == 1) return e;
  double squares = 0.0;
  for (const replication_result& r : replications)
    if (const measurement& m = r.measurements[at]; m.has_value) squares += (m.value - mean) * (m.value - mean);
  const double t = boost::math::quantile(boost::math::students_t(n - 1.0), 0.975);
  const double half = t * std::sqrt(squares / (n - 1.0) / n);
  e.ci_low = mean - half;
  e.ci_high = mean + half;
  return e;
}

}  // namespace

std::vector<estimate> estimate_all(const std::vector<replication_result>& replications) {
  std::vector<estimate> all;
  if (replications.empty()) return all;
  for (std::size_t at = 0; at < replications.front().measurements.size(); ++at) all.push_back(over(replications, at));
  return all;
}

}  // namespace muster
