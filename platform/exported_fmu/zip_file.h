#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace muster {

/// A file of a ZIP archive.
struct zipped_file {
  std::string name;              ///< with `/` between folders
  std::string content;           ///< if nothing is to be copied
  std::filesystem::path copy{};  ///< the file whose content it gets; empty: `content` is it
  bool program = false;          ///< whether it is to be executable
};

/// Writes a ZIP archive as FMI 3.0 wants it: deflated, without links. The same files make the same bytes. The archive
/// is written whole or not at all.
/// @throws std::runtime_error if a file cannot be read, two have the same name, or the archive cannot be written
void write_zip(const std::filesystem::path& archive, const std::vector<zipped_file>& files);

}  // namespace muster
