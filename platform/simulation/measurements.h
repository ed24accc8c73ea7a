#pragma once

#include <cstdint>

#include "platform/metrics/job_statistics.h"
#include "platform/metrics/replication_result.h"
#include "platform/model/scenario.h"
#include "platform/simulation/cluster.h"

namespace muster {

class batch_observer;
class phase_statistics;
class presence_recorder;
class time_sums;
class window_parts;

/// Core time of a bank of servers in each state but that of being down.
struct bank_times {
  tick_sum idle = 0, overhead = 0, running = 0, asleep = 0;

  static bank_times of(const server& bank, ticks now) {
    bank_times sum;
    for (std::uint32_t core = 0; core < bank.core_count(); ++core) {
      const core_times times = bank.times(core, now);
      sum.idle += times.idle;
      sum.overhead += times.overhead;
      sum.running += times.running;
      sum.asleep += times.asleep;
    }
    return sum;
  }
};

/// Core time of the whole cluster in each state.
struct core_sums {
  tick_sum overhead = 0, running = 0, asleep = 0, down = 0;
  table<class_id, tick_sum> running_of;  ///< each class
  double energy = 0.0;                   ///< watts times ticks

  explicit core_sums(std::size_t classes) : running_of(classes) {}

  static core_sums of(const cluster& c, const scenario& what, ticks now) {
    core_sums sums(c.central.view().class_count());
    for (std::size_t entry = 0; entry < c.servers().size(); ++entry) {
      const auto& s = c.servers()[entry];
      const power_spec& watts = what.servers[entry].power;
      s->add_running_times(sums.running_of, now);
      for (std::uint32_t core = 0; core < s->core_count(); ++core) sums.down += s->down_time(core, now);
      const bank_times times = bank_times::of(*s, now);
      sums.overhead += times.overhead;
      sums.running += times.running;
      sums.asleep += times.asleep;
      sums.energy +=
          watts.idle * static_cast<double>(times.idle) + watts.overhead * static_cast<double>(times.overhead) +
          watts.active * static_cast<double>(times.running) + watts.asleep * static_cast<double>(times.asleep);
    }
    return sums;
  }
};

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
  const window_parts* parts;            ///< null: not recorded
  ticks end;                            ///< of the window
};

/// Adds to a result all measurements, the balance of each class, samples over time, and notes on them.
void add_measurements(const observations& all, replication_result& result);

}  // namespace muster
