#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "platform/model/scenario.h"
#include "platform/random/random_stream.h"

namespace muster {

/// What a run time is drawn from.
enum class run_time_source : std::uint8_t {
  file,       ///< not drawn: the run time, or the time limit, that the queue tells
  user,       ///< earlier jobs of the same user
  all_users,  ///< earlier jobs of all users
  law         ///< the law of run times of the job's class
};

/// The name of a source in tables: "file", "user", "all_users", "law".
const char* name_of(run_time_source source);

/// The run times of jobs that have ended, by user, each beside what its user had requested.
///
/// A run time is drawn as a share of the request where that is known of the job and of enough earlier ones, else as it
/// is. Of a job that has run for some time, only earlier jobs are drawn from that would have run longer.
class run_time_history {
 public:
  /// How many earlier jobs are needed to draw from: of fewer, an interval of 80 % would mostly be too narrow.
  static constexpr std::size_t fewest = 10;

  /// A run time with where it comes from.
  struct drawn_time {
    double whole = 0.0;  ///< from the start to the end
    run_time_source from = run_time_source::user;
  };

  /// Adds a job that has ended. Times in any unit, the same for all. @param run > 0 @param requested 0: not known
  void add(const std::string& user, double run, double requested);
  /// Completes the history, when all jobs are added.
  void settle();

  /// How many jobs have been added.
  std::size_t jobs() const { return all_.runs.size(); }
  /// How many users have enough jobs.
  std::size_t users_with_enough() const;
  /// A run time in all, above `elapsed`. Nothing: there are too few such jobs.
  /// @param user empty: not known @param limit what the user has requested; 0: not known
  /// @param elapsed time for which the job has run, >= 0
  std::optional<drawn_time> draw(const std::string& user, double limit, double elapsed, random_stream& bits) const;

 private:
  struct jobs_of_user {
    std::vector<double> runs, shares;  // sorted; shares of the request, of jobs that had one
  };

  static std::optional<double> draw_from(const jobs_of_user& jobs, double limit, double elapsed, random_stream& bits);

  jobs_of_user all_;
  std::map<std::string, jobs_of_user> users_;
};

/// The jobs of the scenario's log or list that arrive, with the names of their users. Empty: its arrivals are neither.
run_time_history history_of_log(const scenario& model);

/// The jobs of a log.
struct history_of_file {
  run_time_history jobs;
  std::string digest;  ///< tells contents apart
};

/// Reads a log in any format of logs, found by its content. @param unit of the times
/// @throws std::runtime_error that names the file and the line, where nothing can be read
history_of_file read_history(const std::string& path, const time_unit& unit);

}  // namespace muster
