#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace muster {

/// A quantile of a sample, with its 95 % interval by order statistics, which supposes no law.
struct sample_quantile {
  double value = 0.0;
  std::optional<double> low{}, high{};  ///< nothing: too few observations for such an interval
  std::size_t observations = 0;         ///< of the sample, at least one
};

/// @param values at least one @param share > 0 and < 1
sample_quantile quantile_of(std::vector<double> values, double share);

}  // namespace muster
