#pragma once

#include <vector>

namespace muster {

/// @param values at least one
double mean_of(const std::vector<double>& values);

/// Estimated from pairs: what stands at the same place belongs together.
/// @param a,b of equal length, at least 2
double covariance_of(const std::vector<double>& a, const std::vector<double>& b);

/// Estimated from independent values, at least 2.
inline double variance_of(const std::vector<double>& values) { return covariance_of(values, values); }

/// Quantile of Student's t. @param probability in (0, 1)
double students_quantile(double degrees_of_freedom, double probability);

}  // namespace muster
