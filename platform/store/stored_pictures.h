#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/metrics/replication_pictures.h"
#include "platform/metrics/response_quantiles.h"
#include "platform/model/scenario.h"
#include "platform/store/database.h"

namespace muster {

/// @name Tables of what a page draws of replications
/// In results.sqlite: `responses` (point, replication, class, counts: see to_text(coarse_sketch)), and of first
/// replications `bins` (point, begin, end, utilization, overhead_share, servers: of each row of them the
/// share of busy cores in thousandths), `jobs_in_bins` (point, bin: its row, class, jobs), `windows` (point, begin,
/// end, servers), `window_bins` (point, begin, end, servers: as in bins), `slices` (point, server, class, job, cores,
/// count, begun, works, saves, ended), `waits` (point, class, job, arrival, wait, until, has_left) and
/// `running_in_waits` (point, wait: its row, class, share); at the end, `response_quantiles` (point, class, share,
/// time).
/// @{
void create_tables_of_pictures(SQLite::Database& db);
/// To be called within a transaction. @throws SQLite::Exception
void write_pictures(SQLite::Database& db, std::size_t point, std::uint32_t replication,
                    const replication_pictures& all);
void remove_pictures(SQLite::Database& db, std::size_t point, std::uint32_t replication);
/// Replaces all quantiles, likewise. @param by_point empty where a point is not finished
void write_quantiles(SQLite::Database& db, const std::vector<std::vector<class_quantiles>>& by_point);
/// @}

/// @name Reading them
/// @throws output_error that names the table and what was expected; SQLite::Exception
/// @{
/// By class, the replications with numbers below `count` together.
std::vector<class_responses> read_responses(SQLite::Database& db, std::size_t point, std::uint32_t count);
/// Of the first replication of each point; without responses.
std::vector<replication_pictures> read_pictures(SQLite::Database& db, const study& s);
/// By point. @param points of the study
std::vector<std::vector<class_quantiles>> read_quantiles(SQLite::Database& db, std::size_t points);
/// @}

}  // namespace muster
