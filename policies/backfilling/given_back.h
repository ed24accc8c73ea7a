#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "muster/policies/backfilling/possible_begins.h"
#include "muster/policies/ticks.h"

namespace muster {

/// What has been given back since a moment, of holds in a plan. A job that did not fit at an instant before can fit
/// there afterwards only if it would use some of that.
class given_back {
 public:
  /// Counts what has been given back so far: a moment between two operations on the plan.
  std::uint64_t count() const { return count_; }
  /// Notes that something is free again during [from, until).
  void note(ticks from, ticks until) {
    ++count_;
    while (!latest_.empty() && from <= latest_.back().from && latest_.back().until <= until) latest_.pop_back();
    if (latest_.size() == most) join_earliest();
    latest_.push_back({count_, from, until});
  }
  /// Finds when a job of a duration would overlap what has been given back since a moment, and some instants more where
  /// that was long ago. @param moment an earlier count()
  void begins_since(std::uint64_t moment, ticks duration, possible_begins& found) const {
    found.clear();
    for (auto e = latest_.rbegin(); e != latest_.rend() && e->number > moment; ++e)
      found.add(e->from >= duration ? e->from - duration + 1 : 0, e->until);
  }

 private:
  static constexpr std::size_t most = 16;  // entries
  struct entry {
    std::uint64_t number;
    ticks from, until;
  };

  // Joins the first two entries, and what is between them.
  void join_earliest() {
    const entry first = latest_.front();
    latest_.erase(latest_.begin());
    latest_.front().from = std::min(latest_.front().from, first.from);
    latest_.front().until = std::max(latest_.front().until, first.until);
  }

  std::vector<entry> latest_;  // in ascending order of numbers, none within the next one
  std::uint64_t count_ = 0;
};

/// For jobs of one need, and each duration, instants before which no job fits, as far as is known.
class earliest_known {
 public:
  void clear() { known_.clear(); }
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
  /// Finds the instants from now on at which a job of a duration may fit. What no longer tells anything is forgotten.
  void find_begins(ticks duration, const given_back& back, ticks now, possible_begins& found) {
    auto place = std::upper_bound(known_.begin(), known_.end(), duration,
                                  [](ticks d, const entry& e) { return d < e.duration; });
    while (place != known_.begin()) {
      --place;
      back.begins_since(place->moment, duration, found);
      found.limit(now, place->earliest);
      if (!found.covers(now, place->earliest)) return found.add(place->earliest, end_of_clock);
      place = known_.erase(place);
    }
    found.clear();
    found.add(now, end_of_clock);
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
