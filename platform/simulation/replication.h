#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "platform/metrics/replication_result.h"
#include "platform/model/scenario.h"
#include "platform/trace/trace_kind.h"

namespace muster {

/// How a replication is watched while it runs, and what is known of its point beforehand. Neither changes its results.
struct watching {
  bool check_protocol = false;        ///< every hop is checked against the TLM-2.0 base protocol
  std::vector<trace_request> traces;  ///< traces to be written
  bool pictures = false;              ///< the result has the data that a page draws of its point
  /// Whether the point is known to be unstable. None: the replication examines that itself where it matters.
  std::optional<bool> unstable{};
};

/// Whether a point is known to be unstable: as `watch` says, else by examine_stability().
bool is_unstable(const scenario& point, const watching& watch);

/// The point as one of its replications is to run it: the one replication of batch means would go on for ever at a
/// point that is unstable, so that it has no precision there.
scenario as_it_runs(scenario point, const watching& watch);

/// Simulates one replication of a point in this process, which can hold only one: SystemC permits no second.
///
/// The window of measurement ends with run.jobs completions, and the simulation when that instant is complete. With
/// run.precision and intervals by batch means it checks the interval then, and each time that the completions have
/// grown by a fifth, and ends when the interval is narrow enough or the precision permits no more.
/// @throws std::runtime_error on a fault, with the module, the simulated time and what went wrong
replication_result run_replication(const scenario& point, std::uint32_t replication, const watching& watch = {});

/// Simulates a replication beside those that are measured, as run_replication() does, to find their warm-up by MSER-5.
found_warm_up run_pilot(const scenario& point);

}  // namespace muster
