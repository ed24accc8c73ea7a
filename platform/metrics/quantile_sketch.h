#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "muster/policies/job.h"

namespace muster {

/// Quantiles of durations in constant memory: counts in buckets of at most 2^-fine of their value.
///
/// A quantile is found by rank and interpolated within its bucket, so that its relative error stays below 2^-fine.
/// Sketches add up exactly, in any order.
template <unsigned fine>
class basic_quantile_sketch {
 public:
  basic_quantile_sketch() = default;
  /// @param counts by bucket, see counts()
  explicit basic_quantile_sketch(std::vector<std::uint64_t> counts)
      : counts_(std::move(counts)), total_(std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0})) {}

  void add(ticks value, std::uint64_t times = 1) {
    const std::size_t bucket = bucket_of(value);
    if (bucket >= counts_.size()) grow(bucket);
    counts_[bucket] += times;
    total_ += times;
  }

  void merge(const basic_quantile_sketch& other) {
    if (other.counts_.size() > counts_.size()) counts_.resize(other.counts_.size());
    for (std::size_t i = 0; i < other.counts_.size(); ++i) counts_[i] += other.counts_[i];
    total_ += other.total_;
  }

  std::uint64_t total() const { return total_; }
  /// The counts by bucket: values below 2^fine have one bucket each, then there are 2^fine for each power of two.
  const std::vector<std::uint64_t>& counts() const { return counts_; }
  /// A sketch of the same values in wider buckets.
  template <unsigned coarse>
  basic_quantile_sketch<coarse> in_buckets_of() const {
    static_assert(coarse <= fine);
    basic_quantile_sketch<coarse> wider;
    for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket)
      if (counts_[bucket] > 0) wider.add(static_cast<ticks>(lowest_of(bucket)), counts_[bucket]);
    return wider;
  }

  /// @param share in (0, 1); there must be at least one value
  /// @return the quantile, in ticks
  double quantile(double share) const { return quantiles({share}).front(); }
  /// The quantiles of several shares, found in one pass over the buckets; there must be at least one value.
  /// @param shares in ascending order, each in (0, 1) @return the quantiles, in ticks
  std::vector<double> quantiles(const std::vector<double>& shares) const {
    std::vector<double> found;
    found.reserve(shares.size());
    double below = 0.0;
    std::size_t bucket = 0;
    for (const double share : shares) {
      const double rank = share * static_cast<double>(total_);
      while (bucket < counts_.size() && !(counts_[bucket] > 0 && below + count_of(bucket) >= rank))
        below += count_of(bucket++);
      const double low = lowest_of(bucket);
      found.push_back(
          bucket == counts_.size() ? low : low + (lowest_of(bucket + 1) - low) * (rank - below) / count_of(bucket));
    }
    return found;
  }

 private:
  [[gnu::noinline]] void grow(std::size_t bucket) { counts_.resize(bucket + 1); }
  double count_of(std::size_t bucket) const { return static_cast<double>(counts_[bucket]); }

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

/// A sketch with a relative error below 0.8 %.
using quantile_sketch = basic_quantile_sketch<7>;
/// A sketch as it is stored, with a relative error below 6.3 %.
using coarse_sketch = basic_quantile_sketch<4>;

/// A sketch as text: the number of the first bucket that has counts, then the counts from there on. Empty: no values.
std::string to_text(const coarse_sketch& sketch);
/// The sketch of such a text. @throws std::runtime_error if the text is no sketch
coarse_sketch sketch_from_text(const std::string& text);

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

  bool empty() const {  // the last bucket has counts, unless they have been cleared
    return std::all_of(counts_.rbegin(), counts_.rend(), [](std::uint64_t count) { return count == 0; });
  }
  std::uint64_t total() const { return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}); }
  /// The quantile that sketch() has, to the last bit, without making it. @param share in (0, 1)
  /// @param all total(), which must be at least 1 @return the quantile, in ticks
  double quantile(double share, std::uint64_t all) const;
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
