#pragma once

#include <vector>

namespace muster {

/// The mean. @param values at least one
double mean_of(const std::vector<double>& values);

/// The covariance, estimated from pairs: values at the same place belong together.
/// @param a,b of equal length, at least 2
double covariance_of(const std::vector<double>& a, const std::vector<double>& b);

/// The variance, estimated from at least 2 independent values.
inline double variance_of(const std::vector<double>& values) { return covariance_of(values, values); }

/// The quantile of Student's t. @param probability in (0, 1)
double students_quantile(double degrees_of_freedom, double probability);
/// The probability that Student's t is above a value.
double students_tail(double degrees_of_freedom, double t);

}  // namespace muster
