#pragma once

#include <memory>
#include <unordered_map>

#include "muster/policies/backfilling/backfill_order.h"
#include "muster/policies/backfilling/reservation_plan.h"
#include "muster/policies/catalogue.h"

namespace muster {

/// What policies of backfilling share: the jobs in the system with their expected ends, the plan, the usage of users,
/// and when a pass is made.
///
/// A pass is made once an instant at which jobs end, arrive or are interrupted, or servers are repaired, after all of
/// these; with `pass = "each_event"` at each of them. One is made at the time of the earliest reservation, too, where
/// the policy keeps some, and at the planned return of a server.
class backfilling : public rigid_policy {
 public:
  /// The jobs in the system with which a simulation ends early: plans for more of them take minutes.
  struct limits {
    std::uint64_t on_cores, of_tasks;  ///< where only cores count, and where tasks do
  };

  /// @param given complete settings, with order_parameter() and pass_parameter()
  backfilling(const cluster_view& cluster, const settings& given, const limits& most);

  std::uint64_t most_jobs_in_system() const final { return most_jobs_; }

  void arrived(const job& j, rigid_view cluster, rigid_decisions& decide) final;
  void completed(const job& j, rigid_view cluster, rigid_decisions& decide) final;
  void interrupted(const job& j, rigid_view cluster, rigid_decisions& decide) final;
  void woken(std::uint32_t cookie, rigid_view cluster, rigid_decisions& decide) final;

  /// The parameters that all policies of backfilling have.
  static parameter order_parameter();
  static parameter pass_parameter();
  /// Sets what the entries of all policies of backfilling have in common, but for name and parameters.
  template <class Policy>
  static void complete(policy_entry& entry) {
    entry.construct = [](const cluster_view& cluster, const settings& given,
                         random_numbers&) -> std::unique_ptr<rigid_policy> {
      return std::make_unique<Policy>(cluster, given);
    };
    share_traits(entry);
  }

 protected:
  /// What has happened since the latest pass.
  struct changes {
    bool early_end = false;  ///< a job has ended before the latest pass expected it to
    bool overrun = false;    ///< a running job has exceeded its estimate, or what was expected of it since
    bool less_is_up = false;
    bool more_is_up = false;
    bool interrupted = false;  ///< a job has lost a server
  };

  /// Starts jobs, and makes reservations.
  virtual void pass(rigid_view cluster, rigid_decisions& decide) = 0;
  /// @name Jobs that begin to wait, or cease to
  /// @{
  virtual void joins(planned_job& j) = 0;
  virtual void leaves(planned_job& j) = 0;
  /// @}
  /// The time of the earliest reservation that the policy keeps; end_of_clock: none.
  virtual ticks next_reservation() const { return end_of_clock; }
  /// @name A plan that the latest pass has not made for all jobs that wait
  /// The jobs left out fit at no instant before a running job is expected to end.
  /// @{
  virtual bool has_left_out_jobs() const { return false; }
  /// Goes on with that plan when a running job was expected to end: nothing that has happened since concerns it.
  virtual void plan_more(rigid_view) {}
  /// @}

  /// Brings the plan to the present, and expects running jobs that have exceeded their expected ends to end later.
  /// @return what has happened since it was last called
  changes bring_up_to_date(rigid_view cluster);
  /// Starts a job, whose reservation begins now.
  void start(planned_job& j, rigid_view cluster, rigid_decisions& decide);
  /// Withdraws the reservations of jobs, which are all that have one.
  void withdraw_all(const std::vector<planned_job*>& jobs) { plan_->withdraw_all(jobs, running_); }
  reservation_plan& plan() { return *plan_; }
  backfill_order order() const { return order_; }
  earlier_in_order in(backfill_order order, rigid_view cluster) const { return {order, cluster.now(), usage_}; }

 private:
  static void share_traits(policy_entry& entry);
  void schedule(rigid_view cluster, rigid_decisions& decide) final;
  void wait(planned_job& j);
  void leave_servers(planned_job& j, rigid_view cluster);
  void make_pass(rigid_view cluster, rigid_decisions& decide);
  ticks next_time() const;
  void go_on(rigid_view cluster);
  void find_next_end(ticks now);
  void await(ticks at, rigid_decisions& decide);

  backfill_order order_;
  bool at_each_event_;
  std::uint64_t most_jobs_;
  table<class_id, double> slowest_;
  std::unique_ptr<reservation_plan> plan_;
  user_usage usage_;
  std::unordered_map<std::uint64_t, planned_job> jobs_;  // in the system, by id
  reservation_plan::running_jobs running_;
  changes since_;
  bool requested_ = false;         // a pass at the end of this instant
  ticks awaited_ = end_of_clock;   // the earliest of the times requested for passes to come
  std::vector<ticks> returns_;     // planned ones that no pass has followed, the earliest last
  ticks next_end_ = end_of_clock;  // expected, of a running job, where jobs are left out that may start then
};

}  // namespace muster
