#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "platform/theory/fcfs/fcfs_rules.h"

namespace muster {

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

}  // namespace muster
