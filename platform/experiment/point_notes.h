#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "platform/experiment/replication_plan.h"
#include "platform/scenario/scenario.h"
#include "platform/simulation/mser.h"
#include "platform/simulation/replication.h"

namespace muster {

/// What a reader of a point's results should know: what its replications have remarked, whether its warm-up has
/// settled, and a precision that it has not reached.
/// @param warm_up as a pilot has found it
std::vector<std::string> notes_on(const study& s, std::size_t point, const replication_plan& plan,
                                  const std::vector<replication_result>& replications,
                                  const std::optional<found_warm_up>& warm_up);

}  // namespace muster
