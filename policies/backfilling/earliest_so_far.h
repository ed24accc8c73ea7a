#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

#include "muster/policies/ticks.h"

namespace muster {

/// Instants before which no job of one need fits, by duration: what searches for earlier jobs have shown, as long as
/// nothing is given back.
class earliest_so_far {
 public:
  void clear() { known_.clear(); }
  /// Notes that a job of a duration fits at no instant before one. @param earliest not before at_least() of it
  void note(ticks duration, ticks earliest) {
    const auto place = std::lower_bound(known_.begin(), known_.end(), duration,
                                        [](const entry& e, ticks d) { return e.duration < d; });
    auto last = place;
    while (last != known_.end() && last->earliest <= earliest) ++last;
    if (place == last) {
      known_.insert(place, {duration, earliest});
    } else {
      *place = {duration, earliest};
      known_.erase(std::next(place), last);
    }
  }
  /// The latest instant known before which no job of the duration fits. @param otherwise where none is known
  ticks at_least(ticks duration, ticks otherwise) const {
    const auto behind = std::upper_bound(known_.begin(), known_.end(), duration,
                                         [](ticks d, const entry& e) { return d < e.duration; });
    return behind == known_.begin() ? otherwise : std::prev(behind)->earliest;
  }

 private:
  struct entry {
    ticks duration, earliest;
  };
  std::vector<entry> known_;  // longer jobs later, each with a later instant
};

}  // namespace muster
