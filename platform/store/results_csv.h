#pragma once

#include <string>
#include <vector>

#include "platform/metrics/results_csv.h"
#include "platform/model/study.h"
#include "platform/store/study_estimates.h"
#include "platform/tables/table_layout.h"

namespace muster {

/// The source of a row of differences.csv.
struct difference_row {
  const paired_difference& pair;
  const estimate& apart;
};
/// The columns of differences.csv: scenario, the sweep's keys but for those of the policy, policy_a, policy_b, class,
/// metric, unit, difference (a - b), ci_low, ci_high, replications (in common), note (of either).
/// @param s outlives the layout
table_layout<difference_row> differences_layout(const study& s);
/// differences.csv: a row for each metric of each pair.
std::string differences_csv(const study& s, const std::vector<paired_difference>& pairs);

}  // namespace muster
