#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "platform/log/log_format.h"
#include "platform/model/scenario.h"

namespace muster {

/// A log or queue of jobs as it was read: once for all points of a study.
struct log_file {
  static constexpr std::uint32_t no_name = ~std::uint32_t{0};

  /// A job that has a time of arrival and a run time > 0. Times are in seconds; 0: not known, of arrivals a moment.
  struct job {
    double submit = 0.0, run = 0.0, requested = 0.0;
    double memory = 0.0;                  ///< bytes of each core
    double waited = log_record::unknown;  ///< before it started
    std::uint32_t requested_cores = 0, allocated_cores = 0;
    std::uint32_t user = no_name, partition = no_name, queue = no_name;  ///< places in the tables of names
    std::uint32_t line = 0;
    std::uint32_t amounts = 0;     ///< place in log_file::amounts
    bool depends = false;          ///< whether it was to wait for another job
    bool waits_otherwise = false;  ///< whether for more than the ends of other jobs
    std::uint32_t waits = 0;       ///< number of other jobs for whose ends it was to wait
    std::uint32_t first_wait = 0;  ///< place of the first of them in log_file::preceding
    job_number number{};

    /// The cores that it needs: those allocated or those requested, the other ones where these are not known. 0:
    /// neither
    std::uint32_t cores(bool allocated) const {
      const std::uint32_t own = allocated ? allocated_cores : requested_cores;
      return own > 0 ? own : allocated ? requested_cores : allocated_cores;
    }
  };
  /// A job for whose end another one was to wait.
  struct preceding_job {
    job_number number;
    double think = log_record::unknown;  ///< seconds from that end to the arrival of the other one
  };
  /// What a queue tells of a job beside.
  struct queued {
    bool runs = false;
    double elapsed = 0.0;               ///< seconds since its start, if it runs
    std::uint32_t job_class = no_name;  ///< place in `classes`
    std::uint32_t nodes = no_name;      ///< place in `node_lists`, if it runs
  };
  /// Lines that are left out for the same reason.
  struct reason {
    std::string why;
    std::uint64_t lines = 0, first_line = 0;

    /// "3 cancelled before they started (first: line 7)"
    std::string in_words() const;
  };

  std::string path;                ///< absolute
  std::string refusal;             ///< why nothing can be read; empty: something can
  std::uint32_t refused_line = 0;  ///< the line that is at fault; 0: the whole file
  const log_format_entry* format = nullptr;
  log_header header;
  spooled_list<job> jobs;  ///< in the order of arrival, then of lines; of a log that is not refused not empty
  spooled_list<preceding_job> preceding;
  std::vector<std::string> users, partitions, queues;
  /// Needs of jobs beside cores and memory, each once, the first one empty: of each resource that was asked for, 0
  /// where it is not known.
  std::vector<std::vector<double>> amounts{{}};
  bool tells_resources = false;  ///< whether the format tells of such needs
  /// @name Of a queue
  /// @{
  std::vector<queued> states;  ///< of each of its jobs, which are in the order of lines; their run times may be 0
  std::vector<std::string> classes;
  std::vector<std::string> node_lists;  ///< as they are written, see names_in_node_list()
  /// @}
  std::vector<reason> left_out;
  reason out_of_order{"not in the order of arrival"};  ///< jobs that stand after one that has arrived later
  std::string flaw;                                    ///< where the file ends before its time; empty: it does not
  std::string digest;                                  ///< tells contents apart
  /// The jobs of the point that was read last: points that have the same ones share them.
  mutable std::shared_ptr<const timed_jobs> shared{};
  mutable std::shared_ptr<const job_dependencies> shared_dependencies{};
  /// The places in `jobs` of the jobs of a queue that the point has which was read last, in the order of its own jobs.
  mutable std::vector<std::uint32_t> taken{};
};

/// Adds a line to its reason.
void count_left_out(std::vector<log_file::reason>& reasons, std::string_view why, std::uint64_t line);

/// Reads a log.
/// @param path absolute
/// @param format null: its content tells it
/// @param resources to be read beside cores and memory, by the names that the log has for them
std::shared_ptr<const log_file> read_log_file(const std::string& path, const log_format_entry* format,
                                              const log_columns& columns,
                                              const std::vector<std::string>& resources = {});

/// Reads a queue: jobs that wait or run.
/// @param log whose names of users, partitions and queues begin those of the queue; null: none
/// @param resources as of read_log_file()
std::shared_ptr<const log_file> read_queue_file(const std::string& path, const log_file* log,
                                                const std::vector<std::string>& resources = {});

}  // namespace muster
