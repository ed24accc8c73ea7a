#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster::oracle {

/// What running jobs of a partition or a QOS, and those of one user among them, may be and hold; 0: anything.
struct slurm_loop_limits {
  std::uint64_t jobs_of_all = 0, cores_of_all = 0, nodes_of_all = 0;
  std::uint64_t jobs_of_user = 0, cores_of_user = 0, nodes_of_user = 0;
};

/// How jobs of a partition or a QOS give way.
struct slurm_loop_terms {
  enum class mode { of_cluster, off, requeue, cancel };
  mode how = mode::of_cluster;  ///< PreemptMode; of a QOS not off
  std::uint64_t grace = 0;      ///< GraceTime, in seconds
  std::int64_t exempt = -1;     ///< PreemptExemptTime, in seconds; of the QOS of a partition; -1: none
};

/// A QOS.
struct slurm_loop_qos {
  std::uint64_t priority = 0;
  slurm_loop_limits limits{};
  bool over_partition = false;          ///< OverPartQOS
  std::vector<std::size_t> preempts{};  ///< numbers of others, in no circle
  slurm_loop_terms terms{};
};

/// A user or an account, of which others may be.
struct slurm_loop_association {
  std::size_t above = ~std::size_t{0};           ///< place of its account among the settings'; beyond: it has none
  std::uint64_t jobs = 0, cores = 0, nodes = 0;  ///< GrpJobs and so on, of all below it; 0: anything
  std::uint64_t max_jobs = 0;                    ///< MaxJobs of each user below it who has none; 0: as above
};

/// Settings of slurm_loops(), in seconds, with the names of slurm.conf.
struct slurm_loop_settings {
  std::int64_t sched_interval = 60;  ///< -1: no main passes
  std::uint64_t batch_sched_delay = 3;
  std::size_t default_queue_depth = 100;
  bool defer = false;
  bool backfill = true;
  std::uint64_t bf_interval = 30, bf_window = 86400, bf_resolution = 60, bf_window_linear = 0, kill_wait = 30;
  std::uint64_t completing_time = 0;
  std::size_t bf_max_job_test = 500;
  std::size_t bf_max_job_start = 0;  ///< 0: any number
  /// @name Of a backfill pass that takes this long for each job
  /// @{
  std::uint64_t time_per_job = 0, bf_max_time = 30, bf_yield_interval = 2, bf_yield_sleep = 1;
  bool bf_continue = false;
  /// @}
  std::size_t first_device = ~std::size_t{0};  ///< this resource and those behind it are devices
  bool least_loaded = false;                   ///< CR_LLN
  bool pack_serial_at_end = false;
  /// @name priority/multifactor: weights, and when priorities are computed. 0: priority/basic
  /// @{
  double weight_age = 0.0, weight_size = 0.0, weight_qos = 0.0;
  std::uint64_t max_age = 604800, calc_period = 300;
  /// @}
  std::vector<slurm_loop_qos> qos{};
  std::vector<slurm_loop_association> associations{};  ///< of users, by their numbers, then accounts
  /// @name preempt/partition_prio or preempt/qos, with REQUEUE or CANCEL
  /// @{
  bool preempts = false, cancels = false, by_qos = false, youngest_first = false, strict_order = false;
  std::size_t reorder_count = 1;
  std::uint64_t exempt_time = 0;
  /// @}
};

/// What jobs need: so many tasks, each on one node, of amounts of the resources; and their partition.
struct slurm_loop_need {
  unsigned tasks;
  std::vector<std::uint64_t> each;
  bool exclusive = false;
  std::uint64_t tier = 1;
  slurm_loop_terms terms{};    ///< of the partition
  slurm_loop_limits limits{};  ///< of the partition
  bool least_loaded = false;   ///< LLN of the partition
};

struct slurm_loop_job {
  std::uint64_t arrival, size, limit;
  std::size_t need;
  std::uint32_t user = 0;
  std::size_t qos = ~std::size_t{0};  ///< place among the settings'; beyond: it has none
};

/// The last start of a job.
struct slurm_loop_outcome {
  std::uint64_t start = 0;
  std::vector<std::size_t> nodes{};  ///< in ascending order
  unsigned preemptions = 0;          ///< before, and the last one, if it was cancelled
};

/// The loops of Slurm's daemon, gone through second by second: no pass is left out, and everything is counted anew for
/// each question. All nodes are of all partitions. Of an instant ends come first, then arrivals, the main loop, the
/// backfill loop, and the main loop again when jobs have been preempted. A backfill pass that yields goes on with the
/// jobs that wait of those that waited when it began; one that begins with no job that fits takes no time.
/// @param nodes what each node has of each resource, cores first
/// @param jobs in the order of their arrival, in whole seconds
std::vector<slurm_loop_outcome> slurm_loops(const std::vector<std::vector<std::uint64_t>>& nodes,
                                            const std::vector<slurm_loop_need>& needs,
                                            const std::vector<slurm_loop_job>& jobs,
                                            const slurm_loop_settings& settings);

}  // namespace muster::oracle
