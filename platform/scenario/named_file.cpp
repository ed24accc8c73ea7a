#include "platform/scenario/named_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "platform/toml/diagnostics.h"
#include "platform/toml/nearest_name.h"
#include "platform/toml/text_file.h"

namespace muster {

namespace fs = std::filesystem;

namespace {

bool is_below_folder(const fs::path& path) {
  return path.has_filename() && path.is_relative() && std::find(path.begin(), path.end(), "..") == path.end() &&
         path.native().find('\0') == std::string::npos;
}

}  // namespace

std::string likely_path(const std::string& folder, const fs::path& path) {
  std::vector<std::string> names;
  std::error_code error;
  const fs::path beside = (folder / path).parent_path();
  for (fs::directory_iterator at{beside.empty() ? "." : beside, error}, end; !error && at != end; at.increment(error))
    if (at->is_regular_file(error)) names.push_back(at->path().filename().string());
  std::sort(names.begin(), names.end());  // the same advice in any folder
  const auto nearest = nearest_name(path.filename().string(), names);
  return nearest ? fmt::format("; did you mean {}?", in_quotes((path.parent_path() / *nearest).string())) : "";
}

void read_named_file(const std::string& folder, const std::string& path, std::string_view kind, std::size_t largest,
                     named_file& file) {
  if (!is_below_folder(path)) {
    file.refusal = "expected a relative path without '..', found " + in_quotes(path);
    return;
  }
  file.path = (fs::path{folder} / path).string();
  try {
    file.content = read_text_file(file.path, kind, largest);
  } catch (const std::runtime_error& error) {
    file.refusal = in_quotes(path) + " " + error.what();
    std::error_code ignored;
    if (!fs::exists(file.path, ignored)) file.refusal += likely_path(folder, path);
  }
}

}  // namespace muster
