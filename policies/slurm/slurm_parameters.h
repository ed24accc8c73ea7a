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

/// Why these settings, which are complete, leave no pass that starts jobs; nothing: there are passes.
std::optional<setting_conflict> slurm_objection(const settings& given);

/// Values of the parameters of passes.
struct slurm_settings {
  /// @param given complete settings
  slurm_settings(const settings& given, ticks second);

  ticks second;
  bool backfills;      ///< sched/backfill
  bool has_main_loop;  ///< sched_interval is not -1
  bool defer;
  ticks sched_interval, batch_sched_delay, sched_min_interval, kill_wait;
  std::size_t default_queue_depth;
  ticks bf_interval, bf_window, bf_resolution, bf_window_linear;
  /// The most of a pass; no limit where Slurm's value is 0.
  std::size_t bf_max_job_test, bf_max_job_user, bf_max_job_part, bf_max_job_start;
  std::size_t max_jobs_per_user;  ///< that run
};

}  // namespace muster
