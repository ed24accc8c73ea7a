#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "markov_chain.h"

namespace muster::oracle {

/// Stationary means of a cluster under one policy.
struct chain_result {
  /// One entry per class, in the order given (for `msfq`: light, heavy).
  std::vector<class_result> classes;
  /// Only for `msfq`: share of time in phase 0 (empty system) and in phases 1..4.
  std::array<double, 5> phase_share{};
  /// Only for `msfq`: mean duration of phases 1..4, share divided by the rate of entries; 0 if never entered.
  ///
  /// A phase of zero length is not entered. A phase 4 that follows directly on another one is entered anew.
  std::array<double, 5> phase_duration{};
  /// Number of states of the truncated chain.
  std::size_t states = 0;
  /// Residual of the balance equations (see `stationary_solution`), at most 1e-12.
  double residual = 0.0;
};

/// When MSFQ starts to drain with at most `threshold` light jobs in phase 3.
enum class msfq_drain { always, if_heavy_waits };

/// When Static Quickswap ends a working phase whose idle usable cores have reached the bound.
enum class static_drain { if_other_waits, always };

/// When Static Quickswap passes the turn on. `published` disregards threshold and drain.
enum class static_hand_over { after_drain, while_draining, published };

/// MSFQ for needs 1 (light) and k (heavy), `threshold` in 0..k-1 (Section 4 of "Improving nonpreemptive multiserver
/// job scheduling with quickswap"). Rates are per time unit; `max_light` and `max_heavy` truncate as
/// `chain_class::max_in_system` does.
chain_result msfq(int k, int threshold, double lambda_light, double lambda_heavy, double mu_light, double mu_heavy,
                  msfq_drain drain = msfq_drain::always, int max_light = 150, int max_heavy = 100);

/// Most Servers First: at each event waiting jobs enter in descending order of need while they fit. 1..5 classes.
chain_result msf(int k, const std::vector<chain_class>& classes);

/// First Fit for exactly two classes: at each event the waiting jobs are scanned in order of arrival and those that
/// fit enter. An arrival that finds `max_in_system` jobs of both classes together is lost;
/// `chain_class::max_in_system` is not used.
chain_result first_fit(int k, const std::vector<chain_class>& classes, int max_in_system = 120);

/// Adaptive Quickswap. 1..5 classes.
chain_result adaptive_quickswap(int k, const std::vector<chain_class>& classes);

/// Static Quickswap in the cyclic order of descending need. 1..5 classes.
///
/// `threshold` in 0..k-1: a working phase may end when its idle usable cores reach max(1, k - threshold), or all the
/// cores that the class can use if these are fewer.
chain_result static_quickswap(int k, const std::vector<chain_class>& classes, int threshold,
                              static_drain drain = static_drain::if_other_waits,
                              static_hand_over hand_over = static_hand_over::after_drain);

/// Static Quickswap with the default threshold k - 1: a working phase may end at the first idle usable core.
inline chain_result static_quickswap(int k, const std::vector<chain_class>& classes) {
  return static_quickswap(k, classes, k - 1);
}

}  // namespace muster::oracle
