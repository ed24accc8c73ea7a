#pragma once

#include "platform/trace/trace_kind.h"

namespace muster {

/// Makes a trace readable whose writer was ended on the way: it keeps the whole lines, or packets. A complete trace
/// stays as it is; one without a whole line or packet is removed.
void mend_trace(const trace_request& trace);

}  // namespace muster
