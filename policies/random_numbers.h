#pragma once

#include <cmath>

namespace muster {

/// Random numbers for a policy, from a stream of its own, so that they change no job's arrival or size. The same for
/// each run of a replication.
class random_numbers {
 public:
  /// At least 0 and below 1.
  virtual double uniform() = 0;
  /// @param mean > 0
  double exponential(double mean) { return -mean * std::log1p(-uniform()); }

 protected:
  ~random_numbers() = default;
};

}  // namespace muster
