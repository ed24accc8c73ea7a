#include "platform/calibration/order_agreement.h"

#include <algorithm>
#include <cmath>

namespace muster {

namespace {

using moments_of_thing = std::pair<std::int64_t, std::int64_t>;

// The length of the longest part of a sequence that nowhere falls.
std::size_t longest_rise(const std::vector<moments_of_thing>& sorted) {
  std::vector<std::int64_t> last;  // the least end of a rise, by its length
  for (const auto& [first, second] : sorted) {
    const auto at = std::upper_bound(last.begin(), last.end(), second);
    if (at == last.end())
      last.push_back(second);
    else
      *at = second;
  }
  return last.size();
}

// The number of pairs of which the first is larger than the second, by merging; sorts the values.
std::uint64_t count_inversions(std::vector<std::int64_t>& values) {
  std::uint64_t inversions = 0;
  std::vector<std::int64_t> merged(values.size());
  for (std::size_t width = 1; width < values.size(); width *= 2) {
    for (std::size_t begin = 0; begin < values.size(); begin += 2 * width) {
      const std::size_t middle = std::min(begin + width, values.size()),
                        end = std::min(begin + 2 * width, values.size());
      std::size_t left = begin, right = middle;
      for (std::size_t to = begin; to < end; ++to) {
        const bool take_left = left < middle && (right == end || values[left] <= values[right]);
        if (!take_left) inversions += middle - left;
        merged[to] = values[take_left ? left++ : right++];
      }
    }
    values.swap(merged);
  }
  return inversions;
}

// The number of pairs of equal values. @param key of a thing, by which they are sorted
template <class Key>
std::uint64_t equal_pairs(const std::vector<moments_of_thing>& sorted, const Key& key) {
  std::uint64_t pairs = 0, equal = 0;
  for (std::size_t n = 1; n < sorted.size(); ++n) {
    equal = key(sorted[n]) == key(sorted[n - 1]) ? equal + 1 : 0;
    pairs += equal;
  }
  return pairs;
}

}  // namespace

// W. R. Knight, "A computer method for calculating Kendall's tau with ungrouped data", JASA 1966.
order_agreement compare_orders(std::vector<moments_of_thing> moments) {
  std::sort(moments.begin(), moments.end());
  order_agreement agreement;
  agreement.in_order = longest_rise(moments);
  const std::uint64_t n = moments.size(), pairs = n < 2 ? 0 : n * (n - 1) / 2;
  const std::uint64_t equal_first = equal_pairs(moments, [](const auto& m) { return m.first; });
  const std::uint64_t equal_both = equal_pairs(moments, [](const auto& m) { return m; });
  std::vector<std::int64_t> second;
  second.reserve(moments.size());
  for (const auto& m : moments) second.push_back(m.second);
  const std::uint64_t against = count_inversions(second);
  std::uint64_t equal_second = 0, equal = 0;
  for (std::size_t k = 1; k < second.size(); ++k) {
    equal = second[k] == second[k - 1] ? equal + 1 : 0;
    equal_second += equal;
  }
  if (pairs == equal_first || pairs == equal_second) return agreement;
  const auto number = [](std::uint64_t x) { return static_cast<double>(x); };
  const double with = number(pairs) - number(equal_first) - number(equal_second) + number(equal_both) - number(against);
  agreement.kendall =
      (with - number(against)) / std::sqrt(number(pairs - equal_first)) / std::sqrt(number(pairs - equal_second));
  return agreement;
}

}  // namespace muster
