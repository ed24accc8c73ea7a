#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/metrics/caution.h"
#include "platform/report/abscissa.h"
#include "platform/store/study_estimates.h"

namespace muster {

struct curve_point {
  double x = 0.0, y = 0.0;
  std::optional<double> low, high;  ///< 95 %
  cautions marks{};                 ///< why it is not to be taken as it stands
};

/// One metric over the horizontal axis, the other keys kept.
struct curve {
  std::string label;
  std::vector<curve_point> measured, known;  ///< by growing x
  series_style style{};
};

/// The curves of one metric and class, one for each series; without estimates that are missing or not finite.
std::vector<curve> curves_of(const study_estimates& all, const abscissa& over, const std::string& metric,
                             const std::string& class_name);

}  // namespace muster
