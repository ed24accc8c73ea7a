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

/// How far the search for a crossing goes.
struct crossover_terms {
  std::uint32_t replications = 10;  ///< at least 2; the scan begins with fewer, and takes more where that is not enough
  std::size_t budget = 1000;        ///< replications in all, both variants
  double precision = 0.02;          ///< half-width of a crossing's interval, as a share of the range
};

/// A value where the scan has found one variant to have less, and the next one where it has found the other to.
struct sign_change {
  double low = 0.0, high = 0.0;
  int side_below = 0;  ///< paired_point::side at the low one
};

/// A value of the parameter at which the variant that has less changes.
struct crossing {
  /// The value with its 95 % interval. Of integers it is the first one from which on the other variant has less.
  double value = 0.0, low = 0.0, high = 0.0;
  int side_below = 0;              ///< -1: below it the first variant has less; 1: the second one
  double half_width = 0.0;         ///< of the interval, as a share of the range
  bool precise = false;            ///< that is at most what was wanted
  std::uint32_t replications = 0;  ///< that the interval is from
};

/// What a search for crossings has found.
struct crossover_result {
  std::vector<paired_point> scanned{};  ///< the points of the scan by value, those left out among them
  std::vector<sign_change> changes{};   ///< that the scan has found
  bool no_difference = false;           ///< the scan has found the same for both at all points, to the last digit
  std::vector<crossing> crossings{};    ///< by value
  std::vector<paired_point>
      narrowed{};         ///< by value: where the crossings were narrowed down; sides judged by itself each
  std::size_t spent = 0;  ///< replications
  /// A sentence for each trial whose window is too short.
  std::vector<std::string> short_windows{};

  /// Values of the scan whose side is not known and matters: what lies within a change of sign is narrowed down.
  std::vector<double> unsettled() const;
};

/// Replications of the scan have lower numbers than this one.
std::uint32_t end_of_scan(const crossover_terms& terms);

/// Seeks the values of a parameter at which the variant with less changes: by a scan over the whole range, then the
/// changes of sign that it has found are narrowed down with the rest of the budget.
///
/// The scan tells which variant has less at the values that tune begins with, by few replications. Those of values at
/// which that cannot be told, but for those between two that differ in the answer, are doubled, up to 16 times
/// terms.replications and the budget, or half of the budget once there is a crossing to be narrowed down with the rest.
/// Its answers are wrong with a probability of 5 % at most, all of them together (paired t, Bonferroni over values and
/// looks). Between a value that is left out and a neighbour that is not, gaps are halved down to the precision: the
/// better policy often changes shortly before the other becomes unstable. Several crossings between two neighbouring
/// values are not seen, or taken as one.
///
/// Narrowing down takes replications of its own, which the scan has not seen: of the scan an interval takes the two
/// values between which the crossing lies, and their sides, nothing else. Where the sign changes several times within a
/// change, there are several crossings. At the values from one end of the change to the other the same replications are
/// simulated. Those whose side is known (paired t, two-sided 0.1 %) cut the range; gaps that the interval reaches are
/// halved while they are wider than 4 times the precision and than half of the interval; then the interval is taken as
/// crossing_of() does, and unless it is narrow enough the replications are increased, to what its width asks for, at
/// most 4-fold at a time.
///
/// Coverage: with values and replications fixed beforehand, what crossing_of() is asked for. Cutting loses the crossing
/// with a probability of 0.1 % a value; a gap is halved or not whatever the replications say of the crossing within it.
/// Stopping at the first interval that is narrow enough favours those narrow by chance: in 18,000 searches with normal
/// differences, 93.6 % of intervals of 95 % covered the crossing, and 94.8 % of intervals of 96 %, which are those
/// taken. Several crossings have theirs each.
///
/// @param report called after each look, with what there is so far
/// @throws std::invalid_argument if the budget does not allow a first look
crossover_result find_crossings(const search_range& range, const crossover_terms& terms, const search_model& model,
                                const std::function<void(const crossover_result&)>& report);

}  // namespace muster
