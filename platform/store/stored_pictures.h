#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/metrics/replication_pictures.h"
#include "platform/model/study.h"
#include "platform/store/stored_table.h"

namespace muster {

/// @name Tables of what a page draws of replications
/// In results.sqlite, of the points that are drawn: `responses` of all replications; of the first one `bins` with
/// `jobs_in_bins` (bin: the row there), `windows` with `window_bins` and `slices`, `waits` with `running_in_waits`
/// (wait: the row there), and of a log `queue` and `slowdowns`; at the end `response_quantiles`. Columns are called as
/// the members are; servers have shares of busy cores in thousandths, one for each row of them.
/// @{
void create_tables_of_pictures(database& db);
/// To be called within a transaction. @throws SQLite::Exception
/// @param at point and replication
void write_pictures(database& db, const row_places& at, const replication_pictures& all);
void remove_pictures(database& db, const row_places& at);
/// Replaces all quantiles, likewise. @param by_point empty where a point is not finished
void write_quantiles(database& db, const std::vector<std::vector<class_quantiles>>& by_point);
/// @}

/// @name Reading them
/// @throws output_error that names the table and what was expected; SQLite::Exception
/// @{
/// The response times of each class, of all replications with numbers below `count` together.
std::vector<class_responses> read_responses(database& db, std::size_t point, std::uint32_t count);
/// The pictures of the first replication of each of the first points (see most_drawn_points), without response times.
std::vector<replication_pictures> read_pictures(database& db, const study& s);
/// The quantiles of each point. @param points of the study
std::vector<std::vector<class_quantiles>> read_quantiles(database& db, std::size_t points);
/// @}

}  // namespace muster
