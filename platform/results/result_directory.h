#pragma once

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>

namespace muster {

/// An output directory that cannot or must not be used.
class output_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The folder that holds the results of one study.
class result_directory {
 public:
  /// Creates it, or takes one over that holds results of the same study; those are removed.
  /// @param resolved the study as TOML; stored as scenario.toml
  /// @param files that it names: relative path and content; stored beside it, so that it runs there too
  /// @param force also takes over results of another study
  /// @throws output_error
  result_directory(std::filesystem::path path, const std::string& resolved,
                   const std::map<std::string, std::string>& files, bool force);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(const std::string& name) const { return path_ / name; }
  /// Writes a file whole or not at all, in a folder within if the name says so.
  /// @throws std::runtime_error, for example when the disk is full
  void write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

}  // namespace muster
