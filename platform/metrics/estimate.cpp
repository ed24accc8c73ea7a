#include "platform/metrics/estimate.h"

#include <cmath>

#include <boost/math/distributions/students_t.hpp>

namespace muster {

estimate estimate_of(std::string class_name, std::string metric, const std::vector<double>& values,
                     std::uint64_t jobs) {
  estimate e{std::move(class_name), std::move(metric), {}, {}, {}, static_cast<std::uint32_t>(values.size()), jobs, {}};
  if (values.empty()) return e;
  double sum = 0.0;
  for (const double v : values) sum += v;
  const auto n = static_cast<double>(values.size());
  const double mean = sum / n;
  e.mean = mean;
  if (values.size() == 1) return e;
  double squares = 0.0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  const double t = boost::math::quantile(boost::math::students_t(n - 1.0), 0.975);
  const double half = t * std::sqrt(squares / (n - 1.0) / n);
  e.ci_low = mean - half;
  e.ci_high = mean + half;
  return e;
}

std::vector<estimate> estimate_all(const std::vector<replication_result>& replications) {
  std::vector<estimate> all;
  if (replications.empty()) return all;
  for (std::size_t at = 0; at < replications.front().measurements.size(); ++at) {
    std::vector<double> values;
    std::uint64_t jobs = 0;
    cautions marks;
    for (const replication_result& r : replications) {
      const measurement& m = r.measurements[at];
      jobs += m.jobs;
      marks.add(m.marks);
      if (m.has_value) values.push_back(m.value);
    }
    const measurement& first = replications.front().measurements[at];
    estimate found = estimate_of(first.class_name, first.metric, values, jobs);
    if (values.size() == 1 && first.half_width) {
      found.ci_low = first.value - *first.half_width;
      found.ci_high = first.value + *first.half_width;
    }
    found.marks = marks;
    all.push_back(std::move(found));
  }
  return all;
}

}  // namespace muster
