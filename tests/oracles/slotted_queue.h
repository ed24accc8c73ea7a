#pragma once

#include <cstdint>
#include <vector>

namespace muster::oracle {

/// How the cores are given out at the beginning of a slot.
enum class slot_policy {
  ispeed_literal,   ///< core by core to the job whose next unit gains most
  ispeed_envelope,  ///< core by core to the job with the greatest mean gain over any number of its next units
  fifo,             ///< jobs in order of arrival, each as many as it has units
  edf,              ///< jobs in order of their deadlines, each as many as it has units
  equal_whole,      ///< the same number of whole cores for everybody who has use for them
  equal_fractional  ///< the same core time for everybody who has use for it
};

/// A job of units of work that may be served on several cores at once, until its deadline.
struct slotted_job {
  /// Tick; not before that of the job ahead.
  std::uint64_t arrival = 0;
  /// The last slot in which it may be served, counted from 1; 0: none.
  std::uint64_t deadline = 0;
  /// What each of its units adds to its utility; at least one.
  std::vector<double> gains;
};

/// What became of a job.
struct slotted_outcome {
  std::uint64_t units = 0;          ///< completed
  double utility = 0.0;             ///< of these
  bool expired = false;             ///< left at its deadline, incomplete
  std::uint64_t left = 0;           ///< tick
  bool served = false;              ///< has had a core
  std::uint64_t first_service = 0;  ///< tick at which the first slot with a core began
  std::uint64_t preemptions = 0;    ///< times that it had cores in a slot and, still there, none in the next
  std::uint64_t cores_given = 0;    ///< cores that it did not have in the slot before, over all slots
};

/// Slotted jobs of "Forget the Deadline: Scheduling Interactive Applications in Data Centers", slot by slot: each time
/// all jobs are looked at anew.
///
/// Slot s covers the ticks from (s - 1) * slot to s * slot; a job is served from the first slot that begins at or after
/// its arrival. A core does a unit of work in a slot. Cores that work on the same job take their work from one pot, of
/// which only whole units count. A core that a job did not have in the slot before is of no use for the first `epsilon`
/// ticks. Work is counted in whole ticks; where a job ends between two ticks, it ends at the nearer one.
///
/// Of equal_fractional, core time is divided as exactly as numbers can be, and not into ticks; jobs end with their
/// slot, and no cores are counted.
///
/// @param cores at least 1
/// @param slot ticks, at least 1
/// @param epsilon ticks, at most `slot`; 0 with equal_fractional
/// @param jobs in order of arrival
/// @return one entry per job
/// @throws std::invalid_argument if the arguments are not like that
std::vector<slotted_outcome> serve_slots(std::uint64_t cores, std::uint64_t slot, std::uint64_t epsilon,
                                         const std::vector<slotted_job>& jobs, slot_policy policy);

}  // namespace muster::oracle
