#include "muster/modules/scheduler/scheduler.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "muster/modules/scheduler/resource_checks.h"
#include "muster/modules/scheduler/scheduler_checks.h"
#include "muster/modules/scheduler/services/named_places.h"
#include "muster/modules/scheduler/services/pooled_service.h"
#include "muster/modules/scheduler/services/recovering_rigid_service.h"
#include "muster/modules/scheduler/services/sharing_rigid_service.h"
#include "muster/modules/scheduler/services/slices_apart.h"
#include "muster/modules/scheduler/services/slotted_service.h"

namespace muster {

using namespace sc_core;
using namespace tlm;

template <class Call>
decltype(auto) scheduler::checked(const Call& call) const {
  try {
    return call();
  } catch (const std::invalid_argument& e) {
    misuse(e.what());
  }
}

void scheduler::misuse(const char* message) const { scheduler_fault(time_, fmt::format("'{}': {}", name(), message)); }

scheduler::scheduler(const sc_module_name& name, timekeeper& time, scheduler_settings given)
    : sc_module(name),
      time_(time),
      settings_(completed(std::move(given))),
      parameters_(settings_.parameters),
      state_(checked([this] { return initial_state(settings_, time_); })),
      cores_(make_allocator()),
      deferred_(time),
      dispatch_port_(dispatches, time, deferred_, settings_.groups, cores_.locations()),
      policy_(make_policy()),
      registers_(state_, *policy_),
      submission_port_(submissions, time, deferred_, registers_, state_.declared_classes(), dispatch_port_),
      service_(make_service()),
      accounting_(settings_.accounts_times ? std::make_unique<accounting>(*this) : nullptr) {
  connect_parts();
  submissions.register_nb_transport_fw(this, &scheduler::submit);
  submissions.register_b_transport(this, &scheduler::submit_and_wait);
  submissions.register_transport_dbg(this, &scheduler::look);
  submissions.register_get_direct_mem_ptr(this, &scheduler::offer_direct);
  dispatches.register_nb_transport_bw(this, &scheduler::answer);
}

scheduler::accounting::accounting(scheduler& of)
    : account(of.state_, of.settings_.policy->jobs(), of.cores_.tasks()),
      around_service(of.time_, account, *of.service_, of.settings_.decision_time ? nullptr : &of.dispatch_port_) {
  if (of.settings_.decision_time) at_ports.emplace(of.time_, account, of.dispatch_port_);
}

// Connects the parts between the ports and the service, in both directions: port recorder, queue and service recorder,
// of which a scheduler has those that it needs.
void scheduler::connect_parts() {
  event_observer* events = service_.get();
  order_sink* orders = &dispatch_port_;
  if (accounting_) events = &accounting_->around_service;
  if (accounting_ && accounting_->at_ports) orders = &*accounting_->at_ports;
  if (settings_.decision_time) {
    state_.set_time_per_job(settings_.decision_time->per_job);
    queue_ = std::make_unique<decision_queue>(time_, *settings_.decision_time, state_, service_->examined(), *events,
                                              *orders);
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
  if (settings_.jobs_numbered) submission_port_.number_by(*settings_.jobs_numbered);
  if (lets_jobs_go()) submission_port_.withdraw_from(*service_);
  service_->connect(*dispatched, *orders, *events);
  dispatch_port_.deliver_to(*received, queue_ != nullptr);
  const bool sizes_are_estimates =
      settings_.policy->uses_estimates && settings_.estimates.from == estimate_settings::source::size;
  submission_port_.deliver_to(*received, *service_, settings_.policy->sees_sizes, sizes_are_estimates);
}

// Whether waiting jobs may be taken back: nothing but the queues knows them then.
bool scheduler::lets_jobs_go() const {
  const auto& groups = settings_.groups;
  const bool fails = std::any_of(groups.begin(), groups.end(), [](const server_group& g) { return g.fails; });
  return settings_.policy->jobs() == job_kind::rigid && settings_.policy->shares_servers && !fails &&
         !settings_.shares && !settings_.accounts_times && !state_.counts_tasks();
}

core_allocator scheduler::make_allocator() {
  checked([this] { check_resources(settings_); });
  const policy_entry* const policy = settings_.policy;
  const placement_entry* const own = policy ? policy->own_placement(state_.counts_tasks()) : nullptr;
  return {state_,
          settings_.groups,
          own ? own : settings_.placement,
          settings_.placement_random,
          settings_.resources,
          settings_.racks};
}

// Completes the settings by the parameters of the classes that were left out.
scheduler_settings scheduler::completed(scheduler_settings given) const {
  if (!given.policy) return given;  // which make_policy() refuses
  std::uint64_t cores = 0;
  for (const server_group& g : given.groups) cores += std::uint64_t{g.count} * g.cores;
  checked([&] { given.policy->complete_classes(given.classes, static_cast<unsigned>(cores)); });
  return given;
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

muster::settings scheduler::parameters_with(const std::string& name, const muster::settings::value& value) const {
  const policy_entry& entry = *settings_.policy;
  muster::settings all = parameters_;
  all.set(name, value);
  all = entry.complete(state_, all);
  const std::string what = fmt::format("policy '{}', {}: ", entry.name, name);
  if (const auto why = entry.objection_to_settings(state_, all)) throw policy_error(what + why->what);
  if (!policy_->can_replace(name)) throw policy_error(what + "cannot be replaced while the simulation runs");
  return all;
}

void scheduler::replace_parameter(const std::string& name, const muster::settings::value& value) {
  const muster::settings complete = parameters_with(name, value);
  parameters_.set(name, value);
  call_policy("replace_parameters()", [&] { policy_->replace_parameters(complete); });
}

namespace {

// @param apart whether slices of one job may end at different instants
template <class Service, class... Arguments>
std::unique_ptr<job_service> make_rigid(bool apart, const scheduler_parts& parts, rigid_policy& rules,
                                        const Arguments&... more) {
  if (apart) return std::make_unique<service_of_slices_apart<Service>>(parts, rules, more...);
  return std::make_unique<Service>(parts, rules, more...);
}

}  // namespace

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
                              settings_.estimates,
                              settings_.decision_time.has_value()};
  policy& rules = *policy_;
  switch (settings_.policy->jobs()) {
    case job_kind::pooled: return std::make_unique<pooled_service>(parts, dynamic_cast<pooled_policy&>(rules));
    case job_kind::slotted:
      return std::make_unique<slotted_service>(parts, dynamic_cast<slotted_policy&>(rules), *settings_.slot);
    case job_kind::rigid: break;
  }
  auto& of_rigid_jobs = dynamic_cast<rigid_policy&>(rules);
  const bool fails = std::any_of(groups.begin(), groups.end(), [](const server_group& g) { return g.fails; });
  if (settings_.shares) checked([this] { check_sharing(settings_); });
  if (settings_.shares) return std::make_unique<sharing_rigid_service>(parts, of_rigid_jobs, *settings_.shares);
  const policy_entry& entry = *settings_.policy;
  const bool recovers = fails || entry.may_preempt(entry.complete(state_, settings_.parameters));
  const bool apart = settings_.slices_end_apart;
  if (const auto& places = settings_.named_places; !places.empty()) {
    if (recovers)
      return make_rigid<service_of_named_places<recovering_rigid_service>>(apart, parts, of_rigid_jobs, places);
    return make_rigid<service_of_named_places<rigid_service>>(apart, parts, of_rigid_jobs, places);
  }
  if (recovers) return make_rigid<recovering_rigid_service>(apart, parts, of_rigid_jobs);
  return make_rigid<rigid_service>(apart, parts, of_rigid_jobs);
}

void scheduler::end_of_elaboration() {
  checked([this] { check_banks(settings_, dispatches.size()); });
  for (unsigned n = 0; n < dispatches.size(); ++n) dispatch_port_.bind(*dispatches[static_cast<int>(n)]);
  for (unsigned n = 0; n < submissions.size(); ++n) submission_port_.bind(*submissions[static_cast<int>(n)]);
}

void scheduler::start_of_simulation() {
  checked([this] { check_servers(settings_, cores_.locations(), dispatches); });
  dispatch_port_.go_direct();
  service_->watches().begin();
}

std::vector<const job_extension*> scheduler::jobs_pending_admission() const {
  std::vector<const job_extension*> jobs = service_->jobs_too_late();
  if (queue_)
    for (const job_extension* j : queue_->waiting_arrivals()) jobs.push_back(j);
  return jobs;
}

}  // namespace muster
