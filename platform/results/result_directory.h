#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "platform/scenario/scenario.h"

namespace muster {

/// An output directory that cannot or must not be used.
class output_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The folder that holds the results of one study, and its scenario.toml.
class result_directory {
 public:
  /// Creates it, or takes one over that holds results of the same study; those are removed. The resolved scenario and
  /// the files that it names are stored there, so that it runs there too.
  /// @param force also takes over results of another study
  /// @param traces names of the traces that will be written; no file of the scenario may have such a name
  /// @throws output_error
  result_directory(std::filesystem::path path, const study& s, bool force, const std::vector<std::string>& traces = {});
  /// Creates it, or adds to one that holds results of the same study; nothing is removed.
  /// @throws output_error
  static result_directory beside_results(std::filesystem::path path, const study& s);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(const std::string& name) const { return path_ / name; }
  /// Writes a file whole or not at all, in a folder within if the name says so.
  /// @throws std::runtime_error, for example when the disk is full
  void write(const std::string& name, const std::string& text) const;

 private:
  explicit result_directory(std::filesystem::path path) : path_(std::move(path)) {}
  void create() const;
  bool holds_another_study(const study& s) const;
  std::vector<std::string> own_files(const study& s) const;
  void check_files(const study& s, bool force, const std::vector<std::string>& traces) const;
  void store(const study& s) const;

  std::filesystem::path path_;
};

}  // namespace muster
