#pragma once

#include "platform/model/scenario.h"
#include "platform/store/verdict.h"
#include "platform/tables/table_document.h"

namespace muster {

/// The last lines of a run: for each metric a table with the best policy, those that cannot be told apart from it, and
/// the next one; then what the other keys change. Rows of the other keys are left out where they change no best policy,
/// and of many rows the first stand here; the page and the formats for programs have more. Nothing if the study does
/// not compare policies.
table_document verdict_text(const study& s, const verdict& v);

}  // namespace muster
