#include "platform/search/search_space.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muster {

namespace {

constexpr double finest = 0.012;  // share of a range of real numbers that is not halved any more

// The combinations of one value of each axis.
std::vector<search_values> product(const std::vector<search_values>& axes) {
  std::vector<search_values> all{{}};
  for (const search_values& values : axes) {
    std::vector<search_values> longer;
    for (const search_values& before : all)
      for (const double value : values) {
        longer.push_back(before);
        longer.back().push_back(value);
      }
    all = std::move(longer);
  }
  return all;
}

}  // namespace

std::vector<std::string> search_space::keys() const {
  std::vector<std::string> keys;
  keys.reserve(axes_.size());
  for (const search_axis& axis : axes_) keys.push_back(axis.key);
  return keys;
}

std::vector<std::string> search_space::texts(const search_values& values) const {
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < axes_.size(); ++k) texts.push_back(axes_[k].range.text(values[k]));
  return texts;
}

std::string search_space::text(const search_values& values) const {
  return fmt::format("{}", fmt::join(texts(values), ", "));
}

std::string search_space::assignments(const search_values& values, const char* between) const {
  std::vector<std::string> words = texts(values);
  for (std::size_t k = 0; k < words.size(); ++k) words[k] = axes_[k].key + " = " + words[k];
  return fmt::format("{}", fmt::join(words, between));
}

search_grid::search_grid(const search_space& space, std::size_t most) : space_(space) {
  for (const search_axis& axis : space.axes()) coarse_.push_back(axis.range.coarse(most));
}

std::vector<search_values> search_grid::coarse() const { return product(coarse_); }

std::size_t search_grid::halvings() const {
  std::size_t deepest = 0;
  for (std::size_t k = 0; k < coarse_.size(); ++k) {
    const search_range& range = space_.axes()[k].range;
    for (std::size_t gap = 0; !range.is_list() && gap + 1 < coarse_[k].size(); ++gap) {
      std::size_t depth = 0;
      double low = coarse_[k][gap], high = coarse_[k][gap + 1];
      while (const auto middle = range.between(low, high, finest)) {
        (*middle - low < high - *middle ? low : high) = *middle;
        ++depth;
      }
      deepest = std::max(deepest, depth);
    }
  }
  return deepest;
}

// The next value beside one; none at the end of the range.
std::optional<double> search_grid::beside(std::size_t axis, double value, bool above) const {
  const std::vector<double>& coarse = coarse_[axis];
  const auto right = above ? std::upper_bound(coarse.begin(), coarse.end(), value)
                           : std::lower_bound(coarse.begin(), coarse.end(), value);
  if (right == coarse.begin() || right == coarse.end()) return std::nullopt;
  double low = *(right - 1), high = *right;
  for (std::size_t halved = 0; halved < level_; ++halved) {
    const auto middle = space_.axes()[axis].range.between(low, high, finest);
    if (!middle) break;
    ((above ? *middle > value : *middle >= value) ? high : low) = *middle;
  }
  return above ? high : low;
}

std::vector<search_values> search_grid::around(const search_values& values) const {
  std::vector<search_values> axes(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    axes[k] = {values[k]};
    if (space_.axes()[k].range.is_list()) continue;
    for (const bool above : {false, true})
      if (const auto next = beside(k, values[k], above)) axes[k].push_back(*next);
  }
  std::vector<search_values> all = product(axes);
  all.erase(all.begin());
  return all;
}

}  // namespace muster
