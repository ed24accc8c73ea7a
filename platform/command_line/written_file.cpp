#include "platform/command_line/written_file.h"

#include <system_error>

#include <fmt/format.h>

#include "platform/store/database.h"

namespace muster {

namespace fs = std::filesystem;

fs::path file_behind(fs::path out, std::string_view expected) {
  constexpr int most_links = 40;
  std::error_code error;
  for (int links = 0; links < most_links && fs::is_symlink(out, error); ++links)
    out = out.parent_path() / fs::read_symlink(out, error);  // an absolute one replaces the folder
  if (fs::exists(out, error) && !fs::is_regular_file(out, error))
    throw output_error(fmt::format("--out: {} is not a regular file; expected {}", out.string(), expected));
  if (error && error != std::errc::no_such_file_or_directory)
    throw output_error(fmt::format("--out: {}: {}", out.string(), error.message()));
  return out;
}

void check_free(const fs::path& file, const fs::path& out, bool force) {
  std::error_code error;
  if (!force && fs::exists(file, error))
    throw output_error(
        fmt::format("{}: is there already; choose another file with --out, or overwrite with --force", out.string()));
}

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

}  // namespace muster
