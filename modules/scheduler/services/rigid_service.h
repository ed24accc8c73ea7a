#pragma once

#include <memory>

#include "muster/modules/scheduler/services/learnt_estimates.h"
#include "muster/modules/scheduler/services/service_for.h"
#include "muster/policies/rigid_policy.h"

namespace muster {

/// The service of rigid jobs. A job takes the cores that it needs at its start, group by group in the order of its
/// class, and within a group from the lowest server that has idle cores. A job that one server cannot hold is a gang:
/// it runs at the speed of its slowest slice, and keeps its cores until all slices have ended.
class rigid_service : public service_for<rigid_policy> {
 public:
  rigid_service(const scheduler_parts& parts, rigid_policy& rules);

  /// Where jobs bring needs of their own, a word may name the need. Where they state more, further words follow.
  bool descriptor_is_all() const final { return !state_.several_needs() && !parts_.estimates.stated(); }
  bool has_length(const job_descriptor& work, std::uint64_t behind) const final;
  bool accepts(const tlm::tlm_generic_payload& p, const job_descriptor& work) const final;
  void read_facts(job_extension& j) const final;
  /// Jobs of foreign submitters stay: their extension goes with the response.
  bool withdraw(std::uint64_t most_cores) final;

 protected:
  [[gnu::flatten]] void job_arrives(job_extension& j) override;
  [[gnu::flatten]] void slice_ends(tlm::tlm_generic_payload& p) override;
  /// The policy looks at the queue anew, of which a job has been taken.
  void others_change() override {
    if (state_.anyone_waits()) ask_policy("freed_by_others()", [&] { policy_.freed_by_others(view_, *this); });
  }
  void stream_ends() final {
    ask_policy("stream_ended()", [&] { policy_.stream_ended(view_, *this); });
  }
  [[gnu::flatten]] void start(const job& waiting) override;
  void start_on(const job& waiting, const std::vector<task_placement>& where) override;
  void preempt(const job& running, queue_place where) final { take_cores(running, where, leaves_for::preemption); }
  void kill(const job& running, queue_place where) final { take_cores(running, where, leaves_for::kill); }
  /// Takes a job off its cores. A fault where the policy's entry does not say that it preempts.
  virtual void take_cores(const job& running, queue_place where, leaves_for reason);
  /// The job that the policy starts. A fault if the job does not wait or does not fit.
  job_extension& checked(const job& waiting) const {
    job_extension& j = checked_but_for_room(waiting);
    if (!view_.fits(waiting)) refuse_start(waiting);
    return j;
  }
  /// Lets a job enter service on the allocator's placements(), and sends its slices.
  /// @param slices number of servers
  virtual void send_placed(job_extension& j, unsigned slices);
  /// Lets a job enter service on cores that are booked for it.
  /// @param slices number of servers
  /// @param capacity of the slowest server
  /// @return how long each slice takes
  ticks enter_service(job_extension& j, unsigned slices, double capacity);
  /// Writes what a slice holds beside cores, where tasks count, to its transaction. Called when it is complete.
  /// @param at of the allocator's placements()
  void hold_resources(tlm::tlm_generic_payload& slice, const placement& at) const;
  /// Lets a job in service leave the cluster, as it is done.
  void complete(job_extension& j) {
    if (learnt_ && !j.killed) learnt_->complete(j.user, j.descriptor.size);
    service_for::complete(j);
  }

 private:
  ticks estimate_of(const job_extension& j) const;
  /// The job that the policy starts. A fault if the job does not wait.
  job_extension& checked_but_for_room(const job& waiting) const {
    check_itself(waiting, "started");
    if (waiting.where != job::place::waiting) refuse_start(waiting);
    return extension_of(waiting);
  }
  [[gnu::noinline, gnu::flatten]] void start_on_several(job_extension& j);
  [[noreturn, gnu::cold, gnu::noinline]] void refuse_start(const job& waiting) const;

  std::unique_ptr<learnt_estimates> learnt_;  // null: estimates are not learnt, or not used
};

}  // namespace muster
