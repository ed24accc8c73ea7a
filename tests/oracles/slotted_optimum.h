#pragma once

#include <cstdint>
#include <vector>

namespace muster::oracle {

/// A job whose units are served in slots, each by one core.
struct job_of_units {
  std::uint64_t arrival = 1;   ///< first slot in which it may be served
  std::uint64_t deadline = 0;  ///< the last one; 0: none
  /// Gains of the job's units, in their order.
  std::vector<double> gains;
};

/// @param done units of each job
double total_gain(const std::vector<job_of_units>& jobs, const std::vector<unsigned>& done);

/// The greatest total gain of any schedule: all numbers of units that the jobs can have done after each slot, one slot
/// after the other. For any gains, and few of them.
double slotted_optimum(const std::vector<job_of_units>& jobs, unsigned cores);

/// What ISPEED goes by.
enum class greedy_key {
  gain,         ///< of the next unit, as Algorithm 1 says
  largest_mean  ///< over any number of the next units
};

/// ISPEED, Algorithm 1, without costs. Of equals it serves the job of earlier arrival, then that of the lower number.
/// @return units done of each job
std::vector<unsigned> serve_greedily(const std::vector<job_of_units>& jobs, unsigned cores, greedy_key key);

}  // namespace muster::oracle
