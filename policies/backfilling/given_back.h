#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "muster/policies/ticks.h"

namespace muster {

/// Until when something has been given back since a moment, of holds in a plan. An interval that did not fit before can
/// fit afterwards only if it begins before that time.
class given_back {
 public:
  /// Counts what has been given back so far: a moment between two operations on the plan.
  std::uint64_t count() const { return count_; }
  /// Notes that something is free again. @param until end of the hold
  void note(ticks until) {
    ++count_;
    while (!latest_.empty() && latest_.back().until <= until) latest_.pop_back();
    latest_.push_back({count_, until});
  }
  /// The latest end of what has been given back since a moment; 0: nothing has. @param moment an earlier count()
  ticks until_since(std::uint64_t moment) const {
    const auto later = std::upper_bound(latest_.begin(), latest_.end(), moment,
                                        [](std::uint64_t m, const entry& e) { return m < e.number; });
    return later == latest_.end() ? 0 : later->until;
  }

 private:
  struct entry {
    std::uint64_t number;
    ticks until;
  };

  std::vector<entry> latest_;  // in ascending order of numbers: those behind which nothing was given back for longer
  std::uint64_t count_ = 0;
};

/// For jobs of one need, and each duration, instants before which no job fits, as far as is known.
class earliest_known {
 public:
  /// No job fits that begins in [from, until).
  struct gap {
    ticks from = 0, until = 0;

    /// What holds of it for a job that has been one of those in its way. @param begin of the job's reservation
    gap until_at_most(ticks begin, ticks duration) const {
      const ticks beside = begin >= duration ? std::min(until, begin - duration + 1) : 0;
      return beside > from ? gap{from, beside} : gap{};
    }
  };

  /// Notes that a job of a duration fits at no earlier instant. @param moment given_back::count()
  void note(ticks duration, ticks earliest, std::uint64_t moment) {
    auto place = std::lower_bound(known_.begin(), known_.end(), duration, shorter);
    auto last = place;
    while (last != known_.end() && last->earliest <= earliest) ++last;
    place = known_.erase(place, last);
    // Notes of shorter jobs that have a later instant are from before something was given back.
    auto first = place;
    while (first != known_.begin() && std::prev(first)->earliest >= earliest) --first;
    place = known_.erase(first, place);
    known_.insert(place, {duration, earliest, moment});
  }
  /// A gap of jobs of a duration; an empty one if none is known. What no longer holds is forgotten.
  gap of(ticks duration, const given_back& back) {
    auto place = std::upper_bound(known_.begin(), known_.end(), duration,
                                  [](ticks d, const entry& e) { return d < e.duration; });
    while (place != known_.begin()) {
      --place;
      const ticks from = back.until_since(place->moment);
      if (from < place->earliest) return {from, place->earliest};
      place = known_.erase(place);
    }
    return {};
  }

 private:
  struct entry {
    ticks duration, earliest;
    std::uint64_t moment;
  };
  static bool shorter(const entry& e, ticks duration) { return e.duration < duration; }

  std::vector<entry> known_;  // longer jobs later
};

}  // namespace muster
