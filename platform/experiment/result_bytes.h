#pragma once

#include <string>

#include "platform/metrics/replication_result.h"

namespace muster {

/// A replication's result as bytes, on its way from a worker process of the same program. Numbers survive to the last
/// bit.
std::string to_bytes(const replication_result& result);
/// @throws std::runtime_error if the bytes end too early
replication_result replication_from_bytes(const std::string& bytes);

/// A replication's result as text, as a store of trials keeps it: JSON, where each object is an array of its members.
/// Numbers survive to the last bit.
std::string to_text(const replication_result& result);
/// @throws nlohmann::json::exception if the text is none of to_text()
replication_result replication_from_text(const std::string& text);

}  // namespace muster
