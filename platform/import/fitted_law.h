#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "platform/random/checked_values.h"

namespace muster {

/// A law of muster's catalogue, fitted to a sample.
///
/// Its mean is that of the sample, so that loads are those of the log; its other parameters are those of the greatest
/// likelihood. Parameters are rounded to six digits, and the fit is that of the rounded ones.
struct fitted_law {
  std::string name;                        ///< of the distribution
  distribution_values values{};            ///< of one of its forms, complete
  std::size_t parameters = 0;              ///< that are fitted, the mean among them
  std::optional<double> log_likelihood{};  ///< none: all values are the same
  std::optional<double> aic{};             ///< Akaike's criterion: 2 parameters - 2 log-likelihood
  double distance = 0.0;  ///< of Kolmogorov and Smirnov: the largest between the distribution functions

  /// `{ distribution = "exponential", mean = 2 }`
  std::string text() const;
};

/// What is counted of a sample.
struct sample_moments {
  std::size_t number = 0;
  double mean = 0.0, cv = 0.0;  ///< coefficient of variation: deviation over mean
};
sample_moments moments_of(const std::vector<double>& sample);

/// Fits the laws that run times may have: exponential, hyperexponential of two branches, erlang, lognormal, weibull and
/// pareto (of a shape above 2: with a variance). A law of several parameters needs ten values for each. The first law
/// is the one to take: of those whose criterion (AIC) is at most 10 above the least, which are not clearly worse
/// (Burnham and Anderson, Model Selection and Multimodel Inference, 2002, Section 2.6), the one with the fewest
/// parameters, then with the least criterion. The others follow by their criterion. A sample of equal values has the
/// law `deterministic` alone.
/// @param sample at least one value, all > 0
std::vector<fitted_law> fit_laws(std::vector<double> sample);

}  // namespace muster
