#pragma once

#include <string>
#include <vector>

#include "platform/search/bottlenecks.h"
#include "platform/tables/table_document.h"

namespace muster {

/// @name Text of `muster bottlenecks`
/// @{
/// The metrics of which the response time of a class's jobs consists, where the scenario explains it.
std::vector<metric_of_class> parts_of_response_time(const scenario& model, const std::string& class_name);

/// The first lines: what is asked.
std::string bottleneck_heading(const bottleneck_request& request);
/// A line when some more replications are there.
std::string bottleneck_progress(const bottleneck_request& request, const bottlenecks& so_far);
/// Sentences that warn of a point: which windows are too short, that the changes do not get the same jobs, and that
/// nothing could be measured.
std::vector<std::string> bottleneck_notes(const bottleneck_request& request, const bottlenecks& result);
/// What gains most at a point, in a sentence; what jobs spend their time on, where that is measured; a table of all
/// changes by what they gain. Programs get effect_table().
table_document bottleneck_text(const bottleneck_request& request, const bottlenecks& result);
/// @}

/// The table of bottlenecks.csv and of `--format csv`, a row for each change by what it gains. Columns: scenario,
/// point, the sweep's keys, component, change, setting, class, metric, replications, unchanged, estimate, ci_low,
/// ci_high, difference, difference_ci_low, difference_ci_high, relative, relative_ci_low, relative_ci_high (95 % each),
/// p (Holm's), verdict (gains, loses, open, none, excluded), reason, exact (the difference by theory), cost (its
/// difference), gain_per_cost, cost_in_all (of the changed cluster), jobs (of its log or list).
data_table effect_table(const bottleneck_request& request, const bottlenecks& result);

}  // namespace muster
