#pragma once

#include <optional>
#include <vector>

#include "muster/policies/catalogue.h"

namespace muster {

/// The parameters of the policy `slurm`, by their names in slurm.conf, with Slurm's defaults. Times are in
/// seconds, see policy_entry::counts_seconds.
std::vector<parameter> slurm_parameters();
/// Those of a partition, which is a class.
std::vector<parameter> slurm_partition_parameters();

/// Why the policy cannot run with these settings, which are complete; nothing: it can.
std::optional<setting_conflict> slurm_objection(const cluster_view& cluster, const settings& given);

/// Values of the parameters of passes.
struct slurm_settings {
  /// @param given complete settings
  slurm_settings(const settings& given, ticks second);

  ticks second;
  bool backfills;      ///< sched/backfill
  bool has_main_loop;  ///< sched_interval is not -1
  bool defer;
  bool bf_continue;
  ticks sched_interval, batch_sched_delay, sched_min_interval, kill_wait;
  ticks main_phase;       ///< from full seconds to main passes
  ticks completing_time;  ///< from the end of a job until its nodes are cleaned up
  std::size_t default_queue_depth;
  ticks bf_interval, bf_window, bf_resolution, bf_window_linear;
  /// Times of a backfill pass, which count where decisions take time: its longest, until it yields, and for how long.
  ticks bf_max_time, bf_yield_interval, bf_yield_sleep;
  /// The most of a pass; no limit where Slurm's value is 0.
  std::size_t bf_max_job_test, bf_max_job_user, bf_max_job_part, bf_max_job_start;
  std::size_t max_jobs_per_user;  ///< that run
  bool preempts_by_qos;           ///< preempt/qos
  bool preempt_youngest_first, preempt_strict_order;
  std::size_t preempt_reorder_count;
  /// How long a job that has preempted others waits before it may preempt more, while these leave: KillWait and Slurm's
  /// MessageTimeout.
  ticks preemption_wait;
  /// A job that was preempted may start again so long after the second in which it was, as was measured.
  ticks requeue_wait;
};

}  // namespace muster
