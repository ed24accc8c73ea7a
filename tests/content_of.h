#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

namespace muster {

/// The bytes of a file; none if it cannot be read, as a folder cannot.
inline std::string content_of(const std::filesystem::path& file) {
  if (std::error_code none; !std::filesystem::is_regular_file(file, none)) return {};
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace muster
