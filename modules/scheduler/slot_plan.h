#pragma once

#include <cstdint>
#include <vector>

#include "muster/modules/protocol/job_extension.h"

namespace muster {

/// How many cores each job has in the present slot.
///
/// Core time that makes up no whole core is laid on shared cores, one job's after the other's; what a core has no room
/// for any more goes to the beginning of the next one (McNaughton's wrap-around rule: as no part is longer than the
/// slot, no job meets itself).
///
/// It comes in whole ticks. From slot to slot a job has got what is due to it up to then, rounded down or up to a tick:
/// first down, and ticks that remain on the cores go, one to a job, to the largest remainders. So shares that add up to
/// a whole number of ticks give exactly that. A job gets no tick ahead of its time in its last slot, and last of all
/// one that completes it.
class slot_plan {
 public:
  struct entry {
    job_extension* who;       ///< null: it has left
    double units;             ///< core time in the slot, in slots
    ticks time = 0;           ///< the same, in ticks
    std::uint32_t cores = 0;  ///< that it is to have now
  };
  /// A job gets a core or gives one up within the slot.
  struct change {
    ticks at;  ///< since the slot's beginning
    std::uint32_t place;
    int cores;  ///< +1 or -1
  };
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  /// Forgets the slot before. @param cores that can be given out
  void begin(unsigned cores) {
    for (const entry& e : entries_)
      if (e.who) e.who->slots->place = nowhere;
    entries_.clear();
    changes_.clear();
    cores_ = cores;
    room_ = cores;
  }
  /// Gives a job core time on top of what it has. @return false: there is not as much left
  bool give(job_extension& j, double units);
  /// Turns core time into cores. @param slot length of the slot @param number its number, from 1
  void lay_out(ticks slot, std::uint64_t number);
  /// A job leaves the cluster.
  void forget(job_extension& j);

  std::vector<entry>& entries() { return entries_; }
  /// In the order of time; at one instant cores are given up before they are got.
  const std::vector<change>& changes() const { return changes_; }

 private:
  /// Of a tick, that is due to a job.
  struct remainder {
    bool early;  ///< the rest of the tick would complete the job before its time
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
