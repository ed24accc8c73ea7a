#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "platform/metrics/quantile_sketch.h"

namespace muster {

/// Counts durations for a quantile_sketch, faster than the sketch itself: the bucket of a value is the upper part of
/// its floating-point number, exponent and seven bits of the mantissa. These are the sketch's buckets.
class duration_counts {
 public:
  void add(ticks value) {
    std::size_t bucket = bucket_of(value);
    if (bucket >= size_) bucket = beyond(bucket);
    ++counts_[bucket];
  }
  void merge(const duration_counts& other) {
    if (other.size_ > size_) resize(other.size_);
    for (std::size_t bucket = 0; bucket < other.size_; ++bucket) counts_[bucket] += other.counts_[bucket];
  }
  void clear() { counts_.assign(size_, 0); }

  bool empty() const { return total() == 0; }
  std::uint64_t total() const { return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}); }
  quantile_sketch sketch() const {
    quantile_sketch all;
    for (std::size_t bucket = 0; bucket < size_; ++bucket)
      if (counts_[bucket] > 0) all.add(lowest_of(bucket), counts_[bucket]);
    return all;
  }

 private:
  static constexpr unsigned cut = 52 - 7;                                  // bits of the mantissa that do not count
  static constexpr std::uint64_t before = (std::uint64_t{1023} << 7) - 1;  // upper part of 1.0, less 1: bucket 0 has 0

  static std::size_t bucket_of(ticks value) {
    // Times are below 2^62; conversion from a signed integer is shorter.
    const auto number = static_cast<double>(static_cast<std::int64_t>(value));
    std::uint64_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    return (bits >> cut) - before;
  }
  static ticks lowest_of(std::size_t bucket) {
    if (bucket == 0) return 0;
    const std::uint64_t bits = (bucket + before) << cut;
    double number;
    std::memcpy(&number, &bits, sizeof number);
    return static_cast<ticks>(number);
  }
  // Grows to the bucket. For the value 0 the difference in bucket_of() has wrapped.
  [[gnu::noinline]] std::size_t beyond(std::size_t bucket) {
    if (bucket > before) bucket = 0;
    if (bucket >= size_) resize(bucket + 1);
    return bucket;
  }
  void resize(std::size_t size) {
    counts_.resize(size);
    size_ = size;
  }

  std::vector<std::uint64_t> counts_;
  std::size_t size_ = 0;  // of counts_
};

}  // namespace muster
