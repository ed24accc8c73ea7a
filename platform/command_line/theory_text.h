#pragma once

#include <vector>

#include "platform/model/scenario.h"
#include "platform/tables/table_document.h"
#include "platform/theory/theory.h"

namespace muster {

/// What `muster theory` prints: a line for each point and class, and what the answers are or why there are none. The
/// lines are left out where no point has an answer.
/// @param answers by point
table_document theory_text(const study& s, const std::vector<theory>& answers);

}  // namespace muster
