#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "muster/policies/job.h"
#include "muster/policies/table.h"
#include "platform/model/scenario.h"

namespace muster {

/// The jobs of all classes but the widest on unlimited cores (M/G/infinity), beside the cluster: for how long have
/// there been some? Where the widest need all cores, they wait for the cores to be free at once, which takes long when
/// this is long.
class busy_age {
 public:
  /// The queue of a scenario; nothing where the mean age is not known or the warm-up too short for it: unless arrivals
  /// are Poisson, and the sizes of all classes but the widest, of which there is one at least, exponential.
  static std::optional<busy_age> of(const scenario& model);

  void arrive(ticks now, class_id id, ticks size) {
    if (now > empty_) begin_ = now;
    sum_ += static_cast<double>(static_cast<std::int64_t>(now - begin_));
    if (narrow_[id] != 0) empty_ = std::max(empty_, now + size);
  }
  /// The sum of the ages that arrivals have found since the last call, in ticks. It begins anew.
  double take() {
    const double sum = sum_;
    sum_ = 0.0;
    return sum;
  }
  /// The mean age that Poisson arrivals find (0 in the empty queue), in units of time.
  double expected() const { return expected_; }

 private:
  busy_age() = default;

  table<class_id, std::uint8_t> narrow_;  // 1 for all classes but the widest
  ticks begin_ = 0, empty_ = 0;
  double sum_ = 0.0, expected_ = 0.0;
};

}  // namespace muster
