#pragma once

#include <cstdint>

#include "platform/metrics/job_statistics.h"
#include "platform/metrics/replication_result.h"
#include "platform/model/scenario.h"
#include "platform/simulation/core_sums.h"

namespace muster {

class batch_observer;
class phase_statistics;
class presence_recorder;
class time_sums;

/// What observed a replication, at its end.
struct observations {
  const scenario& what;
  std::uint32_t replication;
  const job_statistics& jobs;           ///< settled
  const batch_observer* batches;        ///< null: intervals come from several replications
  const phase_statistics& phases;       ///< settled
  core_sums cores_before, cores_after;  ///< at the beginning and at the end of the window of measurement
  const presence_recorder* presence;    ///< null: not recorded
  const time_sums* times;               ///< null: jobs' times are not explained
  ticks end;                            ///< of the window
};

/// Adds to a result all measurements, the balance of each class, samples over time, and notes on them.
void add_measurements(const observations& all, replication_result& result);

}  // namespace muster
