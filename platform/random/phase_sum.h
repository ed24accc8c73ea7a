#pragma once

#include <utility>

#include "platform/random/checked_values.h"

namespace muster {

/// The mean of one of the exponential phases whose sum a law is.
/// @param count their mean number
inline double mean_of_phase(const checked_values& given, double count) {
  return given.has("phase_mean") ? given.above("phase_mean") : given.above("mean") / count;
}

/// A sum of N exponential phases of mean s: mean E[N] s and variance (E[N] + Var[N]) s^2.
inline probability_law sum_of_phases(const checked_values& given, double mean_count, double variance_of_count,
                                     double phase, any_sampler draw) {
  return {given.has("mean") ? given.above("mean") : mean_count * phase,
          (mean_count + variance_of_count) * phase * phase, std::move(draw)};
}

}  // namespace muster
