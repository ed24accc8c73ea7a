#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "muster/policies/ticks.h"

namespace muster {

/// Instants at which a job may begin, as intervals.
class possible_begins {
 public:
  struct interval {
    ticks from, until;  ///< [from, until)
  };

  void clear() { all_.clear(); }
  bool empty() const { return all_.empty(); }
  /// The intervals, in ascending order, apart from each other.
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

  /// Adds the instants of [from, until).
  void add(ticks from, ticks until) {
    if (from >= until) return;
    const auto first =
        std::lower_bound(all_.begin(), all_.end(), from, [](const interval& i, ticks at) { return i.until < at; });
    auto last = first;
    for (; last != all_.end() && last->from <= until; ++last) {
      from = std::min(from, last->from);
      until = std::max(until, last->until);
    }
    if (first == last) {
      all_.insert(first, {from, until});
    } else {
      *first = {from, until};
      all_.erase(first + 1, last);
    }
  }

  /// Removes what is not in [from, until).
  void limit(ticks from, ticks until) {
    std::size_t kept = 0;
    for (const interval i : all_) {
      const interval within{std::max(i.from, from), std::min(i.until, until)};
      if (within.from < within.until) all_[kept++] = within;
    }
    all_.resize(kept);
  }

  /// Removes what is not in others.
  void limit(const possible_begins& others) {
    const std::vector<interval> all = all_;
    all_.clear();
    auto other = others.begin();
    for (auto i = all.begin(); i != all.end() && other != others.end();) {
      const interval both{std::max(i->from, other->from), std::min(i->until, other->until)};
      if (both.from < both.until) all_.push_back(both);
      if (i->until < other->until)
        ++i;
      else
        ++other;
    }
  }

  /// Whether all instants of [from, until) are among them.
  bool covers(ticks from, ticks until) const {
    const auto first =
        std::lower_bound(all_.begin(), all_.end(), from, [](const interval& i, ticks at) { return i.until <= at; });
    return from >= until || (first != all_.end() && first->from <= from && until <= first->until);
  }
  bool contains(ticks at) const { return covers(at, at + 1); }

 private:
  std::vector<interval> all_;  // in ascending order, with gaps between them
};

}  // namespace muster
