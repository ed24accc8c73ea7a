#include "platform/metrics/quantile_sketch.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muster {

std::string to_text(const coarse_sketch& sketch) {
  const std::vector<std::uint64_t>& counts = sketch.counts();
  const auto first = std::find_if(counts.begin(), counts.end(), [](std::uint64_t count) { return count > 0; });
  if (first == counts.end()) return "";
  return fmt::format("{} {}", first - counts.begin(), fmt::join(first, counts.end(), " "));
}

coarse_sketch sketch_from_text(const std::string& text) {
  if (text.empty()) return {};
  constexpr std::size_t most_buckets = 64 << 4;
  std::istringstream numbers(text);
  std::size_t first = 0;
  if (!(numbers >> first) || first >= most_buckets) throw std::runtime_error("expected the number of a bucket");
  std::vector<std::uint64_t> counts(first);
  for (std::uint64_t count = 0; counts.size() < most_buckets && numbers >> count;) counts.push_back(count);
  if (!numbers.eof()) throw std::runtime_error("expected counts of at most 1024 buckets");
  return coarse_sketch(std::move(counts));
}

}  // namespace muster
