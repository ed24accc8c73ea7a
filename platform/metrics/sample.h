#pragma once

#include <cstddef>
#include <optional>
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

/// The 95 % interval of a mean.
struct mean_interval {
  double low = 0.0, high = 0.0;
};

/// The interval of Student's t. @param values independent, at least 2
mean_interval students_interval(const std::vector<double>& values);

/// An interval that allows for skewness: at each end the wider one of Student's and of the cubic transformation of
/// Willink (2005, Communications in Statistics: Theory and Methods 34).
///
/// The mean of a queue's response times is skewed to the right, and where it is low its variance looks small, so that
/// Student's interval stays below the truth. Ten values do not show skewness; the parts, of which there are more, do.
/// Samples of heavy tails show about half of it or less, and the fewer values there are, the more a larger skewness
/// widens intervals that do not need it. The skewness of the parts is therefore multiplied by 1.4 with ten values, by
/// more in proportion to the root of their number, and by at most 2.5. Measured coverage is in
/// tests/benchmark/README.md.
/// @param values independent, at least 2
/// @param parts all parts of all values, equally many of each: successive, and nearly independent
/// @param fitted number of coefficients that were estimated from the same parts and taken out
mean_interval skewed_interval(const std::vector<double>& values, const std::vector<double>& parts,
                              std::size_t fitted = 0);

/// The half-width of the 95 % interval of a mean by overlapping batch means (Meketon and Schmeiser, 1984), from one
/// sequence of dependent values.
///
/// A batch begins at each of the means, and is a twentieth of the sequence long. Student's t has 1.5 (20 - 1) degrees
/// of freedom (Section 4 of that paper), half as many again as without overlap.
/// @param means of equal, successive parts of the sequence
/// @return none if there are fewer than 40 means
std::optional<double> overlapping_batch_means(const std::vector<double>& means);

}  // namespace muster
