#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "muster/policies/job.h"

namespace muster {

/// The times for which a number that goes up and down by one, such as that of jobs in the system, has had each of its
/// values, over a window of time. It begins with 0. Memory: one sum for each value up to the largest.
class level_times {
 public:
  level_times() : times_(16), at_(times_.data()), last_(&times_.back()) {}
  level_times(const level_times&) = delete;
  level_times& operator=(const level_times&) = delete;

  /// The number goes up by one.
  void rise(ticks now) {
    *at_ += now;
    if (at_ == last_) grow();
    *++at_ -= now;
  }
  /// The number goes down by one, not below 0.
  void fall(ticks now) {
    *at_ += now;
    *--at_ -= now;
  }
  /// The window begins now.
  void clear(ticks now) {
    times_.assign(times_.size(), 0);
    *at_ -= now;
  }

  /// The least level n such that the number was n or less for that share of the window at least; 0 if the window is
  /// empty.
  /// @param share in (0, 1)
  /// @param now the end of the window
  std::uint64_t quantile(double share, ticks now) const {
    std::vector<ticks> times = times_;
    times[static_cast<std::size_t>(at_ - times_.data())] += now;
    double all = 0.0, below = 0.0;
    for (const ticks time : times) all += static_cast<double>(time);
    std::uint64_t level = 0;
    while ((below += static_cast<double>(times[level])) < share * all) ++level;
    return level;
  }

 private:
  [[gnu::noinline]] void grow() {
    const auto level = at_ - times_.data();
    times_.resize(2 * times_.size());
    at_ = times_.data() + level;
    last_ = &times_.back();
  }

  // By level, the sum of the times at which it was left less that of those at which it was reached (modulo 2^64).
  std::vector<ticks> times_;
  ticks *at_, *last_;  // the sums of the present level and of the highest that there is room for
};

}  // namespace muster
