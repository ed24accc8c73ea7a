#include "muster/modules/scheduler/scheduler.h"

#include <algorithm>
#include <stdexcept>

#include "muster/modules/scheduler/services/pooled_service.h"
#include "muster/modules/scheduler/services/recovering_rigid_service.h"
#include "muster/modules/scheduler/services/slotted_service.h"

namespace muster {

using namespace sc_core;
using namespace tlm;

scheduler::scheduler(const sc_module_name& name, timekeeper& time, scheduler_settings given)
    : sc_module(name),
      time_(time),
      settings_(completed(std::move(given))),
      state_(make_state()),
      cores_(state_, settings_.groups),
      deferred_(time),
      dispatch_port_(dispatches, time, deferred_, settings_.groups, cores_.locations()),
      submission_port_(submissions, time, deferred_, *this, state_.class_count(), dispatch_port_),
      policy_(make_policy()),
      service_(make_service()),
      accounting_(settings_.accounts_times ? std::make_unique<accounting>(*this) : nullptr),
      queue_(make_queue()) {
  connect_parts();
  submissions.register_nb_transport_fw(this, &scheduler::submit);
  submissions.register_b_transport(this, &scheduler::submit_and_wait);
  submissions.register_transport_dbg(this, &scheduler::look);
  submissions.register_get_direct_mem_ptr(this, &scheduler::offer_direct);
  dispatches.register_nb_transport_bw(this, &scheduler::answer);
}

scheduler::accounting::accounting(scheduler& of)
    : account(of.state_, of.settings_.policy->jobs()),
      around_service(of.time_, account, *of.service_, of.settings_.decision_time ? nullptr : &of.dispatch_port_) {
  if (of.settings_.decision_time) at_ports.emplace(of.time_, account, of.dispatch_port_);
}

// From the ports to the service and back: port recorder, queue, service recorder, of which a scheduler has those that
// it needs.
void scheduler::connect_parts() {
  event_observer* events = &into_service();
  order_sink* orders = &out_to_ports();
  if (queue_) {
    events = queue_.get();
    orders = queue_.get();
  }
  event_observer* received = events;
  slice_sink* dispatched = orders;
  if (accounting_) {
    accounting_->around_service.connect(*orders);
    dispatched = &accounting_->around_service;
    if (accounting_->at_ports) {
      accounting_->at_ports->connect(*events);
      received = &*accounting_->at_ports;
    }
  }
  service_->connect(*dispatched, *orders, *events);
  dispatch_port_.deliver_to(*received, queue_ != nullptr);
  submission_port_.deliver_to(*received, service_->descriptor_is_all(), settings_.policy->sees_sizes);
}

event_observer& scheduler::into_service() {
  if (accounting_) return accounting_->around_service;
  return *service_;
}

order_sink& scheduler::out_to_ports() {
  if (accounting_ && accounting_->at_ports) return *accounting_->at_ports;
  return dispatch_port_;
}

// With the parameters of the classes that were left out.
scheduler_settings scheduler::completed(scheduler_settings given) const {
  if (!given.policy) return given;  // which make_policy() refuses
  std::uint64_t cores = 0;
  for (const server_group& g : given.groups) cores += std::uint64_t{g.count} * g.cores;
  try {
    given.policy->complete_classes(given.classes, static_cast<unsigned>(cores));
  } catch (const policy_error& e) {
    misuse(e.what());
  }
  return given;
}

cluster_state scheduler::make_state() const {
  try {
    return initial_state(settings_, time_);
  } catch (const std::invalid_argument& e) {
    misuse(e.what());
  }
}

std::unique_ptr<policy> scheduler::make_policy() const {
  return call_policy("constructor", [&] {
    try {
      check_policy(settings_);
      const policy_entry& entry = *settings_.policy;
      return settings_.random ? entry.make(state_, settings_.parameters, *settings_.random)
                              : entry.make(state_, settings_.parameters);
    } catch (const policy_error& e) {
      misuse(e.what());
    }
  });
}

std::unique_ptr<job_service> scheduler::make_service() {
  const auto& groups = settings_.groups;
  const scheduler_parts parts{time_,
                              state_,
                              groups,
                              cores_,
                              deferred_,
                              submission_port_,
                              dispatch_port_,
                              settings_.checkpoint,
                              settings_.decision_time.has_value()};
  policy& rules = *policy_;
  switch (settings_.policy->jobs()) {
    case job_kind::pooled:
      return std::make_unique<pooled_service>(parts, dynamic_cast<pooled_policy&>(rules));
    case job_kind::slotted:
      return std::make_unique<slotted_service>(parts, dynamic_cast<slotted_policy&>(rules), *settings_.slot);
    case job_kind::rigid:
      break;
  }
  auto& of_rigid_jobs = dynamic_cast<rigid_policy&>(rules);
  const bool fails = std::any_of(groups.begin(), groups.end(), [](const server_group& g) { return g.fails; });
  if (fails || settings_.policy->preempts) return std::make_unique<recovering_rigid_service>(parts, of_rigid_jobs);
  return std::make_unique<rigid_service>(parts, of_rigid_jobs);
}

std::unique_ptr<decision_queue> scheduler::make_queue() {
  if (!settings_.decision_time) return nullptr;
  return std::make_unique<decision_queue>(time_, *settings_.decision_time, state_, service_->examined(), into_service(),
                                          out_to_ports());
}

void scheduler::end_of_elaboration() {
  check_banks();
  for (unsigned n = 0; n < dispatches.size(); ++n) dispatch_port_.bind(*dispatches[static_cast<int>(n)]);
  for (unsigned n = 0; n < submissions.size(); ++n) submission_port_.bind(*submissions[static_cast<int>(n)]);
}

void scheduler::start_of_simulation() {
  check_servers();
  dispatch_port_.go_direct();
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
  std::vector<const job_extension*> jobs = service_->jobs_too_late();
  if (queue_)
    for (const job_extension* j : queue_->waiting_arrivals()) jobs.push_back(j);
  return jobs;
}

}  // namespace muster
