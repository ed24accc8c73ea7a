#include "platform/results/result_directory.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

namespace muster {

namespace fs = std::filesystem;

namespace {

constexpr const char* own_files[] = {"results.csv",        "results.sqlite", "results.sqlite-journal", "manifest.json",
                                     "jobs_in_system.csv", "theory.csv",     "scenario.toml"};

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

result_directory::result_directory(fs::path path, const std::string& resolved, bool force)
    : result_directory(std::move(path)) {
  create();
  if (!force && holds_another_study(resolved))
    throw output_error(fmt::format(
        "{}: holds results of another scenario; choose another directory with --out, or overwrite with --force",
        path_.string()));
  for (const char* old : own_files) {
    std::error_code error;
    fs::remove(file(old), error);
    if (error) throw output_error(fmt::format("{}: cannot be replaced: {}", file(old).string(), error.message()));
  }
  store(resolved);
}

result_directory result_directory::beside_results(fs::path path, const std::string& resolved) {
  result_directory directory(std::move(path));
  directory.create();
  if (directory.holds_another_study(resolved))
    throw output_error(fmt::format("{}: holds results of another scenario; choose another directory with --out",
                                   directory.path().string()));
  directory.store(resolved);
  return directory;
}

void result_directory::create() const {
  std::error_code error;
  if (fs::exists(path_, error) && !fs::is_directory(path_, error))
    throw output_error(fmt::format("{}: exists and is not a directory; choose another with --out", path_.string()));
  fs::create_directories(path_, error);
  if (error) throw output_error(fmt::format("{}: cannot be created: {}", path_.string(), error.message()));
}

bool result_directory::holds_another_study(const std::string& resolved) const {
  std::error_code error;
  return std::any_of(std::begin(own_files), std::end(own_files),
                     [&](const char* name) { return fs::exists(file(name), error); }) &&
         content_of(file("scenario.toml")) != resolved;
}

void result_directory::store(const std::string& resolved) const {
  try {
    write("scenario.toml", resolved);
  } catch (const std::runtime_error& e) {
    throw output_error(e.what());
  }
}

void result_directory::write(const std::string& name, const std::string& text) const {
  const fs::path whole = file(name);
  const fs::path part = file("." + name + ".part");
  std::error_code ignored;
  {
    std::ofstream out(part, std::ios::binary | std::ios::trunc);
    out << text;
    out.close();
    if (!out) {
      const int reason = errno;
      fs::remove(part, ignored);
      throw std::runtime_error(fmt::format("{}: cannot be written: {}", whole.string(), std::strerror(reason)));
    }
  }
  std::error_code error;
  fs::rename(part, whole, error);
  if (!error) return;
  fs::remove(part, ignored);
  throw std::runtime_error(fmt::format("{}: cannot be written: {}", whole.string(), error.message()));
}

}  // namespace muster
