#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace muster {

/// An output directory that cannot or must not be used.
class output_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The folder that holds the results of one study, and its scenario.toml.
class result_directory {
 public:
  /// Creates it, or takes one over that holds results of the same study; those are removed.
  /// @param resolved the study as TOML; stored as scenario.toml
  /// @param force also takes over results of another study
  /// @throws output_error
  result_directory(std::filesystem::path path, const std::string& resolved, bool force);
  /// Creates it, or adds to one that holds results of the same study; nothing is removed.
  /// @throws output_error
  static result_directory beside_results(std::filesystem::path path, const std::string& resolved);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(const std::string& name) const { return path_ / name; }
  /// Writes a file whole or not at all.
  /// @throws std::runtime_error, for example when the disk is full
  void write(const std::string& name, const std::string& text) const;

 private:
  explicit result_directory(std::filesystem::path path) : path_(std::move(path)) {}
  void create() const;
  bool holds_another_study(const std::string& resolved) const;
  void store(const std::string& resolved) const;

  std::filesystem::path path_;
};

}  // namespace muster
