#include "platform/results/result_directory.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

#include "platform/trace/trace_kind.h"

namespace muster {

namespace fs = std::filesystem;

namespace {

constexpr const char* result_files[] = {"results.csv",   "results.sqlite",     "results.sqlite-journal",
                                        "manifest.json", "jobs_in_system.csv", "theory.csv",
                                        "scenario.toml"};

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

bool is_among(const fs::path& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name.lexically_normal().begin()->string()) != names.end();
}

}  // namespace

result_directory::result_directory(fs::path path, const study& s, bool force, const std::vector<std::string>& traces)
    : result_directory(std::move(path)) {
  create();
  if (!force && holds_another_study(s))
    throw output_error(fmt::format(
        "{}: holds results of another scenario; choose another directory with --out, or overwrite with --force",
        path_.string()));
  check_files(s, force, traces);
  for (const std::string& old : own_files(s)) {
    std::error_code error;
    fs::remove(file(old), error);
    if (error) throw output_error(fmt::format("{}: cannot be replaced: {}", file(old).string(), error.message()));
  }
  store(s);
}

result_directory result_directory::beside_results(fs::path path, const study& s) {
  result_directory directory(std::move(path));
  directory.create();
  if (directory.holds_another_study(s))
    throw output_error(fmt::format("{}: holds results of another scenario; choose another directory with --out",
                                   directory.path().string()));
  directory.check_files(s, false, {});
  directory.store(s);
  return directory;
}

void result_directory::create() const {
  std::error_code error;
  if (fs::exists(path_, error) && !fs::is_directory(path_, error))
    throw output_error(fmt::format("{}: exists and is not a directory; choose another with --out", path_.string()));
  fs::create_directories(path_, error);
  if (error) throw output_error(fmt::format("{}: cannot be created: {}", path_.string(), error.message()));
}

// What a run may leave here, traces of earlier runs included. A file of the scenario may be called like a trace.
std::vector<std::string> result_directory::own_files(const study& s) const {
  std::vector<std::string> names(std::begin(result_files), std::end(result_files));
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path_, error)) {
    const std::string name = entry.path().filename().string();
    const bool of_scenario = std::any_of(s.files.begin(), s.files.end(), [&](const auto& named) {
      return fs::path(named.first).lexically_normal() == name;
    });
    if (is_trace_file_name(name) && !of_scenario) names.push_back(name);
  }
  return names;
}

bool result_directory::holds_another_study(const study& s) const {
  std::error_code error;
  const std::vector<std::string> own = own_files(s);
  const bool holds_results =
      std::any_of(own.begin(), own.end(), [&](const std::string& name) { return fs::exists(file(name), error); });
  return holds_results && (content_of(file("scenario.toml")) != s.resolved ||
                           std::any_of(s.files.begin(), s.files.end(), [&](const auto& named) {
                             return content_of(file(named.first)) != named.second;
                           }));
}

// Files of the scenario must not fall upon results, nor, without force, upon others.
void result_directory::check_files(const study& s, bool force, const std::vector<std::string>& traces) const {
  std::error_code error;
  const std::vector<std::string> results(std::begin(result_files), std::end(result_files));
  for (const auto& [name, content] : s.files) {
    if (is_among(name, results) || is_among(name, traces))
      throw output_error(
          fmt::format("{}: the scenario has a file of that name, where results go; rename it", file(name).string()));
    if (!force && fs::exists(file(name), error) && content_of(file(name)) != content)
      throw output_error(fmt::format(
          "{}: differs from the scenario's file of that name; choose another directory with --out, or overwrite with "
          "--force",
          file(name).string()));
  }
}

void result_directory::store(const study& s) const {
  try {
    write("scenario.toml", s.resolved);
    for (const auto& [name, content] : s.files)
      if (content_of(file(name)) != content) write(name, content);
  } catch (const std::runtime_error& e) {
    throw output_error(e.what());
  }
}

void result_directory::write(const std::string& name, const std::string& text) const {
  const fs::path whole = file(name);
  const fs::path part = whole.parent_path() / ("." + whole.filename().string() + ".part");
  std::error_code ignored;
  fs::create_directories(whole.parent_path(), ignored);
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
