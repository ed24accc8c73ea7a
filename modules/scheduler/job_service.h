#pragma once

#include <optional>
#include <vector>

#include "muster/modules/scheduler/core_allocator.h"
#include "muster/modules/scheduler/decision_queue.h"
#include "muster/modules/scheduler/dispatch_port.h"
#include "muster/modules/scheduler/phase_observer.h"
#include "muster/modules/scheduler/policy_call.h"
#include "muster/modules/scheduler/scheduler_error.h"
#include "muster/modules/scheduler/submission_port.h"
#include "muster/modules/scheduler/wake_timers.h"
#include "muster/policies/cluster_state.h"
#include "muster/policies/policy.h"

namespace muster {

/// Is told that jobs are in service and none of them makes progress, and never will as far as can be told.
class stall_observer {
 public:
  /// @param why such as "all core time of 100000 slots has gone into overhead"
  virtual void work_stalls(const std::string& why) = 0;

 protected:
  ~stall_observer() = default;
};

/// The kind of jobs as messages name it: rigid, pooled or slotted.
const char* kind_of(progress jobs);

/// The parts of a scheduler that its service works with.
struct scheduler_parts {
  timekeeper& time;
  cluster_state& state;
  const table<group_id, server_group>& groups;
  core_allocator& cores;
  deferred_events& deferred;
  submission_port& submissions;
  dispatch_port& dispatches;
  std::optional<ticks> checkpoint;  ///< as in scheduler_settings
  bool decisions_take_time;         ///< a decision_queue counts for how long jobs hold something, not their allocations
};

/// Processes the events of jobs of one kind: arrival, start, the end of a slice, completion. Implements the decisions
/// that the policy may take.
class job_service : public event_sink, public decisions {
 public:
  /// @param rules the policy; outlives the service
  job_service(const scheduler_parts& parts, policy& rules);
  virtual ~job_service() = default;
  job_service(const job_service&) = delete;
  job_service& operator=(const job_service&) = delete;

  /// Before the simulation.
  /// @param slices receives the slices that are dispatched @param orders receives all other orders
  /// @param events receives the events of the service's own timers: the service itself, or a queue before it
  void connect(slice_sink& slices, order_sink& orders, event_sink& events) {
    slices_ = &slices;
    orders_ = &orders;
    sends_at_once_ = &slices == &parts_.dispatches;
    decides_at_once_ = &orders == &parts_.dispatches;
    events_ = &events;
    wakes_.deliver_to(events);
  }
  void observe_phases(phase_observer& observer) { phase_observer_ = &observer; }
  /// Without an observer it is a fault.
  void observe_stalls(stall_observer& observer) { stall_observer_ = &observer; }
  /// Sends a watch to each server that may fail.
  void watch_servers();

  /// @name Data of a submission, see submission_target
  /// @{
  /// Whether a submission consists of the descriptor only; otherwise the next two functions are called for each.
  virtual bool descriptor_is_all() const { return false; }
  virtual std::uint64_t data_behind(const job_descriptor&) const { return 0; }
  virtual bool accepts(const tlm::tlm_generic_payload&, const job_descriptor&) const { return true; }
  /// @}

  void happens(scheduler_event what, tlm::tlm_generic_payload* transaction) override;

  std::uint64_t completed() const { return completed_; }
  /// Jobs that have arrived too late to be served and have not been answered; they are in no queue.
  virtual const std::vector<const job_extension*>& jobs_too_late() const;
  examination& examined() { return examined_; }
  /// How many phases the policy has, as it said when the service was made.
  unsigned phases() const { return phases_; }

 protected:
  /// @name Events
  /// @{
  void job_arrives(job_extension& j) override = 0;
  void slice_ends(tlm::tlm_generic_payload& p) override = 0;
  virtual void slice_saves(tlm::tlm_generic_payload& p);
  virtual void jobs_have_left() {}
  virtual void deadline_passed(job_extension&) {}
  virtual void leave_unserved(job_extension&) {}
  virtual void slot_begins() {}
  virtual void cores_change() {}
  /// @}

  void start(const job& waiting) override;
  void preempt(const job& running, queue_place where) override;
  void kill(const job& running, queue_place where) override;
  void join(const job& pooled, group_id servers) override;
  void serve(const job& slotted, double units) override;
  void wake_at(ticks at, std::uint32_t cookie) final;

  /// Calls a function of the policy. @param function as policy_call names it
  template <class Call>
  void ask_policy(const char* function, const Call& call) {
    call_policy(function, call);
    after_policy();
  }
  void after_policy() {
    examined_.asked = true;
    if (policy_.phases_begun() != phases_seen_) show_phase();
  }
  /// Orders go to the port by a call that can be inlined, unless something is between it and the service.
  void send_slice(tlm::tlm_generic_payload& p) {
    if (sends_at_once_)
      parts_.dispatches.send_slice(p);
    else
      slices_->send(p);
  }
  /// A job gets cores; of no effect if it has had some before.
  void begin_service(job_extension& j) {
    if (j.begun) return;
    j.begun = true;
    if (decides_at_once_)
      parts_.dispatches.begin_service(j);
    else
      orders_->begin_service(j);
  }
  /// A job in service leaves the cluster, done.
  void complete(job_extension& j);
  /// Counts successive arrivals at which no job is in service; a fault if they are too many.
  void check_for_stall() {
    if (state_.in_service() > 0)
      idle_arrivals_ = 0;
    else
      count_idle_arrival();
  }
  /// The cores of a slice that has ended.
  static placement placement_of(const slice_extension& s) {
    return {s.group, s.server, static_cast<std::uint32_t>(s.descriptor.cores)};
  }
  /// Faults if the policy's decision is about a copy of a job. @param decision of it, as messages name it
  void check_itself(const job& given, const char* decision) const {
    if (given.itself != &given) refuse_copy(given, decision);
  }
  [[gnu::cold]] void report_stall(const std::string& why) const;
  [[noreturn]] void fault(const std::string& what) const { scheduler_fault(parts_.time, what); }

  scheduler_parts parts_;
  timekeeper& time_;
  cluster_state& state_;
  core_allocator& cores_;
  policy& policy_;
  slice_sink* slices_ = nullptr;
  order_sink* orders_ = nullptr;
  bool sends_at_once_ = false;
  bool decides_at_once_ = false;
  event_sink* events_ = nullptr;
  examination examined_;
  std::uint64_t completed_ = 0;

 private:
  [[noreturn]] void refuse_preemption(const job& running) const;
  [[noreturn]] void refuse_phase() const;
  [[noreturn, gnu::cold, gnu::noinline]] void refuse_copy(const job& given, const char* decision) const;
  [[gnu::noinline]] void show_phase();
  [[gnu::noinline]] void count_idle_arrival();
  void health_changed(tlm::tlm_generic_payload& p);
  void count_failure();
  void wake_policy();

  wake_timers wakes_;
  const unsigned phases_;
  phase_observer* phase_observer_ = nullptr;
  stall_observer* stall_observer_ = nullptr;
  std::uint64_t phases_seen_ = 0;
  std::uint64_t idle_arrivals_ = 0;     // arrivals since the cluster last had a job in service
  std::uint64_t failures_ = 0;          // of servers, in a row, without a completion
  std::uint64_t completed_before_ = 0;  // jobs at the latest failure
};

}  // namespace muster
