#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/import/slurm/unused_values.h"
#include "platform/log/log_format.h"
#include "platform/log/log_record.h"

namespace muster {

/// A job of a site. Times are in seconds, memory in bytes; log_record::unknown where a time is not known.
struct site_job {
  site_place at;
  job_number number{};
  double submit = log_record::unknown;  ///< a moment
  double run = log_record::unknown, requested = log_record::unknown, elapsed = log_record::unknown;
  std::uint32_t cores = 1;
  std::uint32_t nodes = 0;   ///< 0: not known
  double memory = 0.0;       ///< of each core; 0: not known
  std::vector<double> gres;  ///< in the order of site_jobs::gres
  bool exclusive = false;    ///< whether it holds its nodes whole
  logged_state state = logged_state::has_ended;
  std::string user, partition, qos, node_list;  ///< empty: not known
  double waited = log_record::unknown;          ///< from its arrival to its start
};

/// The jobs of a site: those that have ended, and those that wait or run.
struct site_jobs {
  std::vector<std::string> gres;  ///< names of devices
  std::vector<site_job> ended, queue;
  std::vector<std::string> sources;  ///< what was read, in words
};

/// Reads a log or queue, and adds its jobs.
/// @param queue whether it tells of jobs that wait or run @param allocated whether the number of processors that a job
///   had is its need, else that requested; the other one where it is not known
/// @param unused receives lines that are no jobs, and columns that are not read
/// @throws log_error, and std::runtime_error that says why the file cannot be read
void read_site_jobs(const std::string& path, const log_format_entry& format, bool queue, bool allocated,
                    site_jobs& jobs, unused_values& unused);

}  // namespace muster
