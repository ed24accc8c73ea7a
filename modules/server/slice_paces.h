#pragma once

#include <cstdint>
#include <vector>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/server/server_speeds.h"
#include "muster/modules/server/slice_table.h"

namespace muster {

/// How far the slices of a bank have come whose servers' speeds may change; it sets their timers accordingly.
///
/// A slice with a duration of its own has done its work when the integral of its pace over the time for which it runs
/// has reached the duration. A pace is a whole multiple of 2^-60, so that the integral is exact, and nothing is rounded
/// where the pace changes: the timer is set to the nearest tick, halves upwards, from the exact remainder. A pace that
/// changes and comes back at one instant changes nothing. Where a clock of work has the pace of a slice, the slice
/// follows it, with the same end, and is not told of its changes. A slice that works on shared work changes its rate
/// there, see pooled_work; of a slotted job's slice the work that it has done in the present slot is known.
class slice_paces final : private pace_observer, private work_clock_observer {
 public:
  /// What receives the ends of a bank's slices, and whether slices stop working for checkpoints.
  struct own_timers {
    timer_observer& ends;
    pooled_work_observer& of_shared_work;
    bool stop_for_checkpoints;
  };

  /// @param first place of the bank's first server among all servers
  /// @param cores,slices of the bank; outlive this object, as `speeds` does
  slice_paces(timekeeper& time, server_speeds& speeds, std::uint32_t first, const core_ledger& cores,
              slice_table& slices, const own_timers& timers);

  /// Notes that a slice moves from one stage to another, and sets the timer of one that runs.
  void moves(slice_stage from, slice_stage to, std::uint32_t index, ticks now);
  /// Notes that a server goes down, when it has lost its slices, or comes back.
  void set_down(std::uint32_t server, bool down);
  /// Notes the end of a slice, and tells its extension how much it has done.
  void ends(std::uint32_t index, ticks now);

 private:
  /// Work in parts of a tick: 2^60 of them are a tick of work at pace 1.
  using work = tick_sum;

  static constexpr std::size_t alone = ~std::size_t{0};

  struct progress {
    work done = 0, target = 0;  // the target is the end, or the next checkpoint, of a slice that runs
    ticks since = 0;            // when `done` was done, of a slice that runs
    std::uint64_t pace = 0;     // parts that are done in a tick
    bool runs = false;
    work_clock::follower follower = 0;
    std::size_t place = alone;    // among the slices of its job on several servers
    work_clock* clock = nullptr;  // that the slice follows; null: it has its own timer
  };

  void speed_changes(std::uint32_t server, double speed) override;
  void pace_changes(std::uint32_t index, double pace) override;
  void work_is_due(std::uint32_t index, tick_sum left) override;
  progress& progress_of(std::uint32_t index);
  void lose_slot(std::uint32_t index, ticks now);
  void shared_speed_changes(std::uint32_t index, double speed);
  void shared_moves(slice_stage from, slice_stage to, std::uint32_t index, ticks now);
  void begin(std::uint32_t index);
  void run(std::uint32_t index, ticks now);
  work_clock* clock_of(std::uint32_t index) const;
  void go_on(std::uint32_t index, ticks now);
  void cease(std::uint32_t index, ticks now);
  // Not inlined, so that slices without a clock pay for a test only.
  [[gnu::noinline]] work_clock* clock_of_gang(std::uint32_t index) const;
  [[gnu::noinline]] void follow(std::uint32_t index, work_clock& clock);
  [[gnu::noinline]] void leave_clock(std::uint32_t index, work left, ticks now);
  static void settle(progress& p, ticks now);
  static void settle_slot(progress& p, ticks slot, ticks now);
  void arm(std::uint32_t index, ticks now);
  ticks work_to_next_stop(const held_slice& s) const;

  timekeeper& time_;
  server_speeds& speeds_;
  std::uint32_t first_;
  const core_ledger& cores_;
  slice_table& slices_;
  own_timers timers_;
  std::vector<progress> progress_;  // by number of the slice; of those with a duration of their own, and slotted ones
};

}  // namespace muster
