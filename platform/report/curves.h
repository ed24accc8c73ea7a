#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "platform/report/stored_results.h"

namespace muster {

/// What stands on the horizontal axis of the plots: a key of the sweep. Points that differ in nothing else are a
/// series.
struct abscissa {
  std::optional<std::size_t> key;  ///< none: nothing is swept
  bool numeric = false;
  std::vector<std::string> values;  ///< distinct, in the order of the sweep
  std::vector<std::string> labels;  ///< of the series: the other keys in words; empty where there are none
  std::vector<double> x;            ///< by point: its value if they are numbers, else the place among `values`
  std::vector<std::size_t> series;  ///< by point: the place among `labels`
};

abscissa abscissa_over(const study& s, std::optional<std::size_t> key);
/// The last key of numbers that takes more than one value; else the last that does.
abscissa usual_abscissa(const study& s);

struct curve_point {
  double x = 0.0, y = 0.0;
  std::optional<double> low, high;  ///< 95 %
};

/// One metric over the horizontal axis, the other keys kept.
struct curve {
  std::string label;
  std::vector<curve_point> measured, known;  ///< by growing x
};

/// The curves of one metric and class, one for each series; without estimates that are missing or not finite.
std::vector<curve> curves_of(const stored_results& stored, const abscissa& over, const std::string& metric,
                             const std::string& class_name);

}  // namespace muster
