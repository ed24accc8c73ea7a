#include "platform/experiment/paired_series.h"

#include <algorithm>

#include "platform/results/significance.h"

namespace muster {

std::vector<double> paired_point::differences() const {
  std::vector<double> apart(first.size());
  std::transform(first.begin(), first.end(), second.begin(), apart.begin(), std::minus<>());
  return apart;
}

int paired_point::side(double alpha) const {
  if (excluded() || first.size() < 2) return 0;
  const difference found = students_difference(second, first);
  if (*found.p > alpha) return 0;
  return found.mean < 0.0 ? -1 : 1;
}

std::vector<trial> paired_series::missing(const std::vector<double>& values, std::uint32_t n) const {
  std::vector<trial> trials;
  for (const double value : values) {
    const auto point = points_.find(value);
    if (point != points_.end() && point->second.excluded()) continue;
    const std::size_t there = point == points_.end() ? 0 : point->second.first.size();
    for (auto r = static_cast<std::uint32_t>(there); r < n; ++r)
      for (const std::size_t variant : {std::size_t{0}, std::size_t{1}}) trials.push_back({value, begin_ + r, variant});
  }
  return trials;
}

std::size_t paired_series::cost(const std::vector<double>& values, std::uint32_t n) const {
  return missing(values, n).size();
}

std::size_t paired_series::measure(const std::vector<double>& values, std::uint32_t n) {
  const std::vector<trial> trials = missing(values, n);
  if (trials.empty()) return 0;
  const std::vector<trial_outcome> outcomes = model_.run(trials);
  for (std::size_t at = 0; at < trials.size(); ++at) {
    paired_point& point = points_[trials[at].value];
    point.value = trials[at].value;
    if (outcomes[at].found)
      (trials[at].variant == 0 ? point.first : point.second).push_back(*outcomes[at].found);
    else if (point.why.empty())
      point.why = outcomes[at].why;
  }
  for (const trial& t : trials)  // of one left out, the pairs that there are
    if (paired_point& point = points_[t.value]; point.excluded()) {
      const std::size_t pairs = std::min(point.first.size(), point.second.size());
      point.first.resize(pairs);
      point.second.resize(pairs);
    }
  return trials.size();
}

std::vector<paired_point> paired_series::all() const {
  std::vector<paired_point> points;
  for (const auto& [value, point] : points_) points.push_back(point);
  return points;
}

}  // namespace muster
