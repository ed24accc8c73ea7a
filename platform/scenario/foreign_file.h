#pragma once

#include <string>
#include <string_view>

namespace muster {

/// The kind of file that a text looks like which is no scenario, in a sentence: a log of jobs, a table, a compressed
/// file. Empty if it looks like none of them.
/// @param begin of the file, some hundred bytes
std::string other_than_scenario(std::string_view begin, std::string_view name);

}  // namespace muster
