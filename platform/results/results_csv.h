#pragma once

#include <string>
#include <vector>

#include "platform/results/estimate.h"
#include "platform/scenario/scenario.h"

namespace muster {

/// First line of results.csv: scenario, point, the sweep's keys, class, metric, unit, estimate, ci_low, ci_high,
/// replications, jobs. Commas and quotes in fields are quoted as in RFC 4180.
std::string csv_header(const study& s);
/// The rows of one point, in the order of the estimates. An estimate that does not exist is an empty field. theory.csv
/// has the same header and rows: values of no replication, without intervals.
std::string csv_rows(const study& s, std::size_t point, const std::vector<estimate>& estimates);
/// jobs_in_system.csv: scenario, point, the sweep's keys, time, class, jobs.
std::string presence_csv_header(const study& s);
std::string presence_csv_rows(const study& s, std::size_t point, const std::vector<presence_sample>& samples);

}  // namespace muster
