#include "muster/modules/scheduler/services/sharing_rigid_service.h"

#include <algorithm>

namespace muster {

using namespace tlm;

sharing_rigid_service::sharing_rigid_service(const scheduler_parts& parts, rigid_policy& rules,
                                             shared_holdings& holdings)
    : rigid_service(parts, rules), holdings_(holdings) {
  holdings_.subscribe(*this);
}

// Others may hold all servers, so that a policy which starts nothing during many arrivals is no fault.
void sharing_rigid_service::job_arrives(job_extension& j) {
  j.conflicts = 0;
  state_.join(j);
  ask_policy("arrived()", [&] { policy_.arrived(j, view_, *this); });
}

// The slices of a job are all refused, or none is. Cores of those that are refused are idle when the last one is, as
// events may come between them.
void sharing_rigid_service::slice_ends(tlm_generic_payload& p) {
  const slice_extension& slice = dispatch_port::slice(p);
  job_extension& j = *slice.holder;
  const placement at = placement_of(slice);
  const bool refused = slice.ended == slice_extension::end::refused;
  if (refused)
    refused_.emplace_back(&j, at);
  else
    give_back(at);
  parts_.dispatches.end(p);
  if (--j.own.open_slices > 0) return;
  if (refused)
    put_back(j);
  else
    complete(j);
}

// Puts a job back into the queue whose dispatch has been refused: it has never begun.
void sharing_rigid_service::put_back(job_extension& j) {
  const auto of_others =
      std::partition(refused_.begin(), refused_.end(), [&](const auto& part) { return part.first == &j; });
  std::for_each(refused_.begin(), of_others, [this](const auto& part) { give_back(part.second); });
  refused_.erase(refused_.begin(), of_others);
  ++j.conflicts;
  const bool looks = std::exchange(looks_, true);
  holdings_.catch_up(*this);
  looks_ = looks;
  j.begun = false;
  if (j.held.counted) j.count_holding();
  state_.begin_leaving(j);
  state_.requeue(j, queue_place::by_arrival);
  ask_policy("interrupted()", [&] { policy_.interrupted(j, view_, *this); });
}

void sharing_rigid_service::others_take(const placement& at) {
  const std::uint32_t idle = std::min(at.cores, cores_.idle_cores(at.group, at.server));
  if (idle > 0) cores_.take_for_another({at.group, at.server, idle});
  if (idle < at.cores) held_twice_[server_number(at.group, at.server)] += at.cores - idle;
}

void sharing_rigid_service::others_give_back(const placement& at) {
  if (!give_back(at) || looks_ || !state_.anyone_waits()) return;
  looks_ = true;
  time_.arm(time_.now(), time_.travel_rank(), *this, 0);
}

void sharing_rigid_service::expired(ticks, std::uint32_t) { events_->happens(scheduler_event::others_change, nullptr); }

void sharing_rigid_service::others_change() {
  looks_ = false;
  if (state_.anyone_waits()) ask_policy("freed_by_others()", [&] { policy_.freed_by_others(view_, *this); });
}

// Gives back cores that this scheduler or others have held. @return whether any of them are idle now
bool sharing_rigid_service::give_back(placement at) {
  if (const auto twice = held_twice_.find(server_number(at.group, at.server)); twice != held_twice_.end()) {
    const std::uint32_t still_held = std::min(twice->second, at.cores);
    at.cores -= still_held;
    if ((twice->second -= still_held) == 0) held_twice_.erase(twice);
  }
  if (at.cores > 0) cores_.give_back(at);
  return at.cores > 0;
}

}  // namespace muster
