#pragma once

#include <cstdint>
#include <vector>

#include "muster/policies/job.h"

namespace muster {

/// Quantiles of durations in constant memory: counts in buckets of at most 1/128 of their value.
///
/// A quantile is found by rank and interpolated within its bucket, so that its relative error stays below 0.8 %.
/// Sketches add up exactly, in any order.
class quantile_sketch {
 public:
  void add(ticks value) {
    const std::size_t bucket = bucket_of(value);
    if (bucket >= counts_.size()) grow(bucket);
    ++counts_[bucket];
    ++total_;
  }

  void merge(const quantile_sketch& other) {
    if (other.counts_.size() > counts_.size()) counts_.resize(other.counts_.size());
    for (std::size_t i = 0; i < other.counts_.size(); ++i) counts_[i] += other.counts_[i];
    total_ += other.total_;
  }

  void clear() {
    counts_.assign(counts_.size(), 0);
    total_ = 0;
  }

  std::uint64_t total() const { return total_; }

  /// @param share in (0, 1); there must be at least one value
  /// @return in ticks
  double quantile(double share) const {
    const double rank = share * static_cast<double>(total_);
    double below = 0.0;
    for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket) {
      const auto inside = static_cast<double>(counts_[bucket]);
      if (inside > 0.0 && below + inside >= rank) {
        const double low = lowest_of(bucket);
        return low + (lowest_of(bucket + 1) - low) * (rank - below) / inside;
      }
      below += inside;
    }
    return lowest_of(counts_.size());
  }

 private:
  static constexpr unsigned fine = 7;  // 2^7 buckets for each power of two

  [[gnu::noinline]] void grow(std::size_t bucket) { counts_.resize(bucket + 1); }

  static std::size_t bucket_of(ticks value) {
    if (value < (ticks{1} << fine)) return static_cast<std::size_t>(value);
    const auto exponent = static_cast<unsigned>(63 - __builtin_clzll(value));
    return ((exponent - fine) << fine) + static_cast<std::size_t>(value >> (exponent - fine));
  }

  static double lowest_of(std::size_t bucket) {
    const std::size_t octave = bucket >> fine;
    if (octave <= 1) return static_cast<double>(bucket);
    const auto mantissa = static_cast<double>((bucket & ((1u << fine) - 1)) | (1u << fine));
    return mantissa * static_cast<double>(std::uint64_t{1} << (octave - 1));
  }

  std::vector<std::uint64_t> counts_;
  std::uint64_t total_ = 0;
};

}  // namespace muster
