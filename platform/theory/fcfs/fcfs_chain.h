#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace muster {

/// A class of jobs under FCFS: Poisson arrivals, exponential sizes. Rates are per unit of time.
struct fcfs_class {
  std::size_t need = 1;  ///< cores, not 0
  double arrivals = 0.0;
  double completions = 1.0;  ///< of one job in service
};

/// Stationary means of FCFS.
struct fcfs_means {
  double limit = 0.0;  ///< total arrival rate, the classes' shares being kept, below which FCFS is stable
  /// Means by class; empty where the arrivals reach the limit.
  std::vector<double> jobs;     ///< jobs in the system
  std::vector<double> waiting;  ///< jobs that wait
};

/// The most states of a level for which the chain is solved, which takes some seconds.
inline constexpr std::size_t most_fcfs_states = 256;

/// FCFS for jobs that need several cores at a time, solved exactly but for rounding errors: jobs start in the order of
/// their arrival, and the first one that does not fit makes all others wait.
///
/// The state is the jobs in service by class, the class of the first job that waits, and how many wait behind it: their
/// classes are independent of all else and need not be known before they come first (Brill and Green, Management
/// Science 30, 1984; Filippopoulos and Karatza, Mathematical and Computer Modelling 45, 2007, for two cores; Grosof,
/// Harchol-Balter and Scheller-Wolf, 2023, for the limit). With the number of jobs in the system as the level, this is
/// a quasi-birth-and-death process: matrix-geometric where a job waits in every state, by logarithmic reduction
/// (Latouche and Ramaswami, 1993), and block elimination below.
///
/// @param classes of a total arrival rate above 0, none of them needing more than `cores`
/// @return none where a level has more than most_fcfs_states states
std::optional<fcfs_means> solve_fcfs(std::size_t cores, const std::vector<fcfs_class>& classes);

/// The throughput of FCFS whose queue never empties, in jobs per unit of time where the classes' arrivals add up to one
/// unit: by the Markov chain of the jobs in service and of the class of the first one that waits. The jobs behind those
/// in service have been drawn, but their classes are independent of all that has happened, except that of the first,
/// which does not fit.
/// @param classes as for solve_fcfs() @return none where the chain has more than `most_states` states
std::optional<double> saturated_fcfs_throughput(std::size_t cores, const std::vector<fcfs_class>& classes,
                                                std::size_t most_states);

}  // namespace muster
