#pragma once

#include <optional>
#include <string>
#include <vector>

namespace muster {

/// The key in whose stead this one may be given, so that to give the one drops the other: of `arrivals.rate`
/// `arrivals.load`, and the like among the parameters of policies and their classes. Nothing if there is none.
std::optional<std::vector<std::string>> alternative_key(const std::vector<std::string>& path);

}  // namespace muster
