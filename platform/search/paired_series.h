#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "platform/inference/significance.h"
#include "platform/search/trial.h"

namespace muster {

/// What two variants of a scenario have found at a value of the parameter, replication by replication on the same jobs.
struct paired_point {
  double value = 0.0;
  std::vector<double> first{}, second{};  ///< by replication; equally many
  std::string why{};                      ///< the reason why it is left out; empty: it is not
  int side = 0;                           ///< the variant that is known to have less, as side_at() gives it

  bool excluded() const { return !why.empty(); }
  /// First minus second.
  std::vector<double> differences() const {
    std::vector<double> apart(first.size());
    std::transform(first.begin(), first.end(), second.begin(), apart.begin(), std::minus<>());
    return apart;
  }
  /// Which expectation is less, judged with a probability of an error of at most alpha: -1 the first's, 1 the second's,
  /// 0 that cannot be told.
  int side_at(double alpha) const {
    if (excluded() || first.size() < 2) return 0;
    const difference found = students_difference(second, first);
    if (*found.p > alpha) return 0;
    return found.mean < 0.0 ? -1 : 1;
  }
};

/// Paired points that share their replications, which are numbered from some number on.
class paired_series {
 public:
  /// @param model `run` gets trials of the variants 0 and 1
  paired_series(const search_model& model, std::uint32_t first_replication)
      : model_(model), begin_(first_replication) {}

  /// Replications that measure() would simulate.
  std::size_t cost(const std::vector<double>& values, std::uint32_t n) const { return missing(values, n).size(); }
  /// Makes the points of these values have n replications, those that are left out excepted. @return what it has cost
  std::size_t measure(const std::vector<double>& values, std::uint32_t n) {
    const std::vector<trial_replication> trials = missing(values, n);
    if (trials.empty()) return 0;
    const std::vector<trial_outcome> outcomes = model_.run(trials);
    for (std::size_t at = 0; at < trials.size(); ++at) {
      const double value = trials[at].values.front();
      paired_point& point = points_[value];
      point.value = value;
      if (!outcomes[at].found.empty())
        (trials[at].variant == 0 ? point.first : point.second).push_back(outcomes[at].found.front());
      else if (point.why.empty())
        point.why = outcomes[at].why;
    }
    for (const trial_replication& t : trials)  // of one left out, the pairs that there are
      if (paired_point& point = points_[t.values.front()]; point.excluded()) {
        const std::size_t pairs = std::min(point.first.size(), point.second.size());
        point.first.resize(pairs);
        point.second.resize(pairs);
      }
    return trials.size();
  }
  /// Leaves a value out.
  void exclude(double value, const std::string& why) { points_[value] = {value, {}, {}, why}; }

  bool has(double value) const { return points_.count(value) > 0; }
  const paired_point& at(double value) const { return points_.at(value); }
  /// The points by value.
  std::vector<paired_point> all() const {
    std::vector<paired_point> points;
    for (const auto& [value, point] : points_) points.push_back(point);
    return points;
  }
  /// The points by value, with their sides. @param alpha probability of an error of each
  std::vector<paired_point> judged(double alpha) const {
    std::vector<paired_point> points = all();
    for (paired_point& p : points) p.side = p.side_at(alpha);
    return points;
  }

 private:
  std::vector<trial_replication> missing(const std::vector<double>& values, std::uint32_t n) const {
    std::vector<trial_replication> trials;
    for (const double value : values) {
      const auto point = points_.find(value);
      if (point != points_.end() && point->second.excluded()) continue;
      const std::size_t there = point == points_.end() ? 0 : point->second.first.size();
      for (auto r = static_cast<std::uint32_t>(there); r < n; ++r)
        for (const std::size_t variant : {std::size_t{0}, std::size_t{1}})
          trials.push_back({{value}, begin_ + r, variant});
    }
    return trials;
  }

  const search_model& model_;
  std::uint32_t begin_;
  std::map<double, paired_point> points_;
};

}  // namespace muster
