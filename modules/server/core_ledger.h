#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "muster/policies/algorithms/prefetch.h"
#include "muster/policies/job.h"

namespace muster {

/// The time of one core in each state, in ticks.
struct core_times {
  ticks idle = 0, overhead = 0, running = 0, asleep = 0;

  ticks total() const { return idle + overhead + running + asleep; }
};

/// Which slice holds which core of a bank of like servers, and the time that each core has spent in each state.
///
/// The cores of a server that are idle, and those of each slice, form chains: taking and giving back n cores is n steps
/// and no allocation. All cores of a server of eight or more are taken and given back in one step.
class core_ledger {
 public:
  using core = std::uint32_t;
  static constexpr std::uint32_t no_holder = std::numeric_limits<std::uint32_t>::max();

  /// The cores of one slice, or the idle ones of a server.
  struct chain {
    core first = 0, last = 0;
    std::uint32_t length = 0;
  };

  /// When a slice got its cores, when they became productive, and when they began to save its state (`never`: not yet).
  struct tenure {
    static constexpr ticks never = std::numeric_limits<ticks>::max();
    ticks begun = 0, productive = never, ceased = never;

    /// The time of each of the slice's cores until `now`.
    core_times times(ticks now) const {
      if (productive <= now && now <= ceased) return {0, productive - begun, now - productive};
      const ticks from = std::min(productive, now);
      const ticks to = std::max(from, std::min(ceased, now));
      return {0, (from - begun) + (now - to), to - from};
    }
  };

  /// @param sleep_after time after which an idle core sleeps, until a slice takes it
  core_ledger(std::uint32_t servers, std::uint32_t cores_each, ticks sleep_after = end_of_clock);

  std::uint32_t cores_each() const { return cores_each_; }
  std::uint32_t idle_cores(std::uint32_t server) const { return first_of(server).idle.length; }
  std::uint32_t core_count() const { return static_cast<std::uint32_t>(rows_.size()); }
  /// The slice that holds the core, or no_holder.
  std::uint32_t holder(core c) const {
    const whole_row* const whole = whole_of(c);
    return whole && whole->holder != no_holder ? whole->holder : rows_[c].holder;
  }
  void prefetch_holder(core c) const { prefetch(&rows_[c]); }
  /// Since when an idle core has been idle.
  ticks idle_since(core c) const {
    const whole_row* const whole = whole_of(c);
    return whole ? std::max(whole->idle_since, rows_[c].idle_since) : rows_[c].idle_since;
  }
  /// The times until `now` of an idle core.
  core_times idle_until(core c, ticks now) const {
    const row& r = rows_[c];
    const ticks slept = asleep_until(r, now);
    core_times times{r.idle_offset + now - slept, r.overhead, r.running, r.asleep + slept};
    if (const whole_row* const whole = whole_of(c)) {
      times.idle += whole->idle_offset;
      times.overhead += whole->overhead;
      times.running += whole->running;
    }
    return times;
  }
  /// Whether one of the cores slept until it was taken, at `now`.
  bool any_slept(const chain& cores, ticks now) const;

  /// @param visit called with each core of a chain
  template <class Visit>
  void for_each(const chain& cores, Visit visit) const {
    core c = cores.first;
    for (std::uint32_t n = 0; n < cores.length; ++n, c = next_[c]) visit(c);
  }

  /// Takes idle cores of a server for a slice.
  /// @param count from 1 to idle_cores(server)
  chain take(std::uint32_t server, std::uint32_t count, std::uint32_t slice);
  /// Enters the slice's time into its cores' accounts and makes them idle.
  /// @return the time of each
  core_times give_back(std::uint32_t server, const chain& cores, const tenure& held, ticks now);
  /// Makes cores idle that have been in none of these states since `since`, as their server was down.
  void put_back(std::uint32_t server, const chain& cores, ticks since, ticks now);

 private:
  // What is known of a core, in one cache line: with many servers a cache miss costs more than all work on a row.
  struct alignas(cache_line) row {
    std::uint32_t holder = no_holder;
    ticks idle_since = 0;
    // idle_offset + now (modulo 2^64) is the idle time of an idle core, with the time it has slept since idle_since. So
    // the time for which a slice has held the core is subtracted once, and idle time need not be added up.
    ticks idle_offset = 0;
    ticks overhead = 0, running = 0, asleep = 0;
    // Idle cores of the server, in the row of its first core. Where there are none, only the length has a meaning.
    chain idle;
  };
  static_assert(sizeof(row) == cache_line);

  // What was taken and given back of a server as a whole: it counts for each of its cores beside what the core's row
  // has. No core of it ever sleeps.
  struct alignas(cache_line) whole_row {
    std::uint32_t holder = no_holder;
    ticks idle_since = 0, idle_offset = 0, overhead = 0, running = 0;
  };
  static constexpr std::uint32_t fewest_of_whole = 8;  // cores of a server: fewer are as quickly taken one by one

  const whole_row* whole_of(core c) const { return whole_length_ == 0 ? nullptr : &wholes_[c / cores_each_]; }

  /// For how long an idle core has slept; 0 if it has not.
  ticks asleep_until(const row& r, ticks now) const {
    const ticks idle = now - r.idle_since;
    return idle - std::min(idle, sleep_after_);
  }
  [[gnu::noinline]] void wake(const chain& cores, ticks now);
  void set_idle(std::uint32_t server, const chain& cores);
  row& first_of(std::uint32_t server) { return rows_[std::size_t{server} * cores_each_]; }
  const row& first_of(std::uint32_t server) const { return rows_[std::size_t{server} * cores_each_]; }

  std::uint32_t cores_each_;
  ticks sleep_after_;
  std::vector<row> rows_;   // one for each core
  std::vector<core> next_;  // of each core the next one of its chain: apart, so that rows need not be there to find it
  std::vector<whole_row> wholes_;   // one for each server; empty: none are taken as a whole
  std::uint32_t whole_length_ = 0;  // of chains that are; 0: none
};

}  // namespace muster
