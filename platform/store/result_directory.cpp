#include "platform/store/result_directory.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "platform/trace/trace_kind.h"

namespace muster {

namespace fs = std::filesystem;

namespace {

constexpr const char* store_name = "results.sqlite";
constexpr const char* result_files[] = {"results.csv",     "results.sqlite",     "results.sqlite-journal",
                                        "manifest.json",   "jobs_in_system.csv", "theory.csv",
                                        "differences.csv", "scenario.toml"};

constexpr const char* figure_folder = "figures";
constexpr const char* lock_name = ".lock";

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool is_among(const fs::path& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name.lexically_normal().begin()->string()) != names.end();
}

}  // namespace

result_directory::result_directory(fs::path path, const study& s, bool force, const std::vector<std::string>& traces,
                                   const code_fingerprint& code)
    : result_directory(std::move(path)) {
  create();
  take_for_itself();
  using content = result_store::content;
  const content found = force ? content::nothing : result_store::look_into(file(store_name).string(), s, code);
  if (!force && (found == content::another_study || (found == content::nothing && holds_another_study(s))))
    throw output_error(fmt::format(
        "{}: holds results of another scenario; choose another directory with --out, or overwrite with --force",
        path_.string()));
  check_files(s, force, traces);
  remove(own_files(s), found == content::same_study ? kept_files(s) : std::vector<std::string>{});
  store(s);
}

// Locks the directory. The file of the lock stays: whoever removed it might remove one that another run has just
// locked.
void result_directory::take_for_itself() {
  const std::string lock = file(lock_name).string();
  try {
    std::ofstream(lock, std::ios::app).close();
    at_work_ = boost::interprocess::file_lock(lock.c_str());
    if (at_work_.try_lock()) return;
  } catch (const boost::interprocess::interprocess_exception& e) {
    throw output_error(fmt::format("{}: cannot be locked: {}", lock, e.what()));
  }
  throw output_error(
      fmt::format("{}: another run or search is at work there; wait for its end, or choose another directory with "
                  "--out",
                  path_.string()));
}

// The files of the same study that stay: the store, a journal by which it recovers, and the traces that it knows as
// complete. The scenario is replaced whole.
std::vector<std::string> result_directory::kept_files(const study& s) const {
  std::vector<std::string> kept = result_store(file(store_name).string(), s).traces();
  for (const char* name : {store_name, "results.sqlite-journal", "scenario.toml"}) kept.emplace_back(name);
  return kept;
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

result_directory result_directory::of_results(fs::path path) {
  result_directory directory(std::move(path));
  std::error_code error;
  for (const char* name : {store_name, "scenario.toml"})
    if (!fs::exists(directory.file(name), error))
      throw output_error(fmt::format("{}: holds no {}; expected a directory that muster run has written",
                                     directory.path().string(), name));
  return directory;
}

void result_directory::remove_report() const { remove(report_files()); }

void result_directory::remove(const std::vector<std::string>& names, const std::vector<std::string>& kept) const {
  for (const std::string& old : names) {
    if (std::find(kept.begin(), kept.end(), old) != kept.end()) continue;
    std::error_code error;
    fs::remove(file(old), error);
    if (error) throw output_error(fmt::format("{}: cannot be replaced: {}", file(old).string(), error.message()));
  }
}

result_directory result_directory::as_it_is(fs::path path) {
  result_directory directory(std::move(path));
  directory.create();
  return directory;
}

result_directory result_directory::of_search(fs::path path) {
  result_directory directory = as_it_is(std::move(path));
  directory.take_for_itself();
  return directory;
}

void result_directory::create() const {
  std::error_code error;
  if (fs::exists(path_, error) && !fs::is_directory(path_, error))
    throw output_error(fmt::format("{}: exists and is not a directory; choose another with --out", path_.string()));
  fs::create_directories(path_, error);
  if (error) throw output_error(fmt::format("{}: cannot be created: {}", path_.string(), error.message()));
}

// The files of a report. Other files in the folder of figures are not its own.
std::vector<std::string> result_directory::report_files() const {
  std::vector<std::string> names{"report.html"};
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(file(figure_folder), error))
    if (entry.path().extension() == ".svg")
      names.push_back((fs::path(figure_folder) / entry.path().filename()).string());
  return names;
}

// The files that a run may leave here, traces of earlier runs included. A file of the scenario may be called like a
// trace, and is not one of them.
std::vector<std::string> result_directory::own_files(const study& s) const {
  std::vector<std::string> names(std::begin(result_files), std::end(result_files));
  for (std::string& name : report_files()) names.push_back(std::move(name));
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

// Checks that no file of the scenario has the name of a result or, without force, of another file that is there.
void result_directory::check_files(const study& s, bool force, const std::vector<std::string>& traces) const {
  std::error_code error;
  std::vector<std::string> results(std::begin(result_files), std::end(result_files));
  results.insert(results.end(), {"report.html", figure_folder});
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
    // The scenario last: with it and its files the directory is known again.
    for (const auto& [name, content] : s.files)
      if (content_of(file(name)) != content) write(name, content);
    write("scenario.toml", s.resolved);
  } catch (const std::runtime_error& e) {
    throw output_error(e.what());
  }
}

void result_directory::write(const std::string& name, const std::string& text) const {
  const fs::path whole = file(name);
  const fs::path part = whole.parent_path() / ("." + whole.filename().string() + ".part");
  std::error_code error, ignored;
  const auto fail = [&](const std::string& reason) {
    fs::remove(part, ignored);
    throw std::runtime_error(fmt::format("{}: cannot be written: {}", whole.string(), reason));
  };
  fs::create_directories(whole.parent_path(), ignored);
  std::ofstream out(part, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) fail(std::strerror(errno));
  fs::rename(part, whole, error);
  if (error) fail(error.message());
}

}  // namespace muster
