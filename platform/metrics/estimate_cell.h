#pragma once

#include <string>

#include <fmt/format.h>

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
inline std::string legend_of(const cautions& marks) {
  std::string text;
  for (const caution_entry& entry : caution_catalogue())
    if (marks.has(entry.reason)) text += fmt::format("{}  {}: {}\n", entry.letter, entry.word, entry.about);
  return text;
}

}  // namespace muster
