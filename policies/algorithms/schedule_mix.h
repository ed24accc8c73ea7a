#pragma once

#include <cstddef>
#include <vector>

namespace muster {

/// A schedule: the number of jobs in service together, by class.
using schedule = std::vector<unsigned>;

/// A mix of schedules, and the load that it carries.
struct schedule_mix {
  /// The mix serves `factor` times the load of each class, or more: below 1 no policy is stable under the loads, not
  /// even one that preempts. Infinite where all loads are 0; there is no schedule then.
  double factor = 0.0;
  /// No mix has a larger factor than this, by the duality of linear programs. It exceeds `factor` by rounding only, at
  /// most by one part in a million.
  double bound = 0.0;
  /// Schedules without room for a further job of a class with load; at most one more than there are classes.
  std::vector<schedule> schedules;
  /// The shares of time of the schedules, > 0; their sum is 1.
  std::vector<double> shares;
};

/// The mix of feasible schedules that carries the largest multiple of the loads on interchangeable cores: of all n with
/// sum over i of n_i need_i <= cores, the shares x_n that maximise s under sum over n of x_n n_i >= s load_i for each
/// class i.
///
/// This s is the limit of what can be stabilised (Psychas and Ghaderi, "Randomized algorithms for scheduling
/// multi-resource jobs in the cloud", 2018, Section 2; Grosof, Harchol-Balter and Scheller-Wolf, "WCFS: a new framework
/// for analyzing multiserver systems", 2022). The linear program is solved by column generation (Gilmore and Gomory,
/// 1961): as there are too many schedules to list, the one that improves the mix most is found by an unbounded knapsack
/// of `cores`, with the prices of the classes as values; in time of the order of classes times cores. A class with load
/// counts as using at least 1e-9 of the time of all cores in use: less is lost in the rounding of the program.
/// A class that would use less is given the share of time of one that uses so much.
///
/// @param needs cores of a job, by class; > 0 and not above `cores`
/// @param loads mean jobs in service by class (arrival rate times mean size), >= 0; classes without load get no job
/// @throws std::invalid_argument if the arguments are not as stated
schedule_mix largest_mix(const std::vector<unsigned>& needs, const std::vector<double>& loads, unsigned cores);

/// The mix of the given schedules that carries the largest multiple of the loads, without those that it does not use.
/// Its factor is 0, and it has no schedule, where a class with load is in none of them.
///
/// @param schedules at least one; each has a number of jobs for each class
/// @param loads as for largest_mix()
/// @throws std::invalid_argument if the arguments are not as stated
schedule_mix mix_of(const std::vector<schedule>& schedules, const std::vector<double>& loads);

}  // namespace muster
