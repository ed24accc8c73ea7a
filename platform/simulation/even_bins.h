#pragma once

#include <cstddef>
#include <cstdint>
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

/// The integral of a number that is known late, when the intervals are over for which something has counted: over bins
/// of equal length, with the bins of even_readings of as many readings and the same step.
class even_sums {
 public:
  /// @param fewest bins that are wanted, once the time is long enough; > 0 @param step first length, > 0
  even_sums(std::size_t fewest, ticks step) : most_(2 * fewest), step_(step), edges_(most_ + 1) {}

  /// @param now the beginning of the first bin
  void begin(ticks now) { begin_ = now; }
  /// An amount counts from an instant until another one.
  void add(ticks from, ticks until, std::uint64_t amount) {
    add_edge(from, amount);
    add_edge(until, 0 - tick_sum{amount});
  }
  /// The integral over each bin until an instant, at which all intervals that are added have ended.
  std::vector<tick_sum> until(ticks now) {
    fit(now);
    std::vector<tick_sum> sums;
    tick_sum level = 0;
    for (std::size_t bin = 0; begin_ + bin * step_ < now; ++bin) {
      sums.push_back(level * step_ + edges_[bin].within);
      level += edges_[bin].change;
    }
    return sums;
  }

 private:
  // What changes within a bin; numbers below zero are modulo 2^128.
  struct edge {
    tick_sum change = 0;  // of the number
    tick_sum within = 0;  // of the integral over the bin
  };

  void add_edge(ticks at, tick_sum more) {
    fit(at);
    const std::size_t bin = static_cast<std::size_t>((at - begin_) / step_);
    edges_[bin].change += more;
    edges_[bin].within += more * (begin_ + (bin + 1) * step_ - at);
  }
  // Joins bins by two until there is one for an instant.
  void fit(ticks at) {
    while ((at - begin_) / step_ > most_) {
      for (std::size_t bin = 0; bin < edges_.size(); ++bin) {
        const auto old = [&](std::size_t n) { return n < edges_.size() ? edges_[n] : edge{}; };
        const edge first = old(2 * bin), second = old(2 * bin + 1);
        edges_[bin] = {first.change + second.change, first.within + first.change * step_ + second.within};
      }
      step_ *= 2;
    }
  }

  std::size_t most_;
  ticks step_, begin_ = 0;
  std::vector<edge> edges_;  // by bin
};

}  // namespace muster
