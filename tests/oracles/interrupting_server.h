#pragma once

#include <vector>

namespace muster::oracle {

/// Sizes that are sums of exponential phases.
struct phase_sizes {
  /// Probability of each phase that a job begins with it.
  std::vector<double> begins;
  /// Rate of each phase, the reciprocal of its mean.
  std::vector<double> rates;
  /// Number of the phase that follows each one, a larger one, or the number of phases if the job is complete.
  std::vector<std::size_t> next;

  double mean() const;
  double second_moment() const;
};

/// @name The three distributions of the paper's Section 5
/// @{
/// 25 phases (one job in six) or 1 of mean 1/5: mean 1.
phase_sizes bimodal_phases();
/// One phase of mean 5 (one job in six) or 1/5: mean 1.
phase_sizes hyperexponential();
/// Up to 200 phases of mean 1, k of them with a probability in proportion to 1 / k^2: mean 3.58.
phase_sizes zipf_phases();
/// @}

/// Mean number of jobs at one server of capacity 1 that interrupts its job at a rate of `interruption_rate` >= 0 and
/// puts it at the end of the queue; Poisson arrivals. Exact: without interruptions it is M/G/1 under FCFS (Pollaczek
/// and Khinchine), and it tends to processor sharing the more there are.
///
/// A job sees the queue ahead of it only once between two interruptions: those ahead are served once and stay with a
/// probability that depends on their phase, and the jobs that arrive meanwhile take the places of those that leave. So
/// the expected numbers by phase follow linear equations.
double mean_at_interrupting_server(const phase_sizes& sizes, double arrival_rate, double interruption_rate);

}  // namespace muster::oracle
