#pragma once

#include "platform/theory/one_or_all/one_or_all_means.h"

namespace muster {

/// The solution of the chain of light periods.
struct exact_one_or_all {
  one_or_all_means means;
  period_start start;
  /// Bound of the error of the response times, as a share of them: what the last doubling of the terms has changed or,
  /// where that is more, by how much P misses its equation between the points at which it is made to hold. As the
  /// series converges geometrically, a doubling changes much more than the error that is left.
  double error_bound = 0.0;
  std::size_t terms = 0;
};

/// Solves for the stationary distribution of W (see period_transforms) and the means that follow.
///
/// W counts Poisson arrivals in a random time T, so T's Laplace transform determines the distribution, P(s). On the
/// imaginary axis, s = scale (1 - t) / (1 + t) with |t| = 1, P is a power series in t that converges geometrically (it
/// is T's density by Laguerre functions): it is cut after `terms` terms, and the equation of period_transforms is made
/// to hold at as many roots of unity. P(W = w) is Cauchy's integral over the same axis, on which no digits are lost:
/// z = 1 - s / light_arrivals is not below 1 there. The terms are doubled until `error_bound` is at most `tolerance`.
///
/// @param model of less load than 1
exact_one_or_all solve_one_or_all(const one_or_all& model, double tolerance = 1e-10);

}  // namespace muster
