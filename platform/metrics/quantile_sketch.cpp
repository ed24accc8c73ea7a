#include "platform/metrics/quantile_sketch.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muster {

double duration_counts::quantile(double share, std::uint64_t all) const {
  constexpr std::size_t together = 64;                   // buckets that are passed by their sum
  const double rank = share * static_cast<double>(all);  // at most that of the last value
  std::uint64_t below = 0;
  const auto is_below_rank = [&](std::uint64_t inside) {
    return inside == 0 || static_cast<double>(below + inside) < rank;
  };
  const auto sum_from = [&](std::size_t first) {
    const auto begin = counts_.begin() + static_cast<std::ptrdiff_t>(first);
    return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(together), std::uint64_t{0});
  };
  std::size_t bucket = 0;
  for (; bucket + together <= size_; bucket += together) {
    const std::uint64_t sum = sum_from(bucket);
    if (!is_below_rank(sum)) break;
    below += sum;
  }
  for (; is_below_rank(counts_[bucket]); ++bucket) below += counts_[bucket];
  const auto low = static_cast<double>(lowest_of(bucket));
  // Below 2^7 some buckets end within a tick, and those of the sketch do not.
  const double high = std::max(static_cast<double>(lowest_of(bucket + 1)), low + 1.0);
  return low + (high - low) * (rank - static_cast<double>(below)) / static_cast<double>(counts_[bucket]);
}

std::string to_text(const coarse_sketch& sketch) {
  const std::vector<std::uint64_t>& counts = sketch.counts();
  const auto first = std::find_if(counts.begin(), counts.end(), [](std::uint64_t count) { return count > 0; });
  if (first == counts.end()) return "";
  return fmt::format("{} {}", first - counts.begin(), fmt::join(first, counts.end(), " "));
}

coarse_sketch sketch_from_text(const std::string& text) {
  if (text.empty()) return {};
  constexpr std::size_t most_buckets = 64 << 4;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto take = [&](auto& number) {
    const auto [behind, flaw] = std::from_chars(at, end, number);
    if (flaw != std::errc{}) return false;
    at = behind != end && *behind == ' ' ? behind + 1 : behind;
    return true;
  };
  std::size_t first = 0;
  if (!take(first) || first >= most_buckets) throw std::runtime_error("expected the number of a bucket");
  std::vector<std::uint64_t> counts(first);
  for (std::uint64_t count = 0; counts.size() < most_buckets && take(count);) counts.push_back(count);
  if (at != end) throw std::runtime_error("expected counts of at most 1024 buckets");
  return coarse_sketch(std::move(counts));
}

}  // namespace muster
