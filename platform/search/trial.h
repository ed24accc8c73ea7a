#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "platform/metrics/control_variates.h"
#include "platform/search/search_space.h"

namespace muster {

/// A number of a replication that should be small, or great.
struct search_objective {
  std::size_t series = 0;  ///< its place among the numbers of a replication
  bool maximize = false;
};

/// A bound that the expectation of a number of a replication must meet.
struct search_constraint {
  std::size_t series = 0;
  bool at_most = true;  ///< else at least
  double bound = 0.0;
};

/// A combination of values that was tried.
struct trial {
  enum class verdict {
    left,       ///< none of the others
    worse,      ///< another trial, which meets all constraints, is better: in each objective that differs
    violating,  ///< a constraint is violated
    excluded    ///< cannot be tried, measured or recommended
  };

  search_values values;
  std::vector<std::vector<double>> found{};  ///< by series, by replication
  verdict answer = verdict::left;
  std::string why{};         ///< the reason of `excluded`
  std::vector<int> meets{};  ///< by constraint: 1 met, -1 violated, 0 not known
  /// The values of the first series in successive parts of the window, by replication; empty where they are not known.
  std::vector<std::vector<double>> parts{};

  bool is_left() const { return answer == verdict::left; }
  bool is_excluded() const { return answer == verdict::excluded; }
  std::size_t replications() const { return found.front().size(); }
  /// What replications have found of the first series, with the parts of their windows where those are known.
  replicated_values of_first_series() const {
    replicated_values all;
    for (std::size_t r = 0; r < replications(); ++r)
      all.add(r, found.front()[r], r < parts.size() ? parts[r] : std::vector<double>{});
    return all;
  }
  /// Whether all constraints are known to be met.
  bool meets_all() const {
    return std::all_of(meets.begin(), meets.end(), [](int m) { return m > 0; });
  }
};

/// One replication of a combination of values.
struct trial_replication {
  search_values values;
  std::uint32_t replication = 0;
  std::size_t variant = 0;  ///< of the scenario, where a search compares several
};

/// What a replication of a trial has found.
struct trial_outcome {
  std::vector<double> found;    ///< by series; empty: nothing that the trial could be judged by
  std::string why{};            ///< the reason of an empty `found`
  std::vector<double> parts{};  ///< of the first series: values of the parts of the window; empty: not known
};

/// The model whose values are sought.
struct search_model {
  std::size_t series = 1;  ///< numbers of a replication
  /// Why a combination cannot be tried; empty if it can.
  std::function<std::string(const search_values&)> refuse;
  /// The outcomes of replications, in their order; those of the same number see the same jobs.
  std::function<std::vector<trial_outcome>(const std::vector<trial_replication>&)> run;
};

/// @name Judgement of trials by what their replications have found
/// @{
/// Whether a bound is met (1), violated (-1), or that cannot be told (0): by a t-test.
/// @param values at least two
/// @param alpha probability of an error
int judge(const search_constraint& bound, const std::vector<double>& values, double alpha);

/// Whether a trial is better than another one: in each objective in which they differ, and in one at least.
/// @param alpha probability of an error, by paired t-tests over the replications that both have; at least two
bool is_better(const trial& a, const trial& b, const std::vector<search_objective>& objectives, double alpha);

/// Whether the means of a trial are better, in each objective in which they differ, and in one at least.
bool excels(const trial& a, const trial& b, const std::vector<search_objective>& objectives);

/// How far the means are beyond the bounds, in multiples of these, all together; 0: they meet all of them. Of a
/// combination that was not measured: infinitely far.
double violation(const trial& c, const std::vector<search_constraint>& bounds);
/// @}

}  // namespace muster
