#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>

namespace muster {

/// What the replications of a search have found, in a file, so that the same search can go on from there.
///
/// A line of text each, written as soon as it is known: a search that is interrupted or killed loses no replication
/// that had ended.
class trial_store {
 public:
  /// Takes over what the file holds of the same question; else begins it anew.
  /// @param question all that the results depend on beside the candidate and the number of the replication
  /// @throws std::runtime_error if the file cannot be written
  trial_store(const std::filesystem::path& file, const std::string& question);

  /// How many replications it held at first.
  std::size_t taken_over() const { return taken_over_; }
  /// What a replication has found; null if that is not known.
  const std::string* find(const std::string& candidate, std::uint32_t replication) const;
  /// @param candidate,found without tabs and ends of lines
  void add(const std::string& candidate, std::uint32_t replication, const std::string& found);

 private:
  std::map<std::pair<std::string, std::uint32_t>, std::string> found_;
  std::size_t taken_over_ = 0;
  std::ofstream to_;
};

}  // namespace muster
