#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

}  // namespace muster
