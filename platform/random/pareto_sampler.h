#pragma once

#include <algorithm>
#include <cmath>

namespace muster {

/// Draws of a Pareto law on lowest .. highest: the inverse of P(X > x) at a uniform number in (0, 1].
struct pareto_sampler {
  double shape, lowest, highest;
  double cut;  ///< probability of more than `highest` in the unbounded law

  template <class Bits>
  double operator()(Bits& bits) const {
    const double u = static_cast<double>((bits() >> 11) + 1) * 0x1p-53;
    // Rounding must not take a value past the end.
    return std::min(highest, lowest * std::pow(cut + u * (1.0 - cut), -1.0 / shape));
  }
};

}  // namespace muster
