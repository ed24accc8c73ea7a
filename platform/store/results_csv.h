#pragma once

#include <string>
#include <vector>

#include "platform/model/scenario.h"
#include "platform/store/study_estimates.h"
#include "platform/tables/table_layout.h"

namespace muster {

/// The unit of a metric, by the study's unit of time; empty if it has none.
std::string unit_of(const std::string& metric, const study& s, std::size_t point);

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

/// results.csv: scenario, point, the sweep's keys, class, metric, unit and the columns of an estimate, of each point in
/// the order of its estimates. theory.csv has the same columns: values of no replication, without intervals.
std::string results_csv(const study& s, const std::vector<std::vector<estimate>>& by_point);
/// jobs_in_system.csv: scenario, point, the sweep's keys, time, class, jobs.
std::string presence_csv(const study& s, const std::vector<std::vector<presence_sample>>& by_point);

}  // namespace muster
