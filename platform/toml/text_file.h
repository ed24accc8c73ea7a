#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace muster {

/// The content of a file.
/// @param kind what it should be, for messages, such as "TOML file"
/// @param most bytes
/// @throws std::runtime_error that says why it cannot be read, but not its name
std::string read_text_file(const std::string& path, std::string_view kind, std::size_t most);

/// How many characters a UTF-8 text has.
std::uint32_t characters(std::string_view text);

}  // namespace muster
