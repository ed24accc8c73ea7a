#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <boost/interprocess/sync/file_lock.hpp>

#include "platform/model/study.h"
#include "platform/store/result_store.h"

namespace muster {

/// The folder that holds the results of one study, and its scenario.toml.
class result_directory {
 public:
  /// Creates a directory, or takes one over that holds results of the same study: the store and the traces that it
  /// knows stay, so that the study goes on from there; other results are removed. The resolved scenario and the files
  /// that it names are stored there, so that it runs there too. While this object lives, nobody else can take it over.
  /// @param force takes over whatever results there are, and removes them all
  /// @param traces names of the traces that will be written; no file of the scenario may have such a name
  /// @param code that runs now: results of other code are not taken over without force
  /// @throws output_error
  result_directory(std::filesystem::path path, const study& s, bool force, const std::vector<std::string>& traces = {},
                   const code_fingerprint& code = {});
  /// A directory that is created, or one that is added to, which holds results of the same study; nothing is removed.
  /// @throws output_error
  static result_directory beside_results(std::filesystem::path path, const study& s);
  /// A directory that a run has left; nothing is changed.
  /// @throws output_error if it is none
  static result_directory of_results(std::filesystem::path path);
  /// A directory that is created, or taken as it is.
  /// @throws output_error
  static result_directory as_it_is(std::filesystem::path path);
  /// The directory of a search, created or taken as it is; while this object lives, nobody else can take it over.
  /// @throws output_error
  static result_directory of_search(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(const std::string& name) const { return path_ / name; }
  /// Writes a file whole or not at all, in a folder within if the name says so.
  /// @throws std::runtime_error, for example when the disk is full
  void write(const std::string& name, const std::string& text) const;
  /// Removes report.html and the figures. @throws output_error
  void remove_report() const;

 private:
  explicit result_directory(std::filesystem::path path) : path_(std::move(path)) {}
  void create() const;
  void take_for_itself();
  std::vector<std::string> kept_files(const study& s) const;
  bool holds_another_study(const study& s) const;
  std::vector<std::string> own_files(const study& s) const;
  std::vector<std::string> report_files() const;
  void remove(const std::vector<std::string>& names, const std::vector<std::string>& kept = {}) const;
  void check_files(const study& s, bool force, const std::vector<std::string>& traces) const;
  void store(const study& s) const;

  std::filesystem::path path_;
  boost::interprocess::file_lock
      at_work_;  // of a run or search, as long as its process lives; not inherited by its workers
};

}  // namespace muster
