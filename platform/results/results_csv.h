#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/metrics/estimate.h"
#include "platform/model/scenario.h"
#include "platform/results/paired_differences.h"
#include "platform/results/significance.h"

namespace muster {

/// How the lines of a table of the points begin: scenario, point, the sweep's keys. Of the first line.
std::string csv_begin(const study& s);
/// The same of the other lines.
std::string csv_begin(const study& s, std::size_t point);
/// Three fields: mean, ci_low, ci_high. Empty if there is none.
std::string csv_field(const std::optional<difference>& apart);

/// First line of results.csv: scenario, point, the sweep's keys, class, metric, unit, estimate, ci_low, ci_high,
/// replications, jobs, note (see caution). Commas and quotes in fields are quoted as in RFC 4180.
std::string csv_header(const study& s);
/// The rows of one point, in the order of the estimates. An estimate that does not exist is an empty field. theory.csv
/// has the same header and rows: values of no replication, without intervals.
std::string csv_rows(const study& s, std::size_t point, const std::vector<estimate>& estimates);
/// differences.csv: scenario, the sweep's keys but for those of the policy, policy_a, policy_b, class, metric, unit,
/// difference (a - b), ci_low, ci_high, replications (in common), note (of either).
std::string differences_csv_header(const study& s);
std::string differences_csv_rows(const study& s, const paired_difference& pair);
/// jobs_in_system.csv: scenario, point, the sweep's keys, time, class, jobs.
std::string presence_csv_header(const study& s);
std::string presence_csv_rows(const study& s, std::size_t point, const std::vector<presence_sample>& samples);

}  // namespace muster
