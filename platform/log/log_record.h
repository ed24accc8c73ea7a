#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// What a job does at the moment of a log.
enum class logged_state : std::uint8_t { has_ended, waits, runs };

/// The number by which a log knows a job: 17, or 17_3 of an array.
struct job_number {
  static constexpr std::uint32_t whole = ~std::uint32_t{0};
  std::uint64_t job = 0;       ///< 0: not known
  std::uint32_t task = whole;  ///< of an array; `whole`: of none, or all of them
};

/// A job of a log, or a line that is none. Times are in seconds, memory in bytes.
struct log_record {
  static constexpr double unknown = -1.0;

  std::uint64_t line = 0;          ///< the first one that tells of it, from 1
  std::string_view left_out = {};  ///< why the line tells of no job that can run; empty: it does
  bool damaged = false;            ///< whether that is because it cannot be read
  bool depends = false;            ///< whether it was to wait for another job
  bool waits_otherwise = false;    ///< whether it was to wait for more than the ends of the jobs in `preceding`
  job_number number = {};
  double think = unknown;  ///< time from the end of the preceding job to its arrival
  /// The jobs for whose ends it was to wait; valid until the next line is read. Null: for none.
  const std::vector<job_number>* preceding = nullptr;
  double submit = unknown;   ///< since any moment that is the same for all lines
  double waited = unknown;   ///< time from its arrival to its start
  double run = unknown;      ///< time from its start to its end
  double elapsed = unknown;  ///< of a job that runs: time since its start
  logged_state state = logged_state::has_ended;
  double requested = unknown;        ///< longest time that its user has asked for
  double requested_cores = unknown;  ///< that its user has asked for
  double allocated_cores = unknown;  ///< that it had
  double memory = unknown;           ///< that its user has asked for, of each core
  /// What the job needs of each resource that log_reader::tell() has asked for; unknown where its line does not say.
  /// Valid until the next line is read; null: none was asked for.
  const double* amounts = nullptr;
  /// @name Names, valid until the next line is read; empty: not known
  /// @{
  std::string_view user = {}, partition = {}, queue = {};
  std::string_view nodes = {};      ///< list of those that a job which runs has, see names_in_node_list()
  std::string_view job_class = {};  ///< of a scenario, of a job that waits or runs
  /// @}
};

/// What the head of a log says of the machine.
struct log_header {
  std::optional<double> cores, nodes;
  std::optional<double> begins;  ///< moment since which lines tell times, in seconds since 1970 UTC
  std::map<std::string, std::string, std::less<>> partitions, queues;  ///< names by number
};

/// A log of which nothing can be read; what() says why.
struct log_error : std::runtime_error {
  log_error(std::uint64_t at_line, const std::string& why) : std::runtime_error(why), line(at_line) {}
  std::uint64_t line;  ///< that is at fault, from 1
};

}  // namespace muster
