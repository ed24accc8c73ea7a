#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/forecast/run_time_history.h"
#include "platform/model/scenario.h"
#include "platform/scenario/queued_job.h"

namespace muster {

/// A scenario whose jobs at time 0 have drawn run times.
struct drawn_queue {
  scenario model;
  std::vector<run_time_source> sources;  ///< of each of these jobs, in their order
};

/// Draws the run times of the jobs that run or wait at time 0, where their file tells no more than a time limit: from
/// the history, else from the law of the class where its arrivals are random, else they stay the limit. A job that
/// runs gets what is left of a run time that is longer than it has run so far, at least a step of the clock.
///
/// What a job gets depends on run.seed, the replication and its place in the file alone: it is the same in scenarios
/// that differ in anything else.
/// @param model with jobs at time 0 @param queue tells of each of them, in their order
drawn_queue with_drawn_run_times(const scenario& model, const std::vector<queued_job>& queue,
                                 const run_time_history& history, std::uint32_t replication);

/// When each of the first jobs to arrive is first started, in units of time, in their order; infinite: it was not
/// before the replication had ended. The simulation, in this process, ends when all of them have started.
/// @param jobs at least one
/// @throws std::runtime_error on a fault, as run_replication() does
std::vector<double> first_starts(const scenario& point, std::uint32_t replication, std::size_t jobs);

}  // namespace muster
