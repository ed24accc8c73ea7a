#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace muster {

/// The known name that was most likely meant: the least letters added, left out, replaced or swapped with their
/// neighbour; the first of equals. None if more than a third of the letters (or more than one in short names) differ.
std::optional<std::string> nearest_name(std::string_view given, const std::vector<std::string>& known);

/// The names of all entries of a catalogue, of entries or of pointers to them.
template <class Catalogue>
std::vector<std::string> names_of(const Catalogue& catalogue) {
  std::vector<std::string> names;
  names.reserve(catalogue.size());
  for (const auto& entry : catalogue)
    if constexpr (std::is_pointer_v<typename Catalogue::value_type>)
      names.emplace_back(entry->name);
    else
      names.emplace_back(entry.name);
  return names;
}

/// How a message on an unknown name ends: "; did you mean 'x'?", else "; expected one of: x, y" if the known names
/// are few, else nothing.
std::string suggestion(std::string_view given, const std::vector<std::string>& known);

}  // namespace muster
