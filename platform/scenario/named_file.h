#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

  std::string path;     ///< for messages
  std::string content;  ///< as it was read
  std::string refusal;  ///< why it could not be read; empty if it could
  std::vector<flaw> flaws;

  bool fit() const { return refusal.empty() && flaws.empty(); }
  void complain(std::string message, place where) { flaws.push_back({where, std::move(message)}); }
  /// Of the whole file.
  void complain(std::string message) { complain(std::move(message), {}); }
};

/// Reads a file of a scenario's folder.
/// @param folder of the scenario
/// @param path as the scenario has it: relative, without `..`, to a file of at most 16 MiB; else it is refused
/// @param kind what it should be, for messages, such as "graph file"
/// @param file gets path and content, or the refusal; nobody has looked into the content yet
void read_named_file(const std::string& folder, const std::string& path, std::string_view kind, named_file& file);

/// The files of one kind that the points of a study name. Each is read once.
/// @tparam File a named_file, and what it means
template <class File>
class named_files {
 public:
  /// @param folder of the scenario; the paths are relative to it
  /// @param parse finds out what the content means
  named_files(std::string folder, std::string_view kind, void (*parse)(File& file))
      : folder_(std::move(folder)), kind_(kind), parse_(parse) {}

  /// @param path as the scenario has it, see read_named_file()
  std::shared_ptr<const File> at(const std::string& path) {
    if (const auto found = read_.find(path); found != read_.end()) return found->second;
    const auto file = std::make_shared<File>();
    read_named_file(folder_, path, kind_, *file);
    if (file->refusal.empty()) parse_(*file);
    return read_.emplace(path, file).first->second;
  }

  /// Adds the content by path of those that were asked for and could be read.
  void add_contents(std::map<std::string, std::string>& all) const {
    for (const auto& [path, file] : read_)
      if (file->refusal.empty()) all.emplace(path, file->content);
  }

 private:
  std::string folder_;
  std::string_view kind_;
  void (*parse_)(File&);
  std::map<std::string, std::shared_ptr<const File>> read_;
};

}  // namespace muster
