#pragma once

#include <utility>
#include <vector>

#include "muster/policies/pooled_view.h"
#include "muster/policies/queue_place.h"
#include "muster/policies/rigid_view.h"
#include "muster/policies/slotted_view.h"

namespace muster {

/// The state of the cluster, which the scheduler changes and policies view.
class cluster_state final : public cluster_view {
 public:
  /// @param classes in descending order of need, or of task_need::share where tasks count, each with a name of its own
  /// (letters, digits, '_', '-' and '.')
  /// @param cores of each group of servers, all idle; each group has some
  /// @param clock outlives the state; null: the time is always 0
  /// @param ticks_per_unit of the classes' rates and sizes, > 0
  /// @param inventory of the same groups, where tasks count
  /// @param outages that policies know beforehand, each of a server of these groups, those of a server one after the
  /// other
  /// @throws std::invalid_argument for an invalid cluster: what is wrong and what was expected
  cluster_state(table<class_id, job_class> classes, table<group_id, unsigned> cores,
                const simulated_clock* clock = nullptr, ticks ticks_per_unit = 1, cluster_inventory inventory = {},
                std::vector<planned_outage> outages = {});
  cluster_state(const cluster_state&) = delete;
  cluster_state& operator=(const cluster_state&) = delete;

  /// @name The views of the policies
  /// @{
  operator rigid_view() const { return rigid_view{own_}; }
  operator pooled_view() const { return pooled_view{own_}; }
  operator slotted_view() const { return slotted_view{own_}; }
  /// @}

  const job_class& type(class_id id) const { return own_.classes[id]; }

  /// @name Declared classes, as the state was made of them, whose jobs may differ in need. Where they do, each need of
  /// a declared class is a class of the view, in whose queue the jobs wait that bring it.
  /// @{
  std::size_t declared_classes() const { return several_needs() ? by_need_.size() : class_count(); }
  /// How many needs the jobs of a declared class may bring, besides its own.
  std::size_t submitted_needs(class_id declared) const { return several_needs() ? by_need_[declared].size() - 1 : 0; }
  /// The class of the jobs of a declared class that bring a need. @param need 0: the class's own; at most
  /// submitted_needs()
  class_id class_of(class_id declared, std::uint64_t need) const {
    return several_needs() ? by_need_[declared][need] : declared;
  }
  /// @}

  /// The only group whose servers the class may use; null: there are several. Not to be called where tasks count.
  const group_id* only_group(class_id id) const {
    return own_.rows[id].single_group ? &own_.rows[id].only_group : nullptr;
  }
  /// Puts a job at the end of its class's queue.
  void join(job& j);
  /// The number of jobs that queries have returned so far: heads of queues, and all running jobs of a class with
  /// running().
  std::uint64_t jobs_handed_out() const { return own_.handed_out; }
  /// Puts a waiting job into service. Its cores are booked separately, by take().
  void enter_service(job& j);
  /// Removes a job in service from the cluster.
  void leave(job& j);

  /// @name Rigid jobs
  /// @{
  /// Puts a waiting job into service as enter_service() does, and keeps the running jobs of the class in descending
  /// order of arrival.
  void enter_service_by_arrival(job& j);
  /// Marks a job in service as leaving: it waits again when its cores are free.
  void begin_leaving(job& j);
  /// Reverses begin_leaving() for a job that turns out to be complete.
  void end_leaving(job& j);
  /// Puts a job that is leaving back into the queue of its class.
  void requeue(job& j, queue_place where);
  /// Puts a job into the queue of its class, at its place by arrival.
  void join_by_arrival(job& j);
  /// Removes a waiting job from the cluster.
  void leave_waiting(job& j);
  /// The waiting job that arrived first among those that need at most so many cores and for which a predicate holds;
  /// null: there is none.
  template <class Predicate>
  job* earliest_waiting(std::uint64_t most_cores, const Predicate& holds) const {
    job* earliest = nullptr;
    for (const class_id id : classes()) {
      if (need(id) > most_cores) continue;
      job* j = own_.rows[id].head;
      while (j && !holds(*j)) j = j->behind;
      if (j && (!earliest || j->id < earliest->id)) earliest = j;
    }
    return earliest;
  }
  /// @}

  /// @name Slotted jobs
  /// @{
  /// Puts a job in service that has lost its last core at the end of its class's queue.
  void preempt_to_tail(job& j);
  void set_slot_cores(unsigned cores) { own_.slot_cores = cores; }
  /// @}

  /// @name Pooled jobs
  /// @{
  /// Puts a job at the end of its class's queue and of the virtual queue.
  void join_pool(job& j);
  /// Removes a job in service from the virtual queue, so that no further server can join it.
  void withdraw(job& j);
  /// Puts a job that is leaving back to the end of both queues.
  void rejoin_pool(job& j);
  const virtual_queue& pool() const { return own_.pool; }
  /// @}

  std::size_t group_count() const { return own_.groups; }
  bool fits(class_id id) const { return own_.fits(id); }
  unsigned free_in(group_id group) const { return own_.free[group]; }
  void take(group_id group, unsigned cores) { own_.free[group] -= cores; }
  void give_back(group_id group, unsigned cores) { own_.free[group] += cores; }
  /// Sets how many tasks of a class fit, where tasks count; at first none do.
  void set_fitting(class_id id, unsigned tasks) { own_.free[own_.rows[id].only_group] = tasks; }
  /// @name Servers that are down
  /// @{
  void server_fails(const server_name& server) { own_.down.push_back(server); }
  void server_is_repaired(const server_name& server);
  /// @}
  /// Sets the capacity of the cores of each group, which is 1 otherwise.
  void set_capacities(table<group_id, double> capacities) { own_.capacities = std::move(capacities); }
  /// Sets the time that decisions take for each job that the policy examines, which is 0 otherwise.
  void set_time_per_job(ticks each) { own_.time_per_job = each; }
  /// @param preview for a policy that places by itself; outlives the state's use by the policy
  void set_preview(const placement_preview& preview) { own_.preview = &preview; }

 private:
  using class_row = cluster_data::class_row;

  void count_tasks();
  void leave_queue(job& j, class_row& row);
  [[gnu::noinline]] void enter_service_behind(job& j);
  job* first_after(const job& j, const class_row& row) const;

  cluster_data own_;
  table<class_id, std::vector<class_id>> by_need_;  // of declared classes; empty where none has several needs
  bool by_arrival_ = true;                          // whether every queue of rigid jobs is in order of arrival
};

// Functions that are called for every job are in the header, so that they are inlined.

inline void cluster_state::join(job& j) {
  class_row& row = own_.rows[j.type];
  j.where = job::place::waiting;
  j.ahead = row.tail;
  j.behind = nullptr;
  if (row.tail) {
    row.tail->behind = &j;
  } else {
    row.head = &j;
    row.head_id = j.id;
    own_.waiting_classes.insert(j.type);
  }
  row.tail = &j;
  ++row.waiting;
}

inline void cluster_state::enter_service(job& j) {
  class_row& row = own_.rows[j.type];
  leave_queue(j, row);
  j.ahead = nullptr;
  j.behind = row.served;
  if (row.served) row.served->ahead = &j;
  row.served = &j;
  if (row.in_service++ == 0) own_.served_classes.insert(j.type);
  ++own_.in_service;
}

inline void cluster_state::enter_service_by_arrival(job& j) {
  class_row& row = own_.rows[j.type];
  if (row.served && row.served->id > j.id)
    enter_service_behind(j);
  else
    enter_service(j);
}

inline void cluster_state::leave_queue(job& j, class_row& row) {
  (j.ahead ? j.ahead->behind : row.head) = j.behind;
  (j.behind ? j.behind->ahead : row.tail) = j.ahead;
  row.head_id = row.head ? row.head->id : cluster_data::no_job;
  if (row.requeued_before == &j) row.requeued_before = j.behind;
  if (!row.head) own_.waiting_classes.erase(j.type);
  --row.waiting;
  j.where = job::place::in_service;
}

inline void cluster_state::leave(job& j) {
  class_row& row = own_.rows[j.type];
  j.where = job::place::outside;
  (j.ahead ? j.ahead->behind : row.served) = j.behind;
  if (j.behind) j.behind->ahead = j.ahead;
  if (--row.in_service == 0) own_.served_classes.erase(j.type);
  --own_.in_service;
}

}  // namespace muster
