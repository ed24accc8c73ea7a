#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "muster/policies/slurm/backfill_candidates.h"
#include "muster/policies/slurm/grace_periods.h"
#include "muster/policies/slurm/long_pass.h"
#include "muster/policies/slurm/pass_times.h"
#include "muster/policies/slurm/preemption.h"
#include "muster/policies/slurm/priorities.h"
#include "muster/policies/slurm/running_limits.h"
#include "muster/policies/slurm/waiting_jobs.h"

namespace muster {

/// The scheduler of Slurm 22.05: main passes that start jobs in order, and backfill passes that plan. Sources: the
/// manual of slurm.conf; Yoo, Jette and Grondona, "SLURM: simple Linux utility for resource management" (JSSPP 2003).
///
/// Order: where jobs are preempted by QOS, those of QOS that preempt others first (qos_table::level()); then jobs of a
/// partition of a higher PriorityTier, then those of a higher priority, then by arrival. The scheduler `builtin`
/// without priorities and tiers sorts no jobs: by arrival, whatever their QOS. A class is a partition; where jobs bring
/// needs of their own, their classes here are one, by its name.
///
/// A main pass (main_times has its times): jobs in order. A job that does not fit blocks its partition, and all nodes
/// of it, for the rest of the pass.
///
/// A backfill pass (backfill_times has its times): jobs in order, each of which starts or gets a reservation
/// (backfill_plan).
///
/// Where decisions take time for each job that is examined, a backfill pass yields after `bf_yield_interval` for
/// `bf_yield_sleep`, in which other events come. It then goes on with the queue and the reservations that it had, or
/// breaks off if something has changed, unless `bf_continue` is set; and it is over after `bf_max_time`. Jobs that it
/// tests without a break are tested at one instant, the first, and start when their decision is made.
///
/// A job that does not fit may preempt jobs of partitions of a lower PriorityTier, or of other QOS (preemption). They
/// are killed, at once or when their GraceTime is over (grace_periods), lose their work, and wait again, at first for
/// two minutes apart from the others; or they are cancelled, as their preempt_terms say. The job that has preempted
/// them starts in a later pass, if it fits then.
///
/// A job whose nodes are named, as it runs at time 0, starts on them when it arrives, if there is room.
///
/// Nodes of a job that has ended are completing for `completing_time` (completing_nodes): no job starts there, and a
/// main pass does not see them. This time is of the site: messages to the nodes, and their epilog.
///
/// Limits are the estimates: a running job is believed to end with its limit (start_search). A job starts on nodes with
/// a planned outage only if its limit ends by then.
///
/// A pass is left out where it could start no job: where none that waits fits on what is free, or nothing has changed
/// since the pass before, by an event or by time. None is while jobs wait that need devices, or nodes have
/// weights of them (node_weights).
class slurm_scheduler final : public rigid_policy {
 public:
  /// @param given complete settings
  slurm_scheduler(const cluster_view& cluster, const settings& given);

  void arrived(const job& j, rigid_view cluster, rigid_decisions& decide) override;
  void completed(const job& j, rigid_view cluster, rigid_decisions& decide) override;
  void interrupted(const job& j, rigid_view cluster, rigid_decisions& decide) override;
  void preempted(const job& j, rigid_view cluster, rigid_decisions& decide) override;
  void repaired(group_id, rigid_view cluster, rigid_decisions& decide) override;
  void woken(std::uint32_t, rigid_view cluster, rigid_decisions& decide) override;

 private:
  /// @name Events
  /// @{
  void advance(rigid_view cluster);
  void clean_up(ticks at);
  void begin_event(rigid_view cluster);
  void end_event(rigid_view cluster, rigid_decisions& decide);
  void change(ticks now);
  void ask_after_end(ticks at);
  void ask_after_preemption(ticks now);
  ticks next_by_time(ticks now) const;
  bool backfill_is_due(rigid_view cluster) const;
  ticks backfill_changes_at(rigid_view cluster) const;
  static bool any_fits(rigid_view cluster);
  bool each_pass_counts(rigid_view cluster) const;
  void await(rigid_view cluster, rigid_decisions& decide);
  ticks next_of_queue(rigid_view cluster) const;
  /// @}

  /// @name Jobs
  /// @{
  slurm_job& add(const job& j, rigid_view cluster);
  void wait(slurm_job& j, rigid_view cluster);
  void start(slurm_job& j, const std::vector<node_share>& where, rigid_view cluster, rigid_decisions& decide);
  void leave_nodes(slurm_job& j, rigid_view cluster);
  void preempt(slurm_job& j, const node_set& nodes, rigid_view cluster, rigid_decisions& decide);
  void give_way(slurm_job& j, ticks now, rigid_decisions& decide);
  void take_off(slurm_job& j, ticks now, rigid_decisions& decide);
  void end_grace_periods(ticks now, rigid_decisions& decide);
  void end_waits_apart(rigid_view cluster);
  std::size_t& running_of(const slurm_job& j) { return running_of_user_[j.of->user]; }
  bool exceeds_limits(const slurm_job& j);
  /// @}

  /// @name Passes
  /// @{
  void main_pass(rigid_view cluster, rigid_decisions& decide);
  node_set nodes_now(const slurm_job& j, const node_set& open, ticks now) const;
  void test_submitted(const slurm_job& j, ticks now);
  void change_by_starts(ticks now);

  void backfill_pass(rigid_view cluster, rigid_decisions& decide);
  void find_candidates(rigid_view cluster);
  bool is_to_start(slurm_job& j, rigid_view cluster, rigid_decisions& decide);
  void clear_limits_of_pass();
  bool is_beyond_limits_of_pass(const slurm_job& j);

  bool takes_long(std::size_t tested, rigid_view cluster) const;
  bool is_too_late(ticks begin, ticks at) const;
  void begin_long_pass(std::size_t tested, rigid_view cluster, rigid_decisions& decide);
  void resume_long_pass(rigid_view cluster, rigid_decisions& decide);
  void test_until_yield(rigid_view cluster, rigid_decisions& decide);
  void end_long_pass(ticks at);
  /// @}

  slurm_settings set_;
  qos_table qos_;
  node_table nodes_;
  completing_nodes completing_;
  start_search search_;
  preemption preempting_;
  preempt_terms_table terms_;
  grace_periods grace_;
  backfill_plan plan_;
  priorities priorities_;
  main_times main_;
  backfill_times backfill_;
  std::vector<node_set> nodes_of_partition_;
  running_limits limits_;
  table<class_id, std::size_t> partitions_;
  table<class_id, std::uint64_t> tiers_;
  table<class_id, double> slowest_;
  bool sorts_by_qos_ = false;                          // whether jobs of QOS that preempt others come first
  std::unordered_map<std::uint64_t, slurm_job> jobs_;  // in the system, by id
  waiting_jobs queue_;
  std::multimap<ticks, slurm_job*> apart_;  // jobs that were preempted and do not wait in the queue until then
  std::unordered_map<std::uint32_t, std::size_t> running_of_user_;
  long_pass pass_;
  bool backfill_changed_ = false;      // since the latest backfill pass, or since it has yielded
  ticks stands_until_ = end_of_clock;  // of the plan of the latest backfill pass
  ticks by_time_;                      // the next change that no event brings about
  ticks awaited_ = end_of_clock;       // the earliest of the times requested
  // The following are values of the pass that is made.
  table<class_id, unsigned char> fitted_;  // whether jobs of the class fit, when the pass begins
  backfill_candidates candidates_;
  std::unordered_map<std::uint32_t, std::size_t> of_user_;
  std::vector<std::size_t> of_partition_;
};

}  // namespace muster
