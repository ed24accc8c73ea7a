#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "muster/policies/job.h"

namespace muster {

/// A sequence of values of any length in bounded memory: the means of equal batches, one after the other. When there
/// are too many, each two neighbours become one, and batches are twice as long from then on.
class batch_series {
 public:
  /// @param batch values in a batch at first
  /// @param most batches kept; even
  batch_series(std::uint64_t batch, std::size_t most) : first_batch_(batch), batch_(batch), most_(most) {}

  void add(double value) {
    sum_ += value;
    if (++filled_ == batch_) close();
  }
  void clear() {
    means_.clear();
    batch_ = first_batch_;
    sum_ = 0.0;
    filled_ = 0;
  }

  /// The means of the full batches.
  const std::vector<double>& means() const { return means_; }
  /// The number of values in each full batch.
  std::uint64_t batch() const { return batch_; }

 private:
  void close() {
    means_.push_back(sum_ / static_cast<double>(batch_));
    sum_ = 0.0;
    filled_ = 0;
    if (means_.size() < most_) return;
    for (std::size_t i = 0; i < most_ / 2; ++i) means_[i] = (means_[2 * i] + means_[2 * i + 1]) / 2.0;
    means_.resize(most_ / 2);
    batch_ *= 2;
  }

  std::uint64_t first_batch_, batch_;
  std::size_t most_;
  std::vector<double> means_;
  double sum_ = 0.0;
  std::uint64_t filled_ = 0;
};

/// Response times, waiting times and times to the start of one class or of all, in the order of completion, for their
/// intervals.
struct time_series {
  static constexpr std::size_t most = 2048;
  batch_series response{1, most}, waiting{1, most}, to_start{1, most};

  /// @param response_time,waiting_time,time_to_start times of one job, in ticks
  void add(ticks response_time, ticks waiting_time, ticks time_to_start) {
    response.add(static_cast<double>(response_time));
    waiting.add(static_cast<double>(waiting_time));
    to_start.add(static_cast<double>(time_to_start));
  }
  void clear() {
    response.clear();
    waiting.clear();
    to_start.clear();
  }
};

}  // namespace muster
