#pragma once

#include <string>
#include <vector>

#include "platform/metrics/estimate.h"
#include "platform/model/study.h"
#include "platform/store/database.h"
#include "platform/store/stored_pictures.h"
#include "platform/store/verdict.h"

namespace muster {

/// Whether a point has a steady state, as a run has found it: rates are total arrival rates, the shares being kept.
struct point_stability {
  std::string answer;       ///< "stable", "unstable" or "not known"
  double load = 0.0;        ///< of the classes that press hardest on their servers
  std::string overhead;     ///< how it counts overhead: "-", "exact" or "lower bound"
  double rate = 0.0;        ///< of the point
  double work_rate = 0.0;   ///< the work bound: from there on no policy is stable
  double limit_rate = 0.0;  ///< the policy's limit, or the best bound of it that is known; may be infinite
  std::string limit_kind;   ///< what `limit_rate` is, such as "limit" or "known to be stable below"
  std::string limit;        ///< the policy's limit for a reader, such as "3.2 +- 0.1"
};

/// The stability of the points of a study.
struct study_stability {
  std::vector<point_stability> points;  ///< empty: no run has come to its end
  std::vector<std::string> conditions;  ///< of the policies, in words with their sources, and what the words mean
};

/// The differences of two policies, on the same jobs.
struct paired_difference {
  std::size_t a = 0, b = 0;           ///< points
  std::vector<estimate> differences;  ///< value at a minus value at b, by metric
};

/// The conclusions of a study.
struct study_estimates {
  std::vector<std::vector<estimate>> measured;  ///< by point; empty where it is not finished
  std::vector<std::vector<estimate>> known;     ///< theory, by point; empty where there is none
  std::vector<paired_difference> differences;   ///< between policies, of pairs of finished points
  /// Distributions of response times, by point; empty where it is not finished, or not drawn.
  std::vector<std::vector<class_quantiles>> responses{};
  study_stability stability{};
  verdict best{};                                ///< which policies are best, where policies are compared
  std::vector<std::string> warnings{}, notes{};  ///< what a reader should know: given before the run, and after it
};

/// @name Its tables in results.sqlite
/// `estimates` and `theory`, `differences`, `stability` (see point_stability), `verdict` (number: of the metric; a row
/// for each entrant in the order of contest::ranked; point is null in the only row of a contest without entrants) and
/// `sentences` about `stability`, `verdict`, `warning` or `note`. A value that does not exist is null.
/// @{
void create_tables_of_estimates(database& db);
/// Replaces all rows. To be called within a transaction. @throws SQLite::Exception
void write_estimates(database& db, const study_estimates& all);
/// Replaces what is known of the stability, likewise.
void write_stability(database& db, const study_stability& all);
/// Reads them, checked: every point is one of the study's, names of classes and metrics can be names of files, every
/// value is a number or null. An entrant of the verdict without a value is left out.
/// @throws output_error that names the table, the row and what was expected; SQLite::Exception
study_estimates read_estimates(database& db, const study& s);
/// @}

}  // namespace muster
