#pragma once

#include "muster/policies/cluster_data.h"

namespace muster {

/// Queue, running jobs and free cores as the policies of all kinds of jobs see them: read only, every query cheap.
///
/// No query visits all jobs or all servers; queries over classes visit those that have a job waiting. A view is passed
/// by value, like a reference to the cluster, which it must not outlive.
class cluster_view {
 public:
  explicit cluster_view(const cluster_data& cluster) : data_(&cluster) {}

  /// @name Classes, in descending order of need; where tasks count, of task_need::share. All jobs of a class need the
  /// same: where jobs bring needs of their own, those of a declared class that need the same are a class here.
  /// @{
  std::size_t class_count() const { return data_->classes.size(); }
  id_range<class_id> classes() const { return id_range<class_id>{data_->classes.size()}; }
  const std::string& name(class_id id) const { return data_->classes[id].name; }
  /// Cores that a job of the class needs; where tasks count, the number of its tasks.
  unsigned need(class_id id) const { return data_->rows[id].need; }
  /// Whether tasks count, and not cores alone: each class has a task_need, and may fit although cores are few, or not
  /// although they are many. Policies whose entries do not say `any_resources` see only clusters where cores count.
  bool counts_tasks() const { return data_->counts_tasks; }
  /// What a job of the class needs, where tasks count.
  const task_need& tasks(class_id id) const { return *data_->classes[id].tasks; }
  /// Cores that a job of the class holds at once, of all its tasks where these count.
  unsigned cores(class_id id) const { return data_->classes[id].need; }
  /// Whether jobs of some declared class bring needs of their own. Its classes here have its name and parameters, and
  /// their rates and mean sizes are not known. Policies whose entries do not say `any_needs` do not see such.
  bool several_needs() const { return data_->several_needs; }
  /// The servers that the class may use, in the order in which the placement rule `first` takes them.
  const std::vector<group_id>& groups(class_id id) const { return data_->classes[id].groups; }
  /// All servers and resources, where tasks count.
  const cluster_inventory& inventory() const { return data_->inventory; }
  /// All cores of the servers compatible with the class, busy or not (k in the papers).
  unsigned usable_cores(class_id id) const { return data_->usable[id]; }
  /// The servers that are down, in the order in which they have failed. Nothing tells a policy of a server that fails
  /// while it holds no job.
  const std::vector<server_name>& servers_down() const { return data_->down; }
  /// All outages of servers that are known beforehand, in the order in which they begin, those of the past included. A
  /// server is up and down when servers_down() says so: that an outage is planned changes nothing of it.
  const std::vector<planned_outage>& planned_outages() const { return data_->outages; }
  /// The smallest capacity of a core among the servers that the class may use: work per tick.
  double slowest(class_id id) const { return data_->slowest(id); }
  /// All cores of the platform, busy or not.
  unsigned all_cores() const { return data_->all_cores; }
  /// The policy's parameters of the class, by name, see policy_entry::class_parameters. Each look-up compares names:
  /// read values that are needed at every event once, when the policy is made.
  const settings& parameters(class_id id) const { return data_->classes[id].parameters; }
  /// @}

  /// @name Declared properties of future jobs; nothing where they are not known, as for jobs from a list. Rates and
  /// sizes are in units of time, not in ticks.
  /// @{
  /// Mean work of the class's jobs: units of time on capacity 1, on all cores that they need.
  std::optional<double> mean_size(class_id id) const { return data_->classes[id].mean_size; }
  /// Arrivals of the class per unit of time; nothing where the number of jobs is finite.
  std::optional<double> arrival_rate(class_id id) const { return data_->classes[id].arrival_rate; }
  /// The class's share of all arrivals, in the long run.
  std::optional<double> arrival_share(class_id id) const { return data_->classes[id].arrival_share; }
  /// @}

  /// @name Time
  /// @{
  /// The present instant; constant during a call of the policy. Where decisions take time, it is when the scheduler
  /// begins to process the event, which may have waited, and before the time of the decision has passed.
  ticks now() const { return data_->clock ? data_->clock->now() : 0; }
  /// Ticks of one unit of time, such as a scenario's time_unit.
  ticks ticks_per_unit() const { return data_->ticks_per_unit; }
  /// The time that decisions take for each job that the policy examines.
  ticks time_per_job() const { return data_->time_per_job; }
  /// Counts jobs that the policy examines without a query of this view, as it keeps them itself: decisions take time
  /// for each job that is examined.
  void count_examined(std::size_t jobs) const { data_->handed_out += jobs; }
  /// @}

  /// @name The queue
  /// @{
  bool anyone_waits() const { return !data_->waiting_classes.empty(); }
  std::size_t waiting(class_id id) const { return data_->rows[id].waiting; }
  /// The first job waiting in the class, or null.
  const job* first(class_id id) const { return handed_out(data_->rows[id].head); }
  /// The earliest arrival among the waiting jobs, or null.
  const job* earliest() const {
    const class_set& waiting = data_->waiting_classes;
    const class_id first = waiting.first();
    if (first == class_set::none) return nullptr;
    const bool alone = waiting.next(first) == class_set::none;
    return alone ? data_->hand_out(*data_->rows[first].head) : data_->earliest_of_classes();
  }
  const class_set& waiting_classes() const { return data_->waiting_classes; }
  /// @}

  /// @name Service
  /// @{
  std::size_t in_service(class_id id) const { return data_->rows[id].in_service; }
  std::size_t in_service() const { return data_->in_service; }
  /// The first of the class's running jobs, including those that are leaving; the next one is its `behind`. Null if
  /// none runs. Rigid jobs are in descending order of arrival, others in no particular order.
  const job* running(class_id id) const {
    data_->handed_out += data_->rows[id].in_service;
    return data_->rows[id].served;
  }
  const class_set& served_classes() const { return data_->served_classes; }
  /// Idle cores on the servers compatible with the class; where tasks count, how many of its tasks fit.
  unsigned free_cores(class_id id) const { return data_->free_cores(id); }
  /// @}

 protected:
  /// Counts a job that a query returns, unless it is null.
  const job* handed_out(const job* j) const {
    data_->handed_out += j ? 1 : 0;
    return j;
  }
  const cluster_data* data_;
};

}  // namespace muster
