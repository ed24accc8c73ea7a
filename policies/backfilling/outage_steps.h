#pragma once

#include <algorithm>
#include <vector>

#include "muster/policies/planned_outage.h"

namespace muster {

/// When planned outages begin and end, gone through as time passes.
class outage_steps {
 public:
  explicit outage_steps(const std::vector<planned_outage>& outages) {
    for (const planned_outage& o : outages) {
      steps_.push_back({o.from, true, o});
      if (o.until < end_of_clock) steps_.push_back({o.until, false, o});
    }
    std::stable_sort(steps_.begin(), steps_.end(), [](const step& a, const step& b) {
      return a.at != b.at ? a.at < b.at : a.begins < b.begins;  // a server may leave again at its return
    });
  }

  /// Calls visit(outage, begins) for each that has begun or ended since the last call.
  template <class Visit>
  void advance(ticks now, const Visit& visit) {
    for (; next_ < steps_.size() && steps_[next_].at <= now; ++next_) visit(steps_[next_].of, steps_[next_].begins);
  }

 private:
  struct step {
    ticks at;
    bool begins;
    planned_outage of;
  };

  std::vector<step> steps_;
  std::size_t next_ = 0;
};

}  // namespace muster
