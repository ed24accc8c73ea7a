#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace muster {

/// Random numbers for a policy, from a stream of its own, so that they change no job's arrival or size. They are the
/// same in each run of a replication.
class random_numbers {
 public:
  /// A number of at least 0 and below 1.
  virtual double uniform() = 0;
  /// An exponential number. @param mean > 0
  double exponential(double mean) { return -mean * std::log1p(-uniform()); }
  /// A whole number of at least 0 and below `count`, each with the same probability. @param count at least 1
  std::uint32_t below(std::uint32_t count) {
    return std::min(static_cast<std::uint32_t>(uniform() * count), count - 1);
  }

 protected:
  ~random_numbers() = default;
};

}  // namespace muster
