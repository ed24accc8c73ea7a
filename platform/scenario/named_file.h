#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "platform/scenario/queued_job.h"

namespace muster {

/// A file that a scenario names, and what is wrong with it.
struct named_file {
  struct place {
    std::uint32_t line = 1;
    std::uint32_t column = 1;  ///< in characters, from 1
  };
  struct flaw {
    place where;
    std::string message;
  };
  static constexpr std::size_t enough_flaws = 100;
  static constexpr std::size_t largest = std::size_t{16} << 20;  ///< bytes

  std::string path;     ///< for messages
  std::string content;  ///< as it was read
  std::string refusal;  ///< why it could not be read; empty if it could
  std::vector<flaw> flaws;
  std::deque<std::string> unquoted{};  ///< fields whose doubled quotes have become single ones

  bool fit() const { return refusal.empty() && flaws.empty(); }
  /// Adds a flaw, unless there are enough of them.
  void complain(std::string message, place where) {
    if (flaws.size() < enough_flaws) flaws.push_back({where, std::move(message)});
  }
  /// Adds a flaw of the whole file.
  void complain(std::string message) { complain(std::move(message), {}); }
};

/// Reads a file of a scenario's folder.
/// @param folder of the scenario
/// @param path as the scenario has it: relative, without `..`, to a file of at most `largest` bytes; else it is refused
/// @param kind what it should be, for messages, such as "graph file"
/// @param file gets path and content, or the refusal; nobody has looked into the content yet
void read_named_file(const std::string& folder, const std::string& path, std::string_view kind, std::size_t largest,
                     named_file& file);

/// The advice to take a file of nearly the same name that lies where a path leads, such as "; did you mean 'a.csv'?";
/// empty: there is none. @param path as the scenario has it
std::string likely_path(const std::string& folder, const std::filesystem::path& path);

struct fmu_file;
struct log_file;

/// The files that the points of a study name. Each is read once.
class study_files {
 public:
  /// @param folder of the scenario; the paths are relative to it
  explicit study_files(std::string folder) : folder_(std::move(folder)) {}

  const std::string& folder() const { return folder_; }
  /// Logs by format, path and columns; read_log() reads them.
  std::map<std::string, std::shared_ptr<const log_file>> logs{};
  /// FMUs by path; read_fmus() reads them.
  std::map<std::string, std::shared_ptr<const fmu_file>> fmus{};

  /// What the queue of the point that was read last tells of its jobs; empty: it has none.
  std::vector<queued_job> queued{};

  /// @param path as the scenario has it, see read_named_file()
  /// @tparam File one of file_kinds.h
  template <class File>
  std::shared_ptr<const File> at(const std::string& path) {
    std::shared_ptr<named_file>& file = read_[{path, std::string{File::kind}}];
    if (!file) {
      const auto fresh = std::make_shared<File>();
      read_named_file(folder_, path, File::kind, File::largest, *fresh);
      if (fresh->refusal.empty()) fresh->parse();
      file = fresh;
    }
    return std::static_pointer_cast<const File>(file);
  }

  /// Content by path of those that could be read.
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    for (const auto& [path_and_kind, file] : read_)
      if (file->refusal.empty()) all.emplace(path_and_kind.first, file->content);
    return all;
  }

 private:
  std::string folder_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<named_file>> read_;  // by path and kind
};

}  // namespace muster
