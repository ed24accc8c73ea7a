#pragma once

#include <cstdint>
#include <vector>

#include "muster/modules/protocol/job_extension.h"

namespace muster {

/// The plan of a slot: how many cores each job has, and when within the slot.
///
/// Core time that is not a whole core is placed on shared cores, one job after the other. The part that does not fit on
/// a core any more continues at the beginning of the next one (McNaughton's wrap-around rule: as no part is longer than
/// the slot, no job has two cores at once for it).
///
/// Core time is rounded to whole ticks. The time that a job has got in all slots so far is the time that is due to it,
/// rounded down or up: first down; ticks that are left on the cores go to the largest remainders, one to a job. So
/// shares whose sum is a whole number of ticks are given exactly. No job gets a tick in advance in its last slot, and
/// jobs that such a tick would complete are the last to get one.
class slot_plan {
 public:
  struct entry {
    job_extension* owner;     ///< null: the job has left
    double units;             ///< core time in the slot, in slots
    ticks time = 0;           ///< core time in the slot, in ticks
    std::uint32_t cores = 0;  ///< cores that the job is to have now
  };
  /// A change within the slot: a job gets a core or gives one up.
  struct change {
    ticks at;  ///< when, since the slot's beginning
    std::uint32_t place;
    int cores;  ///< +1 or -1
  };
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  /// Begins an empty plan. @param cores number of those that can be given to jobs
  void begin(unsigned cores) {
    for (const entry& e : entries_)
      if (e.owner) e.owner->own.progress->place = nowhere;
    entries_.clear();
    changes_.clear();
    cores_ = cores;
    room_ = cores;
  }
  /// Gives a job further core time. @return false: not as much is left
  bool give(job_extension& j, double units);
  /// Turns core time into cores. @param slot length of the slot @param number of the slot, from 1
  void lay_out(ticks slot, std::uint64_t number);
  /// Removes a job that leaves the cluster.
  void forget(job_extension& j);

  std::vector<entry>& entries() { return entries_; }
  /// The changes in the order of time; at one instant cores are given up before they are got.
  const std::vector<change>& changes() const { return changes_; }

 private:
  /// The part of a tick that is due to a job.
  struct remainder {
    bool early;  ///< whether a whole tick would complete the job in advance
    double size;
    std::uint32_t place;
  };

  void hand_out_ticks(ticks slot, std::uint64_t number);

  std::vector<entry> entries_;
  std::vector<change> changes_;
  std::vector<remainder> remainders_;
  unsigned cores_ = 0;
  double room_ = 0.0;  // core time left, in slots
};

}  // namespace muster
