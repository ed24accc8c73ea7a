#pragma once

#include <string>
#include <vector>

#include "platform/model/scenario.h"
#include "platform/results/significance.h"
#include "platform/results/study_estimates.h"

namespace muster {

/// How the lines of a table of the points begin: scenario, point, the sweep's keys. Of the first line.
std::string csv_begin(const study& s);
/// The same of the other lines.
std::string csv_begin(const study& s, std::size_t point);
/// Three fields: mean, ci_low, ci_high. Empty if there is none.
std::string csv_field(const std::optional<difference>& apart);

/// Of a metric, in the study's unit of time; empty if it has none.
std::string unit_of(const std::string& metric, const study& s, std::size_t point);

/// differences.csv: scenario, the sweep's keys but for those of the policy, policy_a, policy_b, class, metric, unit,
/// difference (a - b), ci_low, ci_high, replications (in common), note (of either).
std::string differences_csv(const study& s, const std::vector<paired_difference>& pairs);

/// results.csv: scenario, point, the sweep's keys, class, metric, unit, estimate, ci_low, ci_high, replications, jobs,
/// note (see caution), of each point in the order of its estimates. theory.csv has the same columns: values of no
/// replication, without intervals.
std::string results_csv(const study& s, const std::vector<std::vector<estimate>>& by_point);
/// jobs_in_system.csv: scenario, point, the sweep's keys, time, class, jobs.
std::string presence_csv(const study& s, const std::vector<std::vector<presence_sample>>& by_point);

}  // namespace muster
