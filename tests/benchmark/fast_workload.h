#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "muster/policies/job.h"
#include "platform/model/class_table.h"

// Jobs of Poisson arrivals and exponential sizes, drawn fast. They are not muster's, so that what is found with them
// agrees in distribution only.

namespace muster::bare {

/// xoshiro256++ 1.0 of Blackman and Vigna, "Scrambled linear pseudorandom number generators".
class xoshiro {
 public:
  explicit xoshiro(std::uint64_t seed) {
    for (std::uint64_t& s : state_) {  // SplitMix64, as its authors seed it
      seed += 0x9e3779b97f4a7c15;
      std::uint64_t z = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9;
      z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
      s = z ^ (z >> 31);
    }
  }

  std::uint64_t operator()() {
    auto& [a, b, c, d] = state_;
    const std::uint64_t result = rotated(a + d, 23) + a;
    const std::uint64_t t = b << 17;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = rotated(d, 45);
    return result;
  }

 private:
  static std::uint64_t rotated(std::uint64_t x, int by) { return x << by | x >> (64 - by); }
  std::array<std::uint64_t, 4> state_;
};

/// Exponential numbers of mean 1: the ziggurat of Marsaglia and Tsang, "The ziggurat method for generating random
/// variables", with 256 layers and 53 bits.
class exponential_ziggurat {
 public:
  exponential_ziggurat() {
    constexpr double area = 3.949659822581572e-3;
    x_[0] = area / std::exp(-last);
    x_[1] = last;
    for (std::size_t n = 2; n < layers; ++n) x_[n] = -std::log(std::exp(-x_[n - 1]) + area / x_[n - 1]);
    x_[layers] = 0.0;
    for (std::size_t n = 0; n <= layers; ++n) y_[n] = std::exp(-x_[n]);
  }

  double operator()(xoshiro& bits) const {
    for (double tail = 0.0;;) {
      const std::uint64_t drawn = bits();
      const std::size_t n = drawn % layers;
      const double x = uniform(drawn) * x_[n];
      if (x < x_[n + 1]) return tail + x;
      if (n == 0)
        tail += last;  // memoryless: beyond the last layer it begins anew
      else if (y_[n] + uniform(bits()) * (y_[n + 1] - y_[n]) < std::exp(-x))
        return tail + x;
    }
  }

 private:
  static constexpr std::size_t layers = 256;
  static constexpr double last = 7.69711747013104972;
  static double uniform(std::uint64_t drawn) { return static_cast<double>(drawn >> 11) * 0x1p-53; }
  std::array<double, layers + 1> x_{}, y_{};
};

/// Numbers below n with given weights: nearly all draws find theirs in a table of the cumulative shares at once.
class weighted_choice {
 public:
  explicit weighted_choice(const std::vector<double>& weights) {
    double sum = 0.0, part = 0.0;
    for (const double w : weights) sum += w;
    for (const double w : weights) ends_.push_back((part += w) / sum);
    ends_.back() = 1.0;
    for (std::size_t at = 0, n = 0; at < slots; ++at) {
      while (ends_[n] <= static_cast<double>(at) / slots) ++n;
      const bool whole = ends_[n] >= static_cast<double>(at + 1) / slots;
      slots_[at] = {static_cast<std::uint32_t>(n), whole};
    }
  }

  std::uint32_t operator()(xoshiro& bits) const {
    const std::uint64_t drawn = bits();
    const slot& found = slots_[drawn >> (64 - slot_bits)];
    std::uint32_t n = found.first;
    if (!found.whole)
      for (const double at = static_cast<double>(drawn >> 11) * 0x1p-53; ends_[n] <= at;) ++n;
    return n;
  }

 private:
  static constexpr unsigned slot_bits = 10;
  static constexpr std::size_t slots = 1 << slot_bits;
  struct slot {
    std::uint32_t first;  ///< number that has the slot's beginning
    bool whole;           ///< and its end
  };
  std::vector<double> ends_;
  std::array<slot, slots> slots_{};
};

struct fast_request {
  ticks arrival = 0;
  ticks size = 0;
};

/// Poisson arrivals of exponential sizes. As a size depends on the class alone, it may be drawn when the job starts.
class fast_workload {
 public:
  explicit fast_workload(const scenario& model)
      : bits_(model.run.seed),
        choice_(shares(model)),
        between_(model.arrivals.interarrival.mean() * resolution(model)) {
    for (const std::size_t at : by_descending_need(model))
      sizes_.push_back(model.classes[at].size.mean() * resolution(model));
  }

  /// The instant of the next arrival.
  ticks next_arrival() { return now_ += static_cast<ticks>(draw_(bits_) * between_ + 0.5); }
  /// The class of a job, in descending order of need.
  std::uint32_t next_type() { return choice_(bits_); }
  /// The size of a job of the class, in ticks, 1 at least.
  ticks next_size(std::uint32_t type) { return 1 + static_cast<ticks>(draw_(bits_) * sizes_[type]); }
  /// The next job of the only class.
  void next(fast_request& job) {
    job.arrival = next_arrival();
    job.size = next_size(0);
  }

 private:
  static double resolution(const scenario& model) { return static_cast<double>(model.unit.ticks); }
  static std::vector<double> shares(const scenario& model) {
    std::vector<double> all;
    for (const std::size_t at : by_descending_need(model)) all.push_back(model.classes[at].share);
    return all;
  }

  xoshiro bits_;
  exponential_ziggurat draw_;
  weighted_choice choice_;
  double between_;
  std::vector<double> sizes_;
  ticks now_ = 0;
};

}  // namespace muster::bare
