#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "muster/policies/ticks.h"

namespace muster {

/// Readings at instants of equal distance, whatever the time until the last one: when there are twice as many as are
/// wanted, every second one is left out and the distance doubles.
template <class Reading>
class even_readings {
 public:
  struct instant {
    ticks now;
    Reading read;
  };

  /// @param fewest readings that are wanted, once the time is long enough; > 0 @param step first distance, > 0
  even_readings(std::size_t fewest, ticks step) : most_(2 * fewest), step_(step) {}

  /// Takes the first reading. Called once.
  void begin(ticks now, Reading first) { all_.push_back({now, std::move(first)}); }
  /// Takes the readings that are due until now. Called before what is read changes its course.
  /// @param read gives the reading at an instant since which nothing has changed
  template <class Read>
  void take_until(ticks now, const Read& read) {
    const ticks since = now - all_.front().now;
    if (since < step_ * all_.size()) return;
    while (since / step_ > most_) double_step();
    for (ticks due = all_.front().now + step_ * all_.size(); due <= now; due += step_) all_.push_back({due, read(due)});
  }
  /// Takes the last reading. @return all
  const std::vector<instant>& end(ticks now, Reading last) {
    if (now > all_.back().now) all_.push_back({now, std::move(last)});
    return all_;
  }

 private:
  void double_step() {
    step_ *= 2;
    std::size_t kept = 1;
    for (std::size_t at = 2; at < all_.size(); at += 2) all_[kept++] = std::move(all_[at]);
    all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(kept), all_.end());
  }

  std::size_t most_;
  ticks step_;
  std::vector<instant> all_;
};

}  // namespace muster
