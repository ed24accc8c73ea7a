#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "platform/results/database.h"

namespace muster {

/// What the replications of a search have found, in an SQLite file, so that the same search can go on from there. A
/// search that is interrupted or killed loses no replication that had ended.
class trial_store {
 public:
  /// Takes over what the file holds of the same question; else begins it anew.
  /// @param question all that the results depend on beside the candidate and the number of the replication
  /// @throws database_error if the file cannot be opened, or is no database
  trial_store(const std::string& file, const std::string& question);

  /// How many replications it held at first.
  std::size_t taken_over() const { return taken_over_; }
  /// What a replication has found; nothing if that is not known.
  std::optional<std::string> find(const std::string& candidate, std::uint32_t replication);
  /// @throws database_error
  void add(const std::string& candidate, std::uint32_t replication, const std::string& found);

 private:
  database db_;
  std::size_t taken_over_ = 0;
};

}  // namespace muster
