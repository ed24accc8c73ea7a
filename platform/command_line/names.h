#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/toml/diagnostics.h"
#include "platform/toml/nearest_name.h"

namespace muster {

/// "a, b or c". @param names at least two
inline std::string in_words(const std::vector<std::string>& names) {
  return fmt::format("{} or {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

/// For the check of an option: what is wrong with a name that is none of these; empty: nothing.
/// @param what such as "metric"
inline auto known_name(const std::string& what, const std::vector<std::string>& names) {
  return [what, names](const std::string& given) -> std::string {
    if (std::find(names.begin(), names.end(), given) != names.end()) return "";
    return fmt::format("unknown {} {}{}", what, in_quotes(given), suggestion(given, names));
  };
}

}  // namespace muster
