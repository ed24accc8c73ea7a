#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace muster {

/// Characters of the longest name: names become columns of tables and parts of files' names.
inline constexpr std::size_t longest_name = 200;

/// Which name was expected instead, if it is not a name of letters, digits and the characters of `also` that is short
/// enough; null if it is.
std::optional<std::string> expected_name(std::string_view given, std::string_view also = "_-");

/// A name as messages show it: in quotes, at most longest_name characters of it, '?' for each that does not print.
std::string shown_name(std::string_view given);

}  // namespace muster
