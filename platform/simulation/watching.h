#pragma once

#include <vector>

#include "platform/trace/trace_kind.h"

namespace muster {

/// How a replication is watched while it runs. Its results do not depend on it.
struct watching {
  bool check_protocol = false;        ///< every hop is held against the TLM-2.0 base protocol
  std::vector<trace_request> traces;  ///< to be written on the way
};

}  // namespace muster
