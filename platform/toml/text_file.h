#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace muster {

/// The content of a file.
/// @param kind what it should be, for messages, such as "TOML file"
/// @param most bytes
/// @throws std::runtime_error that says why it cannot be read, but not its name
std::string read_text_file(const std::string& path, std::string_view kind, std::size_t most);

/// The content of a file, likewise. @throws Error that names it, and says why it cannot be read
template <class Error>
std::string read_text_file(const std::string& path, std::string_view kind, std::size_t most) {
  try {
    return read_text_file(path, kind, most);
  } catch (const std::runtime_error& e) {
    throw Error(path + ": " + e.what());
  }
}

/// How many characters a UTF-8 text has.
std::uint32_t characters(std::string_view text);

}  // namespace muster
