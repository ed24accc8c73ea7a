#pragma once

#include <string>

#include "platform/metrics/mser.h"
#include "platform/metrics/replication_result.h"

namespace muster {

/// A replication's result as text, on its way from a worker process; numbers survive to the last bit.
std::string to_text(const replication_result& result);
replication_result replication_from_text(const std::string& text);

/// The same for what a pilot has found.
std::string to_text(const found_warm_up& found);
found_warm_up warm_up_from_text(const std::string& text);

}  // namespace muster
