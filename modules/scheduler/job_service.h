#pragma once

#include <optional>
#include <vector>

#include "muster/modules/scheduler/core_allocator.h"
#include "muster/modules/scheduler/decision_queue.h"
#include "muster/modules/scheduler/dispatch_port.h"
#include "muster/modules/scheduler/policy_call.h"
#include "muster/modules/scheduler/scheduler_error.h"
#include "muster/modules/scheduler/submission_port.h"
#include "muster/modules/scheduler/wake_timers.h"
#include "muster/policies/policy.h"

namespace muster {

/// Learns when the policy's cycle moves on.
class phase_observer {
 public:
  /// @param begun phase that begins now; the one before ends
  virtual void phase_begins(ticks now, unsigned begun) = 0;

 protected:
  ~phase_observer() = default;
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
  std::optional<ticks> checkpoint;  ///< work after which a job's progress is kept; 0: always; nothing: never
};

/// What it means for a job to enter, to start, to lose a slice and to complete, for one kind of job. To the policy it
/// is the decisions that it may take.
class job_service : public event_sink, public decisions {
 public:
  /// @param rules the policy; outlives the service
  job_service(const scheduler_parts& parts, policy& rules);
  virtual ~job_service() = default;
  job_service(const job_service&) = delete;
  job_service& operator=(const job_service&) = delete;

  /// Before the simulation.
  /// @param orders receives what is decided
  /// @param events receives what the service's own timers bring about: the service itself, or a queue before it
  void connect(order_sink& orders, event_sink& events) {
    orders_ = &orders;
    decides_at_once_ = &orders == &parts_.dispatches;
    events_ = &events;
    wakes_.deliver_to(events);
  }
  void observe_phases(phase_observer& observer) { phase_observer_ = &observer; }
  /// Asks the servers that may fail to tell of it.
  void watch_servers();

  /// @name Data of a submission, see submission_target
  /// @{
  /// Whether the descriptor is all that a submission says; else the two that follow are asked.
  virtual bool descriptor_is_all() const { return false; }
  virtual std::uint64_t data_behind(const job_descriptor&) const { return 0; }
  virtual bool accepts(const tlm::tlm_generic_payload&, const job_descriptor&) const { return true; }
  /// @}

  void happens(scheduler_event what, tlm::tlm_generic_payload* transaction) final;

  std::uint64_t completed() const { return completed_; }
  /// Jobs that have arrived, are in no queue and will not be.
  virtual const std::vector<const job_extension*>& jobs_too_late() const;
  examination& examined() { return examined_; }

 protected:
  /// @name Events
  /// @{
  void job_arrives(job_extension& j) override = 0;
  void slice_ends(tlm::tlm_generic_payload& p) override = 0;
  virtual void slice_saves(tlm::tlm_generic_payload& p);
  virtual void deadline_passed(job_extension&) {}
  virtual void leave_unserved(job_extension&) {}
  virtual void slot_begins() {}
  virtual void cores_change() {}
  /// @}

  void start(const job& waiting) override;
  void join(const job& pooled, group_id servers) override;
  void serve(const job& slotted, double units) override;
  void wake_at(ticks at, std::uint32_t cookie) final;

  /// Calls a function of the policy. @param function as policy_call names it
  template <class Call>
  void ask_policy(const char* function, const Call& call) {
    call_policy(function, call);
    after_policy();
  }
  void after_policy();
  /// Orders go by way of the queue where decisions take time, else to the port by a call that can be inlined.
  void send(tlm::tlm_generic_payload& order) {
    if (decides_at_once_)
      parts_.dispatches.send(order);
    else
      orders_->send(order);
  }
  void begin_service(job_extension& j) {
    if (decides_at_once_)
      parts_.dispatches.begin_service(j);
    else
      orders_->begin_service(j);
  }
  /// A job in service leaves the cluster, done.
  void complete(job_extension& j);
  /// The policy must not leave all jobs waiting for ever: counts arrivals at which none is in service.
  void check_for_stall();
  /// The cores of a slice that has ended.
  static placement placement_of(const slice_extension& s) {
    return {s.group, s.server, static_cast<std::uint32_t>(s.descriptor.cores)};
  }
  [[noreturn]] void fault(const std::string& what) const { scheduler_fault(parts_.time, what); }

  scheduler_parts parts_;
  timekeeper& time_;
  cluster_state& state_;
  core_allocator& cores_;
  policy& policy_;
  order_sink* orders_ = nullptr;
  bool decides_at_once_ = false;
  event_sink* events_ = nullptr;
  examination examined_;
  std::uint64_t completed_ = 0;

 private:
  void health_changed(tlm::tlm_generic_payload& p);
  void wake_policy();

  wake_timers wakes_;
  phase_observer* phase_observer_ = nullptr;
  std::uint64_t phases_seen_ = 0;
  std::uint64_t idle_arrivals_ = 0;  // arrivals since the cluster last had a job in service
};

}  // namespace muster
