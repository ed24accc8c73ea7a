#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "platform/experiment/replication_plan.h"
#include "platform/metrics/replication_result.h"
#include "platform/model/study.h"

namespace muster {

/// What a reader of results should know.
struct study_notes {
  std::vector<std::string> full;   ///< for the manifest: of the replications' remarks one for each text and class
  std::vector<std::string> brief;  ///< for a terminal: the replications' remarks are one line
};

/// Adds what is to be known of a point: what its replications have remarked, whether the warm-up has settled, and a
/// precision that was not reached.
/// @param warm_up as a pilot has found it
void add_notes(study_notes& notes, const study& s, std::size_t point, const replication_plan& plan,
               const std::vector<replication_result>& replications, const std::optional<found_warm_up>& warm_up);

}  // namespace muster
