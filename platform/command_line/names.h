#pragma once

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/toml/diagnostics.h"
#include "platform/toml/nearest_name.h"

namespace muster {

/// The names of all entries of a catalogue, of entries or of pointers to them.
template <class Catalogue>
std::vector<std::string> names_of(const Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const auto& entry : catalogue)
    if constexpr (std::is_pointer_v<typename Catalogue::value_type>)
      names.emplace_back(entry->name);
    else
      names.emplace_back(entry.name);
  return names;
}

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
