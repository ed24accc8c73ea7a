#pragma once

#include <string>

#include "platform/simulation/replication.h"

namespace muster {

/// A replication's result as text, on its way from a worker process; numbers survive to the last bit.
std::string to_text(const replication_result& result);
replication_result replication_from_text(const std::string& text);

}  // namespace muster
