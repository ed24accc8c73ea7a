#include "muster/policies/name.h"

#include <algorithm>

namespace muster {

namespace {

bool fits(char c, std::string_view also) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         also.find(c) != std::string_view::npos;
}

}  // namespace

std::optional<std::string> expected_name(std::string_view given, std::string_view also) {
  if (given.size() > longest_name) return "a name of at most " + std::to_string(longest_name) + " characters";
  if (!given.empty() && std::all_of(given.begin(), given.end(), [&](char c) { return fits(c, also); }))
    return std::nullopt;
  std::string characters = "a name of letters, digits";
  for (const char c : also) characters.append(c == also.back() ? " and '" : ", '").append(1, c).append("'");
  return characters;
}

std::string shown_name(std::string_view given) {
  std::string shown = "'";
  for (const char c : given.substr(0, longest_name)) shown += c >= ' ' && c <= '~' ? c : '?';
  return shown + (given.size() > longest_name ? "..'" : "'");
}

}  // namespace muster
