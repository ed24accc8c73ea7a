#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "platform/store/code_fingerprint.h"
#include "platform/store/database.h"

namespace muster {

/// What the replications of a search have found, in an SQLite file, so that the same search can go on from there. A
/// search that is interrupted or killed loses no replication that had ended.
class trial_store {
 public:
  /// Takes over what the file holds of the same question; else begins it anew.
  /// @param question all that the results depend on beside the candidate and the number of the replication
  /// @param code that runs now
  /// @throws output_error if the file cannot be opened, is no database, a damaged one, or has trials of the same
  ///   question by other code: it says what to do
  trial_store(const std::string& file, const std::string& question, const code_fingerprint& code = {});

  /// How many replications it held at first.
  std::size_t taken_over() const { return taken_over_; }
  const std::string& file() const { return db_.getFilename(); }
  /// What a replication has found; nothing if that is not known.
  std::optional<std::string> find(const std::string& candidate, std::uint32_t replication);
  /// @throws std::runtime_error if the file cannot be written
  void add(const std::string& candidate, std::uint32_t replication, const std::string& found);

  /// What to do about a file that is damaged.
  static constexpr const char* remedy = "remove it, and the search begins anew, or choose another directory with --out";

 private:
  void open(const std::string& question, const code_fingerprint& code);

  database db_;
  std::size_t taken_over_ = 0;
};

}  // namespace muster
