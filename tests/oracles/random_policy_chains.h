#pragma once

#include <vector>

#include "quickswap_chains.h"

namespace muster::oracle {

/// A Markov chain over schedules. Rows by class, in descending order of need; both matrices by schedule first.
struct schedule_chain {
  std::vector<std::vector<int>> schedules;
  std::vector<std::vector<double>> rates;
  /// Whether the chain may leave a schedule while jobs in excess of it are in service.
  bool leaves_while_switching = false;
};

/// Nonpreemptive Markovian Service Rate: a class has jobs in service up to its number in the present schedule; after a
/// change jobs in excess are completed, and jobs of the present schedule enter as they fit, by descending need. The
/// chain starts in schedule 0. 1..5 classes with exponential sizes.
chain_result nmsr(int k, const std::vector<chain_class>& classes, const schedule_chain& schedules);

/// Randomized timers: a waiting job of a class that fits enters at rate `rate` exp(log(1 + Q)^power), with Q jobs of
/// the class waiting; no other job enters. 1..5 classes with exponential sizes.
chain_result randomized_timers(int k, const std::vector<chain_class>& classes, double rate, double power);

}  // namespace muster::oracle
