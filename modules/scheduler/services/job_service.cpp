#include "muster/modules/scheduler/services/job_service.h"

#include <fmt/format.h>

#include "muster/policies/catalogue.h"

namespace muster {

using namespace tlm;

namespace {

// A policy may request to be woken at the present instant, but simulated time must advance.
constexpr std::uint64_t most_wakes_at_once = 100'000;

}  // namespace

job_service::job_service(const scheduler_parts& parts, const policy& rules)
    : parts_(parts),
      time_(parts.time),
      state_(parts.state),
      cores_(parts.cores),
      entry_(*rules.entry()),
      wakes_(parts.time),
      phases_(parts.time, rules),
      stalls_(parts.time, parts.state, parts.cores) {}

void job_service::happens(scheduler_event kind, tlm_generic_payload* transaction) {
  switch (kind) {
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
      policy_wakes(take_wake());
      break;
  }
}

const std::vector<const job_extension*>& job_service::jobs_too_late() const {
  static const std::vector<const job_extension*> none;
  return none;
}

void job_service::refuse_copy(const job& given, const char* decision) const {
  fault(fmt::format("policy '{}' {} a copy of job {}; expected the job itself, by reference or pointer", entry_.name,
                    decision, given.id));
}

void job_service::request_wake(ticks at, std::uint32_t cookie) {
  if (at < time_.now())
    fault(fmt::format("the policy asked to be woken at {} ticks, when {} had passed; expected no earlier time", at,
                      time_.now()));
  wakes_.set(at, cookie);
}

// The cookie of the timer whose event is being processed.
std::uint32_t job_service::take_wake() {
  const std::uint32_t cookie = wakes_.take();
  if (wakes_.at_this_instant() == most_wakes_at_once)
    fault(fmt::format("the policy has been woken {} times at one instant, each time at its own request",
                      most_wakes_at_once));
  return cookie;
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
    stalls_.server_fails(completed_);
    cores_.server_fails(group, server);
    return;
  }
  cores_.server_is_repaired(group, server);
  if (state_.free_in(group) == 0) return;  // the responses of the slices lost there have not come yet
  server_is_repaired(group);
}

}  // namespace muster
