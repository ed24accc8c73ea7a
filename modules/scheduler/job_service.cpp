#include "muster/modules/scheduler/job_service.h"

#include <fmt/format.h>

#include "muster/policies/catalogue.h"

namespace muster {

using namespace tlm;

namespace {

// A policy may leave cores idle, but with one that never starts a job the queue would grow without end.
constexpr std::uint64_t most_idle_arrivals = 100'000;

// A policy may request to be woken at the present instant, but simulated time must advance.
constexpr std::uint64_t most_wakes_at_once = 100'000;

// Of all servers together, without a completion between them. Where jobs lose more work than they do, the simulated
// time of the next completion, or of the next arrival, may never be reached.
constexpr std::uint64_t most_failures = 1'000'000;
constexpr unsigned most_phases = 1'000;  // each has statistics of its own

}  // namespace

const char* kind_of(progress jobs) {
  constexpr const char* words[] = {"rigid", "pooled", "slotted"};
  return words[static_cast<std::size_t>(jobs)];
}

job_service::job_service(const scheduler_parts& parts, policy& rules)
    : parts_(parts),
      time_(parts.time),
      state_(parts.state),
      cores_(parts.cores),
      policy_(rules),
      wakes_(parts.time),
      phases_(call_policy("phases()", [&] { return rules.phases(); })) {
  if (phases_ > most_phases)
    fault(
        fmt::format("policy '{}': its phases() is {}; expected at most {}", rules.entry()->name, phases_, most_phases));
}

void job_service::happens(scheduler_event what, tlm_generic_payload* transaction) {
  switch (what) {
    case scheduler_event::job_announced:
      break;  // handled by the submission port
    case scheduler_event::job_arrives:
      job_arrives(job_of(*transaction));
      break;
    case scheduler_event::slice_ends:
      slice_ends(*transaction);
      break;
    case scheduler_event::slice_saves:
      slice_saves(*transaction);
      break;
    case scheduler_event::jobs_have_left:
      jobs_have_left();
      break;
    case scheduler_event::health_changes:
      health_changed(*transaction);
      break;
    case scheduler_event::deadline_passes:
      deadline_passed(job_of(*transaction));
      break;
    case scheduler_event::unserved_job_ends:
      leave_unserved(job_of(*transaction));
      break;
    case scheduler_event::slot_begins:
      slot_begins();
      break;
    case scheduler_event::cores_change:
      cores_change();
      break;
    case scheduler_event::policy_wakes:
      wake_policy();
      break;
  }
}

void job_service::slice_saves(tlm_generic_payload& p) { parts_.dispatches.end_saving(p); }

const std::vector<const job_extension*>& job_service::jobs_too_late() const {
  static const std::vector<const job_extension*> none;
  return none;
}

void job_service::start(const job& waiting) {
  fault(fmt::format("the policy started job {} as a rigid one, but its jobs are {}", waiting.id,
                    kind_of(policy_.entry()->jobs)));
}

void job_service::preempt(const job& running, queue_place) { refuse_preemption(running); }

void job_service::kill(const job& running, queue_place) { refuse_preemption(running); }

void job_service::refuse_preemption(const job& running) const {
  fault(fmt::format("the policy preempted job {}, but its entry does not say `preempts`", running.id));
}

void job_service::refuse_phase() const {
  const std::string expected =
      phases_ == 0 ? "none, as its phases() is 0" : fmt::format("at most its {} phases()", phases_);
  fault(fmt::format("policy '{}' began phase {}; expected {}", policy_.entry()->name, policy_.phase(), expected));
}

void job_service::refuse_copy(const job& given, const char* decision) const {
  fault(fmt::format("policy '{}' {} a copy of job {}; expected the job itself, by reference or pointer",
                    policy_.entry()->name, decision, given.id));
}

void job_service::join(const job& pooled, group_id servers) {
  fault(fmt::format("the policy let '{}' join job {}, which is {}", parts_.groups[servers].name, pooled.id,
                    kind_of(policy_.entry()->jobs)));
}

void job_service::serve(const job& slotted, double) {
  fault(fmt::format("the policy served job {} in a slot, but its jobs are not slotted", slotted.id));
}

void job_service::wake_at(ticks at, std::uint32_t cookie) {
  if (at < time_.now())
    fault(fmt::format("the policy asked to be woken at {} ticks, when {} had passed; expected no earlier time", at,
                      time_.now()));
  wakes_.set(at, cookie);
}

void job_service::wake_policy() {
  const std::uint32_t cookie = wakes_.take();
  if (wakes_.at_this_instant() == most_wakes_at_once)
    fault(fmt::format("the policy has been woken {} times at one instant, each time at its own request",
                      most_wakes_at_once));
  ask_policy("woken()", [&] { policy_.woken(cookie, state_, *this); });
}

void job_service::show_phase() {
  phases_seen_ = policy_.phases_begun();
  if (policy_.phase() > phases_) refuse_phase();
  if (phase_observer_) phase_observer_->phase_begins(time_.now(), policy_.phase());
}

void job_service::complete(job_extension& j) {
  state_.leave(j);
  ++completed_;
  ask_policy("completed()", [&] { policy_.completed(j, state_, *this); });
  parts_.submissions.answer(j, TLM_OK_RESPONSE);
}

void job_service::count_idle_arrival() {
  if (cores_.any_down()) {
    idle_arrivals_ = 0;
  } else if (++idle_arrivals_ == most_idle_arrivals) {
    fault(fmt::format("the policy has started nothing during {} arrivals while no job was in service",
                      most_idle_arrivals));
  }
}

void job_service::report_stall(const std::string& why) const {
  if (!stall_observer_) fault(why);
  stall_observer_->work_stalls(why);
}

void job_service::count_failure() {
  if (completed_ != completed_before_ || (state_.in_service() == 0 && !state_.anyone_waits())) failures_ = 0;
  completed_before_ = completed_;
  if (++failures_ == most_failures)
    report_stall(fmt::format("servers have failed {} times without a completion between", most_failures));
}

void job_service::watch_servers() {
  for (const group_id group : id_range<group_id>{parts_.groups.size()})
    for (std::uint32_t server = 0; parts_.groups[group].fails && server < parts_.groups[group].count; ++server)
      parts_.dispatches.watch(group, server, slice_extension::request::failure);
}

void job_service::health_changed(tlm_generic_payload& p) {
  using request = slice_extension::request;
  const slice_extension& watched = dispatch_port::slice(p);
  const auto [group, server] = std::pair(watched.group, watched.server);
  const bool down = watched.asks == request::failure;
  const bool known = p.is_response_ok();
  p.release();
  if (!known) return;  // a foreign server without these registers
  parts_.dispatches.watch(group, server, down ? request::repair : request::failure);
  if (down) {
    count_failure();
    cores_.server_fails(group, server);
    return;
  }
  cores_.server_is_repaired(group, server);
  if (state_.free_in(group) == 0) return;  // the responses of the slices lost there have not come yet
  ask_policy("repaired()", [&, servers = group] { policy_.repaired(servers, state_, *this); });
}

}  // namespace muster
