#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace muster {

/// The most characters of a name, as names become columns of tables and parts of files' names.
inline constexpr std::size_t longest_name = 200;

/// Checks a name. @return nothing if it is valid: not empty, at most longest_name characters, each a letter, a digit or
/// one of `also`; else a description of what was expected
std::optional<std::string> expected_name(std::string_view given, std::string_view also = "_-");

/// A name as messages show it: in quotes, cut after longest_name characters, with '?' for each that is not printable.
std::string shown_name(std::string_view given);

}  // namespace muster
