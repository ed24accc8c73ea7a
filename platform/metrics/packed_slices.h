#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace muster {

/// A slice of a log, of which there are many: numbers alone, times in whole seconds since the window began.
struct packed_slice {
  std::uint64_t server = 0;  ///< counted through platform.servers
  std::uint64_t type = 0;    ///< place of the class in scenario::classes
  std::uint64_t job = 0;
  std::uint64_t cores = 0;  ///< number of them
  std::uint64_t begun = 0;
  std::optional<std::uint64_t> lasted;  ///< none: it goes on at the end of the window
  std::uint64_t overhead = 0;           ///< time from its begin until its cores work
  std::uint64_t saving = 0;             ///< time until its end in which its cores save the job's state
};

/// Appends a slice to a text: numbers of base 32 in letters A-Z, a-z, 0-9, + and /, the lowest digit first, each but a
/// number's last one 32 higher; jobs and begins as differences. @param before the slice that was appended before, or {}
void append(std::string& text, const packed_slice& slice, const packed_slice& before);

/// Takes the first slice off a text. @param slice the slice before, or {}; then the one that is taken
/// @return false: the text does not begin with a slice
bool take(std::string_view& text, packed_slice& slice);

}  // namespace muster
