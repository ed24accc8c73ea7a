#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "muster/modules/source/workload.h"
#include "platform/metrics/replication_result.h"
#include "platform/model/scenario.h"
#include "platform/simulation/cluster_fmus.h"
#include "platform/simulation/cluster_hardware.h"
#include "platform/simulation/event_distributor.h"
#include "platform/simulation/instrument_entry.h"
#include "platform/simulation/job_statistics.h"
#include "platform/simulation/overload_guard.h"
#include "platform/simulation/replication.h"
#include "platform/simulation/window_parts.h"

namespace muster {

/// A cluster with its workload, its instruments and its window of measurement: a replication, but for the kernel that
/// simulates it. It is made within a module, whose children its modules are.
///
/// The window ends with run.jobs completions, see run_replication(). The run ends with the window, or early, where the
/// cluster is overloaded.
class measured_cluster {
 public:
  /// @param point,watch outlive the cluster
  /// @param end called once, when the run ends: complete() is to be called when the present instant is complete
  measured_cluster(const scenario& point, std::uint32_t replication, const watching& watch, std::function<void()> end,
                   const hardware_options& options);

  event_distributor& events() { return events_; }
  cluster_hardware& hardware() { return hardware_; }
  const job_statistics& jobs() const { return jobs_; }

  /// Adds all instruments that the replication wants. Called before begin().
  void add_instruments();
  /// Connects the instruments. Called before the simulation.
  void begin();
  /// Completes the result, at an instant that is complete: closes the window of a workload that came to its end, and
  /// audits the accounts. Instruments are told of nothing more.
  /// @throws std::runtime_error on what does not add up, and where nothing was measured
  void complete();
  /// The result, once complete() has returned; the processor time is not in it.
  replication_result& result() { return result_; }
  /// Whether the run has ended.
  bool ended() const { return ended_; }

 private:
  bool nothing_is_measured(ticks end) const;
  void mark_overloaded();
  void open();
  std::uint64_t look();
  void close();
  // @return false: the run has ended before
  bool end_run();
  bool is_narrow_enough() const;
  bool reaches(const precision_target& target) const;

  const scenario& point_;
  std::function<void()> end_run_;
  std::unique_ptr<workload> workload_;
  event_distributor events_;
  cluster_hardware hardware_;
  std::unique_ptr<job_statistics> statistics_;  // here until the simulation begins, as it is added last
  job_statistics& jobs_;
  observed_replication seen_;
  std::optional<window_parts> parts_;  // none: parts are not recorded
  bool closed_ = false;                // the window of measurement has ended
  bool ended_ = false;
  replication_result result_;
  std::optional<overload_guard> overload_;
  std::uint64_t most_jobs_ = point_.run.jobs;  // completions at most; more than run.jobs where a precision needs them
  std::optional<cluster_fmus> fmus_;           // none: there are none, or the simulation has not been begun
};

}  // namespace muster
