#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/metrics/caution.h"
#include "platform/metrics/control_variates.h"
#include "platform/metrics/replication_result.h"

namespace muster {

/// The estimate of one metric from the replications of a point.
struct estimate {
  std::string class_name, metric;
  std::optional<double> mean;  ///< none: no replication has a value
  /// 95 %, Student's t, or skewed_interval() where the parts of ten replications are known; none with fewer than two
  /// values, unless batch means of the one replication give it.
  std::optional<double> ci_low, ci_high;
  std::uint32_t replications = 0;  ///< that have a value
  std::uint64_t jobs = 0;          ///< completions behind it, all replications together
  cautions marks{};                ///< reasons for caution
  /// By how much control variates have lowered the variance: so many times fewer jobs are as precise.
  double variance_factor = 1.0;

  /// From the mean to the further end of the interval, over the mean; none: there is no interval.
  std::optional<double> relative_half_width() const;
};

/// Mean and confidence interval of one metric over independent replications.
/// @param values of the replications that have one
/// @param jobs completions behind them
estimate estimate_of(std::string class_name, std::string metric, const std::vector<double>& values, std::uint64_t jobs);

/// The same; where there are at least ten values and their parts are known, by control variates and with an interval
/// that allows for skewness.
estimate estimate_of(std::string class_name, std::string metric, const replicated_values& found, std::uint64_t jobs);

/// What the replications of a point have found of one metric of a class.
struct metric_series {
  std::string class_name, metric;
  std::vector<const measurement*> found;  ///< by replication; null: it has not measured that
  /// By replication; empty: not known.
  std::vector<const std::vector<control_variate>*> controls{};

  std::vector<double> values() const;  ///< of the replications that have one
  /// Mean and confidence interval over all replications, with the marks of each of them.
  estimate to_estimate() const;
};

/// The replications in which all of these series have a value, and what they have found there, in the order of the
/// series: replications of the same number belong together. @param all at least one
std::vector<std::vector<const measurement*>> in_common(const std::vector<const metric_series*>& all);

/// How a number depends on the values that it is computed from.
enum class dependence {
  linear,  ///< the parts of the values give those of the number; all series have the same jobs
  any
};

/// Mean and confidence interval of a number that is computed in each of those replications.
/// @param all of the same class
/// @param metric the number's name
/// @param combined computes it from the values of the series
estimate estimate_over(const std::vector<const metric_series*>& all, const std::string& metric,
                       const std::function<double(const std::vector<double>&)>& combined,
                       dependence kind = dependence::any);

/// All that the replications of a point have measured: the one way from them to estimates and differences. The result
/// does not depend on the order in which replications have finished.
class measured_point {
 public:
  /// @param replications in the order of their numbers; one without measurements is not there
  explicit measured_point(std::vector<replication_result> replications);
  measured_point(measured_point&&) = default;
  measured_point(const measured_point&) = delete;

  /// In the order in which the replications list them, the first one's first.
  const std::vector<metric_series>& series() const { return series_; }
  /// Null if no replication has measured that.
  const metric_series* find(const std::string& class_name, const std::string& metric) const;
  /// Of each series, in that order.
  std::vector<estimate> estimates() const;

 private:
  std::vector<replication_result> replications_;  // to whose measurements the series point
  std::vector<metric_series> series_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_;  // among them, by class and metric
};

}  // namespace muster
