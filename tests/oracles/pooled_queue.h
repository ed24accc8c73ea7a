#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace muster::oracle {

/// A job that any of its servers may work on, all at once if they come to it.
struct pooled_job {
  /// Tick; not before that of the job ahead.
  std::uint64_t arrival;
  /// Ticks of work at capacity 1, at least 1.
  std::uint64_t size;
  /// Numbers of the servers that may work on it, ascending, at least one.
  std::vector<std::uint32_t> servers;
};

/// A server as `serve_pooled` knows it.
struct pooled_server {
  /// Ticks of work done per tick, > 0.
  double capacity = 1.0;
  /// Draws the ticks, at least 1, until the server interrupts the job that it begins to work on; none: it never does.
  std::function<std::uint64_t()> timer;
};

/// What became of a job.
struct pooled_outcome {
  /// Tick.
  std::uint64_t completion = 0;
  std::uint64_t interruptions = 0;
};

/// Algorithm 1 of "Balanced fair resource sharing in computer clusters", word by word: one virtual queue, of which each
/// server serves the first job that it may work on; the allocation is found anew from the whole queue after each event.
///
/// The numbers are those of a simulation with ticks. Remaining work is brought up to date where the set of servers at
/// work on the job changes, and the completion is set anew there, rounded to the nearest tick. Servers that come to a
/// job together join it in ascending order, one after the other. Events of one tick: completions, then interruptions,
/// both by number of the job, then arrivals.
///
/// @param jobs in order of arrival
/// @return one entry per job
std::vector<pooled_outcome> serve_pooled(const std::vector<pooled_job>& jobs,
                                         const std::vector<pooled_server>& servers);

}  // namespace muster::oracle
