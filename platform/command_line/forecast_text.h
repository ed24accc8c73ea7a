#pragma once

#include <string>
#include <vector>

#include "platform/forecast/forecast.h"
#include "platform/tables/table_document.h"

namespace muster {

/// A time as people say it, with at most two units: "2 h 10 min", "3 d 4 h", "45 s", "5 ms". Negative and infinite
/// times are none.
std::string time_in_words(double seconds);

/// @name Text of `muster forecast`
/// @{
/// When the jobs that wait start, in sentences and a table; what each variant shifts. Programs get start_table().
/// @param found by variant
table_document forecast_text(const forecast_request& request, const std::vector<queue_forecast>& found);

/// The table of forecast.csv and of `--format csv`, a row for each variant and job that waits, with times in the
/// scenario's unit. Columns: scenario, point, the sweep's keys, with (the variant; empty: none), job, line, user,
/// class, cores, limit, run_time_from (file, user, all_users, law), replications, started (the share of them in which
/// it starts), start_p10, start_p50, start_p90, start_p50_ci_low, start_p50_ci_high, a column within_.. for each time
/// that is asked for, shift, shift_ci_low, shift_ci_high (95 %), p (Holm's), verdict (earlier, later, open, none,
/// unknown).
data_table start_table(const forecast_request& request, const std::vector<queue_forecast>& found);
/// The table for the time by which all jobs that wait have started, a row for each variant, with columns as
/// start_table() has them.
data_table queue_table(const forecast_request& request, const std::vector<queue_forecast>& found);
/// @}

}  // namespace muster
