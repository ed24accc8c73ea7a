#pragma once

#include <string>
#include <vector>

#include "platform/metrics/replication_pictures.h"
#include "platform/model/time_unit.h"

namespace muster {

/// The shares of the jobs for which quantiles of the response time are kept, in growing order.
const std::vector<double>& quantile_shares();

/// The distribution of the response times of a class.
struct class_quantiles {
  std::string class_name;     ///< "all": all classes together
  std::vector<double> times;  ///< in units of time, at the first of the shares: as long as some job took longer
};

/// The distributions of all classes together and of each class that has completions.
/// @param responses response times of all replications together
std::vector<class_quantiles> quantiles_of(const std::vector<class_responses>& responses, const time_unit& unit);

}  // namespace muster
