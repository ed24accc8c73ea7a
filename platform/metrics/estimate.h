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

struct metric_entry;

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

/// The values whose mean is an estimate.
struct estimated_values : controlled_values {
  /// By how much the mean of the values is too high, as far as that can be told; the interval allows for it.
  double bias = 0.0;
};

/// The same; where there are at least ten values and their parts are known, with an interval that allows for skewness.
estimate estimate_of(std::string class_name, std::string metric, const estimated_values& found, std::uint64_t jobs);

/// What the replications of a point have found of one metric of a class.
struct metric_series {
  std::string class_name, metric;
  std::vector<const measurement*> found;  ///< by replication; null: it has not measured that
  estimated_values estimated{};           ///< of the replications that have a value

  std::vector<double> values() const;  ///< of the replications that have one
  /// Mean and confidence interval over all replications, with the marks of each of them.
  estimate to_estimate() const;
};

/// What one series has above another in the replications in which both have a value: replications of the same number
/// belong together. If those are all replications of both, it is the difference of their estimates.
/// @param a,b of the same class and metric
estimate difference_of(const metric_series& a, const metric_series& b);

/// The replications in which all of these series have a value, and what they have found there, in the order of the
/// series: replications of the same number belong together. @param all at least one
std::vector<std::vector<const measurement*>> in_common(const std::vector<const metric_series*>& all);

/// Mean and confidence interval of a number that is computed in each of those replications.
/// @param all of the same class
/// @param metric the number's name
/// @param combined computes it from the values of the series
estimate estimate_over(const std::vector<const metric_series*>& all, const std::string& metric,
                       const std::function<double(const std::vector<double>&)>& combined);

/// Whether the metric is one of those times from which the control variates of a point are taken out together.
bool shares_control_variates(const std::string& metric);

/// All that the replications of a point have measured: the one way from them to estimates and differences. The result
/// does not depend on the order in which replications have finished.
///
/// With ten replications or more and control variates, one control_set is chosen for the point, by the response times
/// of all and of each class. It is taken out of all times, so that the parts of a mean still add up to it, and of each
/// other metric that it makes more precise of all jobs, so that those of the classes still add up to that; none where
/// one of those times would be negative; see metric_entry::controlled. A metric of the classes' mean response times
/// (metric_entry::of_class_means) is taken of their estimates, with an interval by the jackknife over replications: the
/// mean of such an index over replications is biased.
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
  /// Of the mean response times of all jobs in successive parts of the windows; 0 with fewer than ten replications, or
  /// without parts.
  double correlation_of_parts() const;

 private:
  void add_estimated_values();
  // False if one of the times would leave its range.
  bool use(const control_set& controls);
  estimated_values over_classes(const metric_series& s, const metric_entry& metric) const;

  std::vector<replication_result> replications_;  // to whose measurements the series point
  std::vector<metric_series> series_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_;  // among them, by class and metric
};

}  // namespace muster
