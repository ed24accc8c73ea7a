#pragma once

#include <cstdint>
#include <optional>
#include <string>
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

/// Mean and confidence interval of each metric over independent replications, in the order of the first one's
/// measurements, with the marks of each of them. The result does not depend on the order in which replications have
/// finished.
/// @param replications in the order of their numbers
std::vector<estimate> estimate_all(const std::vector<replication_result>& replications);

}  // namespace muster
