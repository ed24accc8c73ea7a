#pragma once

#include <cstdint>
#include <vector>

#include "muster/policies/backfilling/user_usage.h"
#include "muster/policies/catalogue.h"
#include "muster/policies/slurm/fair_tree.h"
#include "muster/policies/slurm/node_table.h"
#include "muster/policies/slurm/qos_table.h"

namespace muster {

/// Priorities of waiting jobs by Slurm's priority/multifactor: the sum, rounded down, of weights times factors from 0
/// to 1.
///
/// - age: the wait, over PriorityMaxAge, at most 1
/// - fair share: that of the user in the fair_tree
/// - job size: the mean of the job's shares of all nodes and of all cores, or of what it leaves over of them
/// - partition: its PriorityJobFactor, over the largest of all partitions
/// - QOS: its Priority, over the largest of all QOS
///
/// Factors are computed anew every PriorityCalcPeriod. In between, a job keeps the priority that it had then, or at its
/// arrival. Usage is core time; at the end of each period it is multiplied by 2^(-period / PriorityDecayHalfLife). The
/// nodes of a job are the fewest that can hold it. Only users count that the settings describe, or whose jobs have
/// arrived.
class priorities {
 public:
  /// @param given complete settings
  /// @param qos outlives the object
  priorities(const cluster_view& cluster, const settings& given, const node_table& nodes, const qos_table& qos);

  /// Whether priorities change with time; else all are 0, as those of priority/basic, where jobs are in order of
  /// arrival.
  bool change() const { return multifactor_; }
  /// The time at which factors are computed next, while jobs wait.
  ticks next(ticks now) const { return (now / period_ + 1) * period_; }
  /// Computes the factors of the present period. Called at each event. @return whether they are computed anew
  bool bring_up_to_date(ticks now);
  /// When factors were computed last.
  ticks computed_at() const { return computed_ * period_; }
  std::uint64_t of(const slurm_job& j, ticks now) const;

  /// @name Jobs that arrive, that start, and that end
  /// @{
  void arrive(const slurm_job& j) {
    if (multifactor_) of_user(j.of->user).known = true;
  }
  void begin(const slurm_job& j, ticks now);
  void end(const slurm_job& j, ticks now);
  /// @}

 private:
  static std::size_t row(std::uint32_t user) { return user == job::no_user ? 0 : std::size_t{user} + 1; }
  fair_tree::user& of_user(std::uint32_t number);

  bool multifactor_, favor_small_;
  double age_, fair_share_, job_size_, partition_, of_qos_;  // weights
  ticks max_age_, period_;
  double decay_;  // of a period
  double cores_;
  const qos_table& qos_;
  table<class_id, double> share_of_nodes_, factor_of_partition_;
  user_usage held_;
  fair_tree tree_;
  std::vector<fair_tree::user> users_;  // by row()
  std::vector<tick_sum> counted_;       // of each of them the usage that is in its own
  ticks computed_ = 0;                  // number of the period
};

}  // namespace muster
