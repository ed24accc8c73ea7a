#pragma once

#include <string>

#include "platform/metrics/caution.h"
#include "platform/metrics/estimate.h"
#include "platform/tables/cell.h"

namespace muster {

/// A cell with the mean of an estimate, its interval and its reasons for caution; empty where there is no mean.
inline cell estimate_cell(const estimate& e) {
  if (!e.mean) return {};
  return interval_value{*e.mean, e.ci_low, e.ci_high, e.marks.words(), e.marks.letters()};
}

/// Explains the letters behind numbers, in a line each.
std::string legend_of(const cautions& marks);

}  // namespace muster
