#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace muster::oracle {

/// Like servers, as `serve_preemptively` knows them.
struct preemptive_servers {
  std::uint32_t count = 1;
  /// Cores of each server.
  std::uint32_t cores = 1;
  /// Ticks of work done per tick, > 0.
  double capacity = 1.0;
};

/// Ticks that a slice costs besides its work.
struct preemption_costs {
  /// Cost at the beginning of every slice.
  std::uint64_t dispatch_latency = 0;
  /// Cost of a job without work that is kept.
  std::uint64_t set_up = 0;
  /// Cost of every other job.
  std::uint64_t restore = 0;
  /// Cost before the restore, on a server that does not hold the job's state, and for each of its bytes.
  std::uint64_t migration = 0;
  double ticks_per_byte = 0.0;
  /// At the end of a slice that is stopped when it had become productive.
  std::uint64_t save = 0;
};

struct preemptive_class {
  std::uint32_t need = 1;
  /// Bytes of a job's state.
  std::uint64_t state = 0;
};

struct preemptive_job {
  /// Tick; not before that of the job ahead.
  std::uint64_t arrival;
  /// Ticks of work at capacity 1, at least 1.
  std::uint64_t size;
  /// Number of its class.
  std::size_t type;
};

/// What became of a job.
struct preemptive_outcome {
  /// Tick.
  std::uint64_t completion = 0;
  std::uint64_t preemptions = 0;
  /// Slices that had to fetch the job's state.
  std::uint64_t migrations = 0;
};

/// A job in the system, as a policy sees it.
struct job_present {
  std::size_t number;
  std::size_t type;
  std::uint32_t need;
  enum class place { waits, in_service, leaves } at;
  /// Ticks of work that remain for all that is known: its size less what it keeps and the time since its latest start,
  /// at least 0; the time ends where it is preempted.
  std::uint64_t left;
};

/// Tells from all jobs in the system, by arrival, and the number of all cores which are to be in service, in the order
/// in which those that wait are to start.
using preemptive_rule = std::function<std::vector<std::size_t>(const std::vector<job_present>&, std::uint32_t cores)>;

/// Rigid jobs that a policy preempts, job by job, with all searches written out.
///
/// A job takes its cores from the first servers that have some idle, runs at the speed of the slowest, and gives back
/// those of each server as its slice there ends. Of an instant's events the ends of overheads and of work come first,
/// by number of the job, then the ends of saving likewise; then the policy is called once more if jobs that it
/// preempted have left their last cores, those that turned out to be complete first, and what is preempted then is
/// stopped when all of these are told; then arrivals. The policy is called at arrivals and completions too. A preempted
/// job keeps, rounded down to a tick, the work for which all its slices have run, and less than all.
///
/// @param jobs in order of arrival
/// @return one entry per job
std::vector<preemptive_outcome> serve_preemptively(const std::vector<preemptive_job>& jobs,
                                                   const std::vector<preemptive_class>& classes,
                                                   const std::vector<preemptive_servers>& servers,
                                                   const preemption_costs& costs, const preemptive_rule& rule);

}  // namespace muster::oracle
