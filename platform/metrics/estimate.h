#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/metrics/caution.h"
#include "platform/metrics/control_variates.h"
#include "platform/metrics/replication_result.h"
#include "platform/metrics/sample.h"

namespace muster {

struct metric_entry;

/// The estimate of one metric from the replications of a point.
struct estimate {
  std::string class_name, metric;
  std::optional<double> mean;  ///< none: no replication has a value
  /// The 95 % interval: Student's t, or skewed_interval() where the parts of ten replications are known. None with
  /// fewer than two values, unless batch means of the only replication give it.
  std::optional<double> ci_low, ci_high;
  std::uint32_t replications = 0;  ///< number of replications that have a value
  std::uint64_t jobs = 0;          ///< completions behind it, all replications together
  cautions marks{};                ///< reasons for caution
  /// The factor by which control variates have lowered the variance: as many times fewer jobs are as precise.
  double variance_factor = 1.0;

  /// The distance of the mean from the further end of the interval, over the mean; none: there is no interval.
  std::optional<double> relative_half_width() const;
};

/// Estimates mean and confidence interval of one metric over independent replications.
/// @param values of the replications that have one
/// @param jobs completions behind the values
estimate estimate_of(std::string class_name, std::string metric, const std::vector<double>& values, std::uint64_t jobs);

/// Estimates mean and confidence interval of one metric. Where there are at least ten values and their parts are known,
/// the interval allows for skewness.
estimate estimate_of(std::string class_name, std::string metric, const replicated_values& estimated,
                     std::uint64_t jobs);

/// The values of a minus those of b, and of their parts, in the replications in which both have one.
replicated_values subtract(const replicated_values& a, const replicated_values& b);

/// The measurements of one metric of a class in the replications of a point.
struct metric_series {
  std::string class_name, metric;
  std::vector<const measurement*> measured;  ///< by replication; null: it has not measured the metric
  replicated_values estimated{};             ///< values of the replications that have one
  /// An interval of the same mean on another scale, which the interval of the estimate holds as well; none: there is no
  /// such scale.
  std::optional<mean_interval> on_other_scale{};

  std::vector<double> values() const;  ///< values of the replications that have one
  /// The mean and confidence interval over all replications, with the marks of each of them.
  estimate to_estimate() const;
};

/// The difference of two series over the replications in which both have a value: replications of the same number
/// belong together. If those are all replications of both, it is the difference of their estimates.
/// @param a,b of the same class and metric
estimate difference_of(const metric_series& a, const metric_series& b);

/// The measurements of the replications in which all of these series have a value, in the order of the series:
/// replications of the same number belong together. @param all at least one
std::vector<std::vector<const measurement*>> in_common(const std::vector<const metric_series*>& all);

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
/// mean of such an index over replications is biased. Its greatest value is that of equal means. Near that it is a
/// square of their differences, of which the jackknife knows little, and so the interval holds that by the root of the
/// distance from the greatest value as well. The mean of a ratio (metric_entry::denominator) over replications is
/// biased, too; the estimate is the ratio of the means.
class measured_point {
 public:
  /// @param replications in the order of their numbers; one without measurements is not there
  explicit measured_point(std::vector<replication_result> replications);
  measured_point(measured_point&&) = default;
  measured_point(const measured_point&) = delete;

  /// The series in the order in which the replications list them, those of the first replication first.
  const std::vector<metric_series>& series() const { return series_; }
  /// The series of a metric of a class; null if no replication has measured it.
  const metric_series* find(const std::string& class_name, const std::string& metric) const;
  /// The estimates of the series, in that order.
  std::vector<estimate> estimates() const;
  /// The correlation of mean response times in successive parts of the windows; 0 without parts of ten replications.
  double correlation_of_parts() const;

 private:
  void add_estimated_values();
  // Takes the control variates out. @return false if one of the times would leave its range
  bool use(const control_set& controls);
  void estimate_over_classes(metric_series& s, const metric_entry& metric) const;
  replicated_values ratio_of_means(const metric_series& s, const metric_series* denominator) const;

  std::vector<replication_result> replications_;  // replications to whose measurements the series point
  std::vector<metric_series> series_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_;  // places among the series, by class and metric
};

}  // namespace muster
