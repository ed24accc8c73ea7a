#pragma once

#include <optional>
#include <vector>

namespace muster {

/// A Poisson process fitted to times of arrival. Times are in seconds.
struct fitted_arrivals {
  double rate = 0.0;            ///< arrivals a second, on average over the period
  double period = 0.0;          ///< a week or a day; 0: the rate is always the same
  std::vector<double> rates{};  ///< by hour of the period, over their mean; empty: the rate is always the same
  double begin = 0.0;           ///< of the sample within the period
  double window = 0.0;          ///< time that the sample is taken to cover
};

/// Fits the rates by hour of the week where arrivals cover two weeks, by hour of the day where they cover two days,
/// else one rate. A rate is arrivals over time that the sample covers.
/// @param arrivals ascending, at least two that differ
/// @param first_moment of the first arrival, in seconds since 1970 (UTC): weeks begin on Monday, at 0 h. Nothing: weeks
///   and days begin at the first arrival
fitted_arrivals fit_arrivals(const std::vector<double>& arrivals, std::optional<double> first_moment);

}  // namespace muster
