#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/metrics/caution.h"
#include "platform/metrics/replication_result.h"

namespace muster {

/// The estimate of one metric from the replications of a point.
struct estimate {
  std::string class_name, metric;
  std::optional<double> mean;  ///< none: no replication has a value
  /// 95 %, Student's t; none with fewer than two values, unless batch means of the one replication give it.
  std::optional<double> ci_low, ci_high;
  std::uint32_t replications = 0;  ///< that have a value
  std::uint64_t jobs = 0;          ///< completions behind it, all replications together
  cautions marks{};                ///< reasons for caution
};

/// Mean and confidence interval of one metric over independent replications.
/// @param values of the replications that have one
/// @param jobs completions behind them
estimate estimate_of(std::string class_name, std::string metric, const std::vector<double>& values, std::uint64_t jobs);

/// What the replications of a point have found of one metric of a class.
struct metric_series {
  std::string class_name, metric;
  std::vector<const measurement*> found;  ///< by replication; null: it has not measured that

  std::vector<double> values() const;  ///< of the replications that have one
  /// Mean and confidence interval over all replications, with the marks of each of them.
  estimate to_estimate() const;
  /// The same of this series less another. Pairs of replications of the same number of which both have a value count.
  estimate less(const metric_series& other) const;
  /// Values of those pairs, this one's and the other's.
  std::pair<std::vector<double>, std::vector<double>> pairs_with(const metric_series& other) const;
};

/// All that the replications of a point have measured: the one way from them to estimates and differences. The result
/// does not depend on the order in which replications have finished.
class measured_point {
 public:
  /// @param replications in the order of their numbers; one without measurements is not there. They outlive this
  /// object.
  explicit measured_point(const std::vector<replication_result>& replications);

  /// In the order in which the replications list them, the first one's first.
  const std::vector<metric_series>& series() const { return series_; }
  /// Null if no replication has measured that.
  const metric_series* find(const std::string& class_name, const std::string& metric) const;
  /// Of each series, in that order.
  std::vector<estimate> estimates() const;

 private:
  std::vector<metric_series> series_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_;  // among them, by class and metric
};

}  // namespace muster
