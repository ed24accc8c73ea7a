#pragma once

#include <cstdint>
#include <vector>

#include "platform/metrics/job_statistics.h"
#include "platform/metrics/replication_pictures.h"
#include "platform/model/joined_servers.h"
#include "platform/simulation/cluster.h"
#include "platform/simulation/measurements.h"

namespace muster {

/// Divides the window of measurement into parts of as many arrivals each, and takes the exact means over each of them:
/// at an arrival it reads the integrals from which the metrics of the whole window are, and the same of each row of
/// servers. There are 200, and fewer, at least 50, where looking at all cores so often would cost more than some
/// instructions a job. Where the window turns out longer than `run.jobs` are, two parts become one.
class time_bins {
 public:
  /// @param jobs, simulated outlive it
  time_bins(const scenario& what, job_statistics& jobs, const cluster& simulated);

  /// The window opens.
  void open(ticks now);
  /// The means of the parts, up to the end of the window. @param end not before what was recorded
  std::vector<time_bin> bins(ticks end);

 private:
  /// Integrals over time until then.
  struct reading {
    ticks now;
    tick_sum overhead, running;
    std::vector<tick_sum> jobs;  // in the system, by class as in the scenario
    std::vector<tick_sum> held;  // core time, by row of servers
  };
  reading read(ticks now) const;
  std::uint64_t mark(ticks now);

  const scenario& what_;
  job_statistics& jobs_;
  const cluster& simulated_;
  std::vector<std::size_t> order_;
  joined_servers rows_;
  std::uint64_t every_;            // arrivals
  std::uint64_t marked_ = 0;       // arrivals at the latest reading
  std::size_t most_;               // parts
  std::vector<reading> readings_;  // the first at the beginning of the window
};

}  // namespace muster
