#pragma once

#include <optional>
#include <vector>

#include "muster/modules/scheduler/events/phase_reporter.h"
#include "muster/modules/scheduler/events/policy_call.h"
#include "muster/modules/scheduler/events/scheduler_error.h"
#include "muster/modules/scheduler/events/stream_end.h"
#include "muster/modules/scheduler/events/wake_timers.h"
#include "muster/modules/scheduler/services/decision_queue.h"
#include "muster/modules/scheduler/services/scheduler_parts.h"
#include "muster/modules/scheduler/services/server_watches.h"
#include "muster/modules/scheduler/services/stall_guard.h"
#include "muster/policies/policy.h"

namespace muster {

/// Processes the events of jobs of one kind: arrival, start, the end of a slice, completion. This class has what is
/// common to all kinds; service_for adds the policy of one kind.
class job_service : public event_observer, public submission_rules, public job_withdrawals {
 public:
  /// @param rules the policy; outlives the service
  job_service(const scheduler_parts& parts, const policy& rules);
  virtual ~job_service() = default;
  job_service(const job_service&) = delete;
  job_service& operator=(const job_service&) = delete;

  /// Sets where orders and events go. Called before the simulation.
  /// @param slices takes the slices that are dispatched @param orders takes all other orders
  /// @param events receives the events of the service's own timers: the service itself, or a queue before it
  void connect(slice_sink& slices, order_sink& orders, event_observer& events) {
    slices_ = &slices;
    orders_ = &orders;
    sends_at_once_ = &slices == &parts_.dispatches;
    decides_at_once_ = &orders == &parts_.dispatches;
    events_ = &events;
    wakes_.deliver_to(events);
    stream_end_.deliver_to(events);
  }
  void happens(scheduler_event kind, tlm::tlm_generic_payload* transaction) override;
  bool withdraw(std::uint64_t) override { return false; }

  /// Tells the policy that no further event will come, see scheduler::end_stream().
  bool end_stream();

  std::uint64_t completed() const { return completed_; }
  /// The jobs that have arrived too late to be served and have not been answered; they are in no queue.
  virtual const std::vector<const job_extension*>& jobs_too_late() const;
  examination& examined() { return examined_; }
  phase_reporter& phases() { return phases_; }
  stall_guard& stalls() { return stalls_; }
  server_watches& watches() { return watches_; }

 protected:
  /// @name Events
  /// @{
  void job_arrives(job_extension& j) override = 0;
  void slice_ends(tlm::tlm_generic_payload& p) override = 0;
  virtual void slice_saves(tlm::tlm_generic_payload& p) { parts_.dispatches.end_saving(p); }
  virtual void jobs_have_left() {}
  virtual void deadline_passed(job_extension&) {}
  virtual void leave_unserved(job_extension&) {}
  virtual void slot_begins() {}
  virtual void cores_change() {}
  virtual void server_is_repaired(group_id servers) = 0;
  virtual void policy_wakes(std::uint32_t cookie) = 0;
  virtual void others_change() {}
  virtual void stream_ends() {}
  virtual void cores_freed() {}
  /// @}

  /// Calls a function of the policy. @param function as policy_call names it
  template <class Call>
  void ask_policy(const char* function, const Call& call) {
    call_policy(function, call);
    after_policy();
  }
  void after_policy() {
    examined_.asked = true;
    phases_.look();
  }
  /// Dispatches a slice: by a call that can be inlined, unless something is between the service and the port.
  void send_slice(tlm::tlm_generic_payload& p) {
    if (sends_at_once_)
      parts_.dispatches.send_slice(p);
    else
      slices_->send(p);
  }
  /// Notes that a job gets cores. Of no effect if it has had some before.
  void begin_service(job_extension& j) {
    if (j.begun) return;
    j.begun = true;
    if (decides_at_once_)
      parts_.dispatches.begin_service(j);
    else
      orders_->begin_service(j);
  }
  /// The cores of a slice that has ended.
  static placement placement_of(const slice_extension& s) {
    return {s.group, s.server, static_cast<std::uint32_t>(s.descriptor.cores)};
  }
  /// Reports a fault if the policy's decision is about a copy of a job. @param decision as messages name it
  void check_itself(const job& given, const char* decision) const {
    if (given.itself != &given) refuse_copy(given, decision);
  }
  [[noreturn]] void fault(const std::string& message) const { scheduler_fault(parts_.time, message); }

  scheduler_parts parts_;
  timekeeper& time_;
  cluster_state& state_;
  core_allocator& cores_;
  const policy_entry& entry_;
  slice_sink* slices_ = nullptr;
  order_sink* orders_ = nullptr;
  bool sends_at_once_ = false;
  bool decides_at_once_ = false;
  event_observer* events_ = nullptr;
  wake_timers wakes_;
  examination examined_;
  std::uint64_t completed_ = 0;

 private:
  [[noreturn, gnu::cold, gnu::noinline]] void refuse_copy(const job& given, const char* decision) const;

  phase_reporter phases_;
  stall_guard stalls_;
  server_watches watches_;
  stream_end stream_end_;
  std::optional<std::uint64_t> completed_at_end_;  // jobs completed when the stream last ended; none: it has not
};

}  // namespace muster
