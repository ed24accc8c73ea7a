#pragma once

#include <array>
#include <vector>

#include "platform/theory/one_or_all/one_or_all.h"

namespace muster {

/// The distribution of the number W of light jobs at the beginning of a light period, as far as the means depend on it.
struct period_start {
  std::vector<double> few;  ///< P(W = w) for w < cores
  double unbroken = 0.0;    ///< E(alive^(W - cores + 1); W >= cores)
};

/// Stationary means of MSFQ.
struct one_or_all_means {
  double light_jobs = 0.0, heavy_jobs = 0.0;          ///< mean numbers of jobs in the system
  double light_response = 0.0, heavy_response = 0.0;  ///< mean response times, in units of time
  std::array<double, 5> phase_share{};                ///< shares of time of phases 0 (empty) to 4
  /// Moments of W - cores + 1 where W is at least `cores`: its probability, E(n), E(n (n - 1)).
  std::array<double, 3> many{};
  /// Mean duration of a visit to phases 1 to 4; 0 where it is never entered. None (0) where phases may be entered again
  /// within a light period: phases 3 and 4 of a drain that waits for a heavy job.
  std::array<double, 5> phase_duration{};
  double period = 0.0;  ///< mean time from the beginning of a light period to that of the next
  double started_light = 0.0, started_light_pairs = 0.0;  ///< E(W) and E(W (W - 1))
  double started_heavy = 0.0;  ///< mean number of heavy jobs at the end of the drain, 0 included
};

/// Computes the means that follow from the distribution of W below `cores`.
///
/// E(W) and E(W (W - 1)) solve the equation of period_transforms, differentiated twice at s = 0 by power series. Light
/// jobs: area under their number over a light period; those that come in T wait till its end, E(T^2) lambda_1 / 2 in
/// area. Heavy jobs: an M/M/1 queue with vacations, in which the number of jobs is that of M/M/1 and, independently,
/// that at a random time outside phase 1 (Fuhrmann and Cooper, Operations Research 33, 1985).
one_or_all_means means_of(const one_or_all& model, const period_start& start);

}  // namespace muster
