#pragma once

#include <string>

namespace muster {

/// Text of `muster list`. @param subject policies, distributions, utilities, metrics, keys or scenarios
std::string list_of(const std::string& subject);

}  // namespace muster
