#pragma once

#include <optional>
#include <vector>

#include "muster/policies/algorithms/schedule_mix.h"

namespace muster {

/// The properties of the classes that a switching chain depends on, by class; times are in units of time.
struct class_demands {
  std::vector<unsigned> needs;
  std::vector<double> loads;       ///< mean jobs in service: arrival rate times mean size
  std::vector<double> mean_sizes;  ///< > 0
};

/// When the time to the next switch begins.
enum class visit_timer {
  from_completion,  ///< when the switch is complete: no job in service exceeds the new schedule
  from_request      ///< when the switch begins
};

/// A continuous-time Markov chain over schedules, for jobs that are not preempted: what is in excess of the new
/// schedule runs to its completion.
struct switching_chain {
  std::vector<schedule> schedules;
  /// rates[a][b]: from schedule a to b, per unit of time in which the chain may leave a. rates[a][a] has no effect.
  std::vector<std::vector<double>> rates;

  /// The rate at which the chain leaves schedule a.
  double leaving(std::size_t a) const;
};

/// The mean duration of a switch from one schedule to another with all their jobs in service, which ends when no class
/// has more jobs than in `to`. Sizes are taken as exponential: each class has its completions one after the other, and
/// the slowest class counts.
double switching_time(const schedule& from, const schedule& to, const std::vector<double>& mean_sizes);

/// The chain derived from the loads: it visits the schedules of a mix in a cycle, each for a time in proportion to its
/// share in the mix.
///
/// Let s be the mix's factor, and D the mean time of the switches of one cycle. In a cycle of working time C the mix
/// serves s C / (C + D) times each load, or more. C = D / (sqrt(s) - 1) makes this sqrt(s); it is where C + D divided
/// by the surplus s C / (C + D) - 1, to which delays are proportional near the limit, is least.
///
/// @param mix of largest_mix() or mix_of(), with a factor > 1
/// @param working_time C, if it is not to be derived
switching_chain cycle_of(const schedule_mix& mix, const class_demands& demands, visit_timer timer,
                         std::optional<double> working_time = {});

/// Mean jobs of each class that the chain serves while all queues are long, at most: exact with
/// visit_timer::from_completion and exponential sizes for a class whose jobs can start only when a switch is complete,
/// as in one-or-all workloads.
std::vector<double> most_served(const switching_chain& chain, const class_demands& demands, unsigned cores,
                                visit_timer timer);

/// The number of the first schedule that the chain never reaches again from some schedule that it reaches; nothing: the
/// chain visits each again and again.
std::optional<std::size_t> never_visited_again(const switching_chain& chain);

}  // namespace muster
