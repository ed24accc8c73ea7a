#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "platform/experiment/replication_plan.h"
#include "platform/metrics/replication_result.h"
#include "platform/model/study.h"
#include "platform/store/manifest.h"
#include "platform/store/result_directory.h"
#include "platform/store/result_store.h"
#include "platform/theory/theory.h"

namespace muster {

/// What a reader of results should know.
struct study_notes {
  std::vector<std::string> full;   ///< for the manifest: of the replications' remarks one for each text and class
  std::vector<std::string> brief;  ///< for a terminal: the replications' remarks are one line
};

/// What the replications of a study come to.
struct study_results {
  study_estimates estimates;                           ///< with their marks
  std::vector<theory> known;                           ///< by point, as far as finished
  std::vector<std::vector<presence_sample>> presence;  ///< by point, where recorded
  std::vector<precision_fact> precision;               ///< of finished points that were to reach one
  std::vector<variance_fact> variance;                 ///< estimates that control variates have made more precise
  std::vector<std::size_t> imprecise;                  ///< finished points that have missed a precision
  study_notes notes;                                   ///< of all points
};

/// Concludes from the replications that the store has and that count. Everything but the theory comes from the store,
/// so that it is the same whoever has put it there.
/// @param known the stability of each point
study_results results_of(const study& s, const std::vector<stability>& known, result_store& store,
                         const replication_plan& plan);

/// Leaves the results in the store, and as results.csv, theory.csv, differences.csv and jobs_in_system.csv beside it;
/// the last three only where there is something to write.
void write_results(const study& s, const study_results& results, result_store& store,
                   const result_directory& directory);

}  // namespace muster
