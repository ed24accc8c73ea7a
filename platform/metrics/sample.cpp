#include "platform/metrics/sample.h"

#include <cstddef>
#include <numeric>

#include <boost/math/distributions/students_t.hpp>

namespace muster {

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double covariance_of(const std::vector<double>& a, const std::vector<double>& b) {
  const double mean_a = mean_of(a), mean_b = mean_of(b);
  double products = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) products += (a[i] - mean_a) * (b[i] - mean_b);
  return products / (static_cast<double>(a.size()) - 1.0);
}

double students_quantile(double degrees_of_freedom, double probability) {
  return boost::math::quantile(boost::math::students_t(degrees_of_freedom), probability);
}

double students_tail(double degrees_of_freedom, double t) {
  return cdf(complement(boost::math::students_t(degrees_of_freedom), t));
}

}  // namespace muster
