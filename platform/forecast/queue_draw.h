#pragma once

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

/// The jobs of the scenario's log that arrive, with the names of their users. Empty: its arrivals are no log.
run_time_history history_of_log(const scenario& model);

}  // namespace muster
