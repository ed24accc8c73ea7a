#pragma once

#include <string>
#include <vector>

#include "platform/metrics/estimate.h"
#include "platform/model/study.h"
#include "platform/tables/table_layout.h"

namespace muster {

/// The unit of a metric, by the study's unit of time; empty if it has none.
std::string unit_of(const std::string& metric, const study& s, std::size_t point);

/// The columns of an estimate itself: estimate, ci_low, ci_high, replications, jobs, note (see caution).
table_layout<estimate> estimate_layout();

/// results.csv: scenario, point, the sweep's keys, class, metric, unit and the columns of an estimate, of each point in
/// the order of its estimates. theory.csv has the same columns: values of no replication, without intervals.
std::string results_csv(const study& s, const std::vector<std::vector<estimate>>& by_point);
/// jobs_in_system.csv: scenario, point, the sweep's keys, time, class, jobs.
std::string presence_csv(const study& s, const std::vector<std::vector<presence_sample>>& by_point);

}  // namespace muster
