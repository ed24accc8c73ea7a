#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "platform/random/checked_values.h"

namespace muster {

/// A sample, with each of its values once.
struct distinct_values {
  /// @param sample at least one value, all > 0
  explicit distinct_values(std::vector<double> sample);

  std::vector<double> values, counts;  ///< ascending, and how often each comes
  double number = 0.0, mean = 0.0, scv = 0.0;
  double mean_log = 0.0;  ///< mean of the logarithms
};

/// A law with parameters that are fitted.
struct law_family {
  std::string_view name;  ///< of the distribution
  std::size_t parameters;
  distribution_values values;
  std::function<double(double)> log_density;
  std::function<double(double)> below;  ///< the distribution function
};

/// Fits a law to a sample of at least two values; nothing: it cannot be such a law.
using law_fit = std::optional<law_family> (*)(const distinct_values& sample);

/// The fits of all laws that run times may have.
const std::vector<law_fit>& law_fits();

}  // namespace muster
