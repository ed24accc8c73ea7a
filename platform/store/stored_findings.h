#pragma once

#include <vector>

#include "platform/metrics/estimate.h"
#include "platform/model/scenario.h"
#include "platform/store/database.h"
#include "platform/store/point_stability.h"
#include "platform/store/verdict.h"

namespace muster {

/// @name Tables of what a run has concluded
/// In results.sqlite: `stability` (see point_stability), `verdict` (number: of the metric; a row for each entrant in
/// the order of contest::ranked; point is null in the only row of a contest without entrants) and `sentences` about
/// `stability`, `verdict`, `warning` or `note`.
/// @{
void create_tables_of_findings(SQLite::Database& db);
/// Replaces all rows. To be called within a transaction. @throws SQLite::Exception
void write_stability(SQLite::Database& db, const study_stability& all);
void write_verdict(SQLite::Database& db, const verdict& v);
/// @param about what the sentences are about
void write_sentences(SQLite::Database& db, const std::string& about, const std::vector<std::string>& sentences);
/// @}

/// @name Reading them
/// @throws output_error that names the table and what was expected; SQLite::Exception
/// @{
study_stability read_stability(SQLite::Database& db, const study& s);
/// @param measured the estimates of the entrants, by point; an entrant without a value is left out
verdict read_verdict(SQLite::Database& db, const study& s, const std::vector<std::vector<estimate>>& measured);
std::vector<std::string> read_sentences(SQLite::Database& db, const std::string& about);
/// @}

}  // namespace muster
