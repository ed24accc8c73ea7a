#pragma once

#include <cstdint>
#include <vector>

#include "muster/modules/kernel/parts_of_ticks.h"
#include "muster/modules/kernel/timekeeper.h"
#include "muster/policies/algorithms/index_pool.h"

namespace muster {

/// Receives the ends of the works that follow a clock.
class work_clock_observer {
 public:
  /// Work that follows a clock is done at this instant, to the nearest tick; it has been removed from the clock.
  /// @param cookie what add() was given @param left parts of a tick of work that rounding has left
  virtual void work_is_due(std::uint32_t cookie, tick_sum left) = 0;

 protected:
  ~work_clock_observer() = default;
};

/// A clock that shows the integral of a pace over time, for many works that go on at this pace together. Each ends when
/// the clock has reached a point that does not change with the pace. So a change of the pace takes a step that does not
/// depend on the number of works: one timer is set anew, the one for the first end.
///
/// The reading and the points are whole parts of ticks, see parts_of_ticks.h, so that nothing is rounded where the pace
/// changes: each end is at the tick nearest to the instant at which the work is done, as if it had a timer of its own.
class work_clock final : private timer_observer {
 public:
  /// Names a work that follows the clock.
  using follower = std::uint32_t;

  /// @param time outlives the clock @param pace work per tick
  work_clock(timekeeper& time, double pace);
  work_clock(const work_clock&) = delete;
  work_clock& operator=(const work_clock&) = delete;

  double pace() const { return pace_; }
  /// Changes the pace, from now on. @param pace > 0, below 16
  void set_pace(double pace);
  /// The integral of the pace until `now`, in parts of a tick of work. @param now not before the last change of the
  /// pace
  tick_sum reading(ticks now) const { return reading_ + tick_sum{now - since_} * parts_; }

  /// Adds work, from now on.
  /// @param job its number, which an error names where the work would end beyond the range of the clock
  /// @param left parts of a tick of work
  follower add(work_clock_observer& observer, std::uint32_t cookie, std::uint64_t job, tick_sum left);
  /// Removes work that is not done. @return the parts of a tick of work that are left
  tick_sum remove(follower f);

 private:
  struct work {
    work_clock_observer* observer = nullptr;
    std::uint32_t cookie = 0;
    std::uint32_t place = 0;  // in heap_
    std::uint64_t job = 0;
  };
  struct node {
    tick_sum end;  // the reading at which the work is done
    follower owner;
  };

  void expired(ticks now, std::uint32_t cookie) override;
  void set_timer();
  void erase(std::size_t at);
  void place(std::size_t at, const node& n);
  void rise(std::size_t at, const node& n);
  void sink(std::size_t at, const node& n);
  static tick_sum left(tick_sum end, tick_sum reading) { return end > reading ? end - reading : 0; }

  timekeeper& time_;
  double pace_;
  std::uint64_t parts_;   // of work that are done in a tick
  tick_sum reading_ = 0;  // at since_
  ticks since_;
  index_pool<work> works_;
  std::vector<node> heap_;  // binary; the first end is at its top
  timekeeper::timer timer_ = 0;
  bool armed_ = false;
};

}  // namespace muster
