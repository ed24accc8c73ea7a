#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platform/inference/significance.h"
#include "platform/metrics/control_variates.h"
#include "platform/search/hardware_change.h"
#include "platform/search/scenario_search.h"

namespace muster {

/// What is asked: how much each change of the hardware changes a metric, the goal, the first of `metrics`.
struct bottleneck_request : searched_study {
  std::vector<hardware_change> changes{};
  std::uint32_t replications = 10;  ///< of each change; at least 2
  bool goal_is_larger = false;      ///< whether larger values of the goal are better

  /// @param measured the goal first; without duplicates
  /// @param possible changes, at least one
  bottleneck_request(const study& s, std::vector<metric_of_class> measured, std::vector<hardware_change> possible);

  const metric_of_class& goal() const { return metrics.front(); }
};

/// A mean with its 95 % interval; none where there are too few values.
struct ratio_estimate {
  double mean = 0.0;
  std::optional<double> ci_low, ci_high;
};

/// What a change of the hardware does to the goal.
struct effect_of_change {
  enum class verdict {
    gains,     ///< the goal becomes better
    loses,     ///< the goal becomes worse
    open,      ///< it cannot be told whether it changes
    none,      ///< every replication finds the same, but for rounding
    excluded,  ///< the cluster, as it is or changed, cannot be measured: see trial::why
  };

  std::size_t change = 0;         ///< place among the request's
  trial measured{};               ///< the changed cluster
  difference apart{};             ///< of the goal, changed minus unchanged: difference_in_pairs() on the same jobs
  ratio_estimate relative{};      ///< that over the goal of the unchanged cluster
  std::optional<double> p{};      ///< Holm's, over all changes
  std::optional<double> exact{};  ///< the difference by theory; none: theory does not know both exactly
  std::optional<double> price{};  ///< the change of the mean cost; none: no price tells it
  verdict answer = verdict::excluded;
  std::optional<double> cost{};       ///< the mean cost of the changed cluster; none: nothing has a price
  std::optional<std::size_t> jobs{};  ///< of the log or list that it gets; none: jobs are drawn

  /// The gain in the goal's unit: how much better it becomes.
  double gain(bool larger_is_better) const { return larger_is_better ? apart.mean : -apart.mean; }
};

/// Which component of the hardware binds.
struct bottlenecks {
  trial unchanged{};
  /// By what they gain, the most first; those left out last.
  std::vector<effect_of_change> effects{};
  /// The first of `effects` that is known to gain; none: no change is.
  std::optional<std::size_t> first{};
  /// Others of `effects` that cannot be told apart from that one, by paired differences of their own (Holm).
  std::vector<std::size_t> like_first{};
  std::uint32_t replications = 0;  ///< of each change so far
  std::vector<std::string> short_windows{};
  bool any_fault = false;             ///< whether a trial has ended in a fault
  std::optional<std::size_t> jobs{};  ///< of the log or list that the unchanged cluster gets; none: jobs are drawn

  /// Whether the cluster can be measured as it is or with any change.
  bool any_measured() const;
  /// The first of `effects` that does not get as many jobs as the unchanged cluster; null: none.
  const effect_of_change* with_other_jobs() const;
};

/// Judges what replications have found. A verdict is right with a probability of 95 %, all of them together (Holm).
/// @param measured the unchanged cluster first, then each change in the order of the request
bottlenecks judge_bottlenecks(const bottleneck_request& request, const measured_values& measured);

/// Simulates the cluster as it is and with each change, on the same jobs. See the searches of scenario_search.h for
/// what is left out and what is thrown; where nothing can be measured, everything is left out.
/// @param make the scenario with the change of a number from 1 on; 0: unchanged
/// @param report called when some more replications of all changes are there
bottlenecks find_bottlenecks(const bottleneck_request& request, const std::function<scenario(std::size_t change)>& make,
                             const std::function<void(const bottlenecks&)>& report);

/// The difference of two means, second minus first, by pairs of replications. From ten replications on whose parts are
/// known the interval allows for skewness, see skewed_interval(), and p is that of its end towards zero.
/// @param first,second at least one replication that both have
difference difference_in_pairs(const replicated_values& first, const replicated_values& second);

/// The ratio of the means of values that belong together, with an interval by linearisation, which allows for skewness
/// as difference_in_pairs() does.
/// @param over of the same replications; not zero on average
ratio_estimate ratio_of(const replicated_values& values, const replicated_values& over);

}  // namespace muster
