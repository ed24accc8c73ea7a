#pragma once

#include "platform/trace/trace_kind.h"

namespace muster {

/// Makes a trace readable whose writer was ended on the way: it keeps the whole lines, and gets what ends a document of
/// its kind. A complete trace stays as it is; one without a whole line is removed.
void mend_trace(const trace_request& trace);

}  // namespace muster
