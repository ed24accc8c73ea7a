#pragma once

#include <string>

#include "platform/metrics/caution.h"
#include "platform/metrics/estimate.h"
#include "platform/tables/cell.h"

namespace muster {

/// The mean of an estimate with its interval and its reasons for caution; nothing where there is no mean.
inline cell estimate_cell(const estimate& e) {
  if (!e.mean) return {};
  return interval_value{*e.mean, e.ci_low, e.ci_high, e.marks.words(), e.marks.letters()};
}

/// What the letters behind numbers stand for, a line each.
std::string legend_of(const cautions& marks);

}  // namespace muster
