#pragma once

#include <cstdint>
#include <vector>

#include "muster/modules/source/job_observer.h"
#include "platform/metrics/replication_pictures.h"
#include "platform/model/scenario.h"
#include "platform/simulation/cluster.h"

namespace muster {

/// Finds the ten jobs that wait longest in the window of measurement, and which classes the cores ran meanwhile.
///
/// Core time by class is read every so many completions that reading costs some instructions a job; between two
/// readings it is taken to grow evenly. The readings are at most 512: the older half loses every second one when they
/// are full, so that they are the denser the later they are.
class wait_recorder final : public job_observer {
 public:
  /// @param measured the observer to which it passes all calls on
  /// @param what, measured outlive it
  wait_recorder(const scenario& what, job_observer& measured);

  /// Before the simulation. @param simulated outlives it
  void connect(const cluster& simulated);
  /// The window opens.
  void open() { is_open_ = true; }
  /// The longest first. @param end of the window
  std::vector<long_wait> longest(ticks end);

  void job_arrives(ticks now, const job_extension& job) override { measured_.job_arrives(now, job); }
  void job_completes(ticks now, const job_extension& job) override {
    if (const ticks wait = time_without_cores(now, job); wait > least_ && is_open_) add(now, job, wait, true);
    measured_.job_completes(now, job);
    if (--until_reading_ == 0) read(now);
  }

 private:
  struct reading {
    ticks now;
    table<class_id, tick_sum> running;
  };
  struct waiter {
    std::uint64_t job;
    class_id type;
    ticks arrival, wait, until;
    bool has_left;
    std::vector<double> running;  // shares by class id; empty: not found yet
  };

  static ticks time_without_cores(ticks now, const job_extension& job) {
    return job.begun ? job.waited(now) : now - job.arrival;
  }
  [[gnu::noinline]] void add(ticks now, const job_extension& job, ticks wait, bool has_left);
  [[gnu::noinline]] void read(ticks now);
  void find_shares();
  std::vector<double> running_until(ticks time) const;

  const scenario& what_;
  job_observer& measured_;
  const cluster* simulated_ = nullptr;
  std::vector<std::size_t> order_;
  double cores_;
  std::uint64_t every_, until_reading_;  // completions
  bool is_open_ = false;
  ticks least_ = 0;  // a longer wait is one of the longest
  std::vector<waiter> waiters_;
  std::vector<reading> readings_;
};

}  // namespace muster
