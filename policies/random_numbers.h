#pragma once

#include <cmath>

namespace muster {

/// Random numbers for a policy, from a stream of its own, so that they change no job's arrival or size. They are the
/// same in each run of a replication.
class random_numbers {
 public:
  /// A number of at least 0 and below 1.
  virtual double uniform() = 0;
  /// An exponential number. @param mean > 0
  double exponential(double mean) { return -mean * std::log1p(-uniform()); }

 protected:
  ~random_numbers() = default;
};

}  // namespace muster
