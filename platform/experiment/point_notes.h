#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "platform/experiment/replication_plan.h"
#include "platform/metrics/estimate.h"
#include "platform/metrics/mser.h"
#include "platform/metrics/replication_result.h"
#include "platform/model/scenario.h"

namespace muster {

/// What a reader of a point's results should know.
struct point_notes {
  std::vector<std::string> full;   ///< for the manifest: of the replications' remarks one for each text and class
  std::vector<std::string> brief;  ///< for a terminal: the replications' remarks are one line
};

/// What the replications have remarked, whether the warm-up has settled, and a precision that was not reached.
/// @param warm_up as a pilot has found it
point_notes notes_on(const study& s, std::size_t point, const replication_plan& plan,
                     const std::vector<replication_result>& replications, const std::optional<found_warm_up>& warm_up);

}  // namespace muster
