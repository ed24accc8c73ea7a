#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace muster {

/// The place of a value among others; it is added behind them if it is not there.
template <class Value>
std::size_t place_in(std::vector<Value>& all, const Value& value) {
  const auto known = std::find(all.begin(), all.end(), value);
  const auto place = static_cast<std::size_t>(known - all.begin());
  if (known == all.end()) all.push_back(value);
  return place;
}

}  // namespace muster
