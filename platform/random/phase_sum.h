#pragma once

#include <utility>

#include "platform/random/checked_values.h"

namespace muster {

/// The mean of each exponential phase of a law that is a sum of them.
/// @param count mean number of phases
inline double mean_of_phase(const checked_values& given, double count) {
  return given.has("phase_mean") ? given.above("phase_mean") : given.above("mean") / count;
}

/// Whether the inverse of a sum of exponential phases has no finite variance. @param fewest phases of a sum
inline bool are_small_sums(double fewest) { return fewest <= 2.0; }

/// The law of a sum of N exponential phases of mean s: its mean is E[N] s and its variance (E[N] + Var[N]) s^2.
/// @param fewest the smallest N
inline probability_law sum_of_phases(const checked_values& given, double mean_count, double variance_of_count,
                                     double fewest, double phase, any_sampler draw) {
  return with_small_times({given.has("mean") ? given.above("mean") : mean_count * phase,
                           (mean_count + variance_of_count) * phase * phase, std::move(draw)},
                          are_small_sums(fewest));
}

}  // namespace muster
