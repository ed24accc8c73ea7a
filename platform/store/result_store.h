#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/metrics/replication_result.h"
#include "platform/model/study.h"
#include "platform/store/code_fingerprint.h"
#include "platform/store/database.h"
#include "platform/store/stored_pictures.h"
#include "platform/store/study_estimates.h"

namespace muster {

/// The code that table `code` has; empty if there is none. @throws SQLite::Exception, as the others
code_fingerprint code_in(database& db);
/// Replaces it, or creates the table.
void write_code(database& db, const code_fingerprint& code);
/// The table `measurements`. Its places are point, replication and row.
const stored_table<measurement>& table_of_measurements();

/// results.sqlite: everything that the replications of a study have found. What is written within a tenth of a second
/// shares a transaction, as each commit waits for the disk. A process that is killed leaves what it has committed.
/// Reading through the same object finds what is not yet committed, too. A new file has its tables at once, and no
/// commit waits for the disk before there is a replication.
///
/// Tables: `study` (the version of muster, and what replications depend on), `code`, `points` (keys of the sweep),
/// `replications`, `measurements` (value null: nothing to estimate it from; parts: values of the window's parts),
/// `control_variates`, `notes`, `jobs_in_system`, `traces` (complete ones), `warm_ups`, those of stored_pictures.h and,
/// at the end, those of study_estimates.h.
class result_store {
 public:
  /// The content of a file.
  enum class content { nothing, same_study, another_study };
  /// @param code that runs now
  /// @throws output_error if it is damaged, by another version of muster, or of the same study by other code: what that
  ///   would add does not belong to what is there
  static content look_into(const std::string& path, const study& s, const code_fingerprint& code = {});
  /// Opens what a run of the study has left, to be read.
  /// @param is_whole whether this process has written the file, or has opened it by this function before: it is not
  ///   looked through for damage then
  /// @throws output_error if it is damaged, has other tables or other points
  static result_store of_run(const std::string& path, const study& s, bool is_whole = false);

  /// Opens the file, or creates it. @param code that makes what a new one will hold @throws SQLite::Exception
  result_store(const std::string& path, const study& s, const code_fingerprint& code = {});
  /// @param from has committed all that it has written
  result_store(result_store&& from) = default;
  ~result_store();

  /// The code that has made the replications; empty in files of earlier versions.
  code_fingerprint code();

  /// Stores a replication. Where it fails, what is not committed is given up; so it is for all that writes.
  /// @param traces names of the files in which the replication has left its traces
  void add(std::size_t point, std::uint32_t replication, const replication_result& result, bool protocol_checked,
           const std::vector<std::string>& traces);
  /// Commits what is not yet committed, if the last commit is a tenth of a second ago. To be called from time to time.
  void commit_if_due();
  /// Commits what is not yet committed. The destructor does, too, and tells of no failure.
  void commit();
  /// Commits, and packs a file of more than a megabyte: rows that come in by turns leave pages half empty. One that
  /// cannot be packed, such as on a full disk, is whole as it is.
  void pack();
  /// Takes a replication out again, with what is known of its traces.
  void remove(std::size_t point, std::uint32_t replication);
  struct stored {
    std::size_t point;
    std::uint32_t replication;
    bool protocol_checked;
    bool in_parts;  ///< see replication_result
  };
  std::vector<stored> list();
  /// The replications of a point with numbers below `count`, by their numbers; without their samples over time. One
  /// that is not there is empty.
  std::vector<replication_result> replications(std::size_t point, std::uint32_t count);
  /// Samples over time, of the first replication.
  std::vector<presence_sample> presence(std::size_t point);
  /// The response times of each class, of all replications with numbers below `count` together.
  std::vector<class_responses> responses(std::size_t point, std::uint32_t count) {
    return read_responses(db_, point, count);
  }
  /// The data that a page draws of the first replication of the first points, without its response times.
  std::vector<replication_pictures> pictures(const study& s) { return read_pictures(db_, s); }
  /// Sums over all stored replications.
  struct totals {
    std::uint64_t replications = 0, jobs = 0, events = 0;
    double seconds = 0.0;  ///< processor time of the simulations
  };
  totals sums();
  /// Names of the complete traces.
  std::vector<std::string> traces();

  void set_warm_up(std::size_t point, const found_warm_up& found);
  std::optional<found_warm_up> warm_up(std::size_t point);
  /// Replaces all estimates.
  void set_estimates(const study_estimates& all);
  /// Replaces what is known of the stability.
  void set_stability(const study_stability& all);
  /// @throws output_error if they are not as they were stored
  study_estimates estimates(const study& s) { return read_estimates(db_, s); }

 private:
  using clock = std::chrono::steady_clock;

  explicit result_store(database db) : db_(std::move(db)) {}
  template <class Write>
  void write(const Write& rows);
  void create(const study& s, const code_fingerprint& code);
  bool has_points_of(const study& s);

  database db_;
  std::unique_ptr<transaction> open_;  // of what is not committed
  clock::time_point committed_ = clock::now();
};

}  // namespace muster
