#include "muster/modules/scheduler/scheduler.h"

#include <algorithm>

#include <fmt/format.h>

#include "muster/modules/scheduler/pooled_service.h"
#include "muster/modules/scheduler/recovering_rigid_service.h"
#include "muster/modules/scheduler/slotted_service.h"
#include "muster/policies/catalogue.h"

namespace muster {

using namespace sc_core;
using namespace tlm;

scheduler::scheduler(const sc_module_name& name, timekeeper& time, table<class_id, job_class> classes,
                     table<group_id, server_group> groups, ticks ticks_per_unit)
    : sc_module(name),
      time_(time),
      state_(checked(std::move(classes), groups, ticks_per_unit)),
      groups_(std::move(groups)),
      cores_(state_, groups_),
      deferred_(time),
      dispatch_port_(dispatches, time, deferred_, groups_, cores_.locations()),
      submission_port_(submissions, time, deferred_, *this, state_.class_count(), dispatch_port_) {
  submissions.register_nb_transport_fw(this, &scheduler::submit);
  submissions.register_b_transport(this, &scheduler::submit_and_wait);
  submissions.register_transport_dbg(this, &scheduler::look);
  dispatches.register_nb_transport_bw(this, &scheduler::answer);
}

void scheduler::set_policy(std::unique_ptr<policy> p) {
  check_before_elaboration("set_policy()");
  policy_ = std::move(p);
}

void scheduler::set_slots(ticks length) {
  check_before_elaboration("set_slots()");
  if (length == 0) misuse("set_slots(): a slot of 0 ticks; expected a length > 0");
  slot_ = length;
}

void scheduler::set_decision_time(ticks fixed, ticks per_job) {
  check_before_elaboration("set_decision_time()");
  decision_time_ = {fixed, per_job};
}

void scheduler::set_checkpoints(ticks work) {
  check_before_elaboration("set_checkpoints()");
  checkpoint_ = work;
}

void scheduler::end_of_elaboration() {
  check_policy();
  check_banks();
  for (unsigned n = 0; n < dispatches.size(); ++n) dispatch_port_.bind(*dispatches[static_cast<int>(n)]);
  for (unsigned n = 0; n < submissions.size(); ++n) submission_port_.bind(*submissions[static_cast<int>(n)]);
  service_ = service_of(policy_->entry()->jobs);
  event_sink* events = service_.get();
  order_sink* orders = &dispatch_port_;
  if (decision_time_) {
    queue_ = std::make_unique<decision_queue>(time_, *decision_time_, state_, service_->examined(), *service_,
                                              dispatch_port_);
    events = queue_.get();
    orders = queue_.get();
  }
  service_->connect(*orders, *events);
  dispatch_port_.deliver_to(*events, queue_ != nullptr);
  submission_port_.deliver_to(*events, policy_->entry()->sees_sizes);
  if (phase_observer_) service_->observe_phases(*phase_observer_);
}

std::unique_ptr<job_service> scheduler::service_of(progress jobs) {
  const scheduler_parts parts{time_, state_, groups_, cores_, deferred_, submission_port_, dispatch_port_, checkpoint_};
  if (jobs == progress::pooled) return std::make_unique<pooled_service>(parts, *policy_);
  if (jobs == progress::slotted) return std::make_unique<slotted_service>(parts, *policy_, *slot_);
  if (std::any_of(groups_.begin(), groups_.end(), [](const server_group& g) { return g.fails; }))
    return std::make_unique<recovering_rigid_service>(parts, *policy_);
  return std::make_unique<rigid_service>(parts, *policy_);
}

void scheduler::start_of_simulation() {
  check_servers();
  service_->watch_servers();
}

std::optional<std::uint64_t> scheduler::register_value(std::uint64_t address) const {
  std::uint64_t waiting = 0;
  switch (address) {
    case scheduler_register::jobs_waiting:
      for (const class_id id : state_.classes()) waiting += state_.waiting(id);
      return waiting;
    case scheduler_register::jobs_in_service:
      return state_.in_service();
    case scheduler_register::phase:
      return policy_->phase();
    default:
      return std::nullopt;
  }
}

std::vector<const job_extension*> scheduler::jobs_pending_admission() const {
  if (!service_) return {};
  std::vector<const job_extension*> jobs = service_->jobs_too_late();
  if (queue_)
    for (const job_extension* j : queue_->waiting_arrivals()) jobs.push_back(j);
  return jobs;
}

}  // namespace muster
