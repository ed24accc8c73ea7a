#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "platform/model/scenario.h"

namespace muster {

/// The time in which so many jobs arrive on average, in units of time, changes of the rate by events included.
/// @param arrivals endless ones, with their rate
double mean_time_of_arrivals(const arrival_spec& arrivals, std::uint64_t jobs);

/// What a message on the range of the clock adds: a coarser unit whose clock has room, and its range. Empty: no unit
/// has.
/// @param time in units of `own`
std::string unit_with_room(const time_unit& own, double time);

/// A replication that is expected to last for more than half of the range of the clock: it may well leave it, and fails
/// then.
struct long_replication {
  double share = 0.0;  ///< of the range, > 0.5
  std::string words;   ///< what takes how long, beside the range, and the unit of time that has room
};

/// Whether a replication is likely to leave the range of the clock. Endless arrivals are expected to last as their rate
/// says, all the jobs that a precision may take with batch means included. Of jobs that are listed, the last one to
/// arrive counts, and the time that all cores together take for the work of all of them.
std::optional<long_replication> find_long_replication(const scenario& model);

}  // namespace muster
