#include "muster/modules/scheduler/services/rigid_service.h"

#include <algorithm>

#include <fmt/format.h>

#include "muster/modules/scheduler/ports/rigid_submission.h"
#include "muster/policies/catalogue.h"
#include "muster/policies/work_time.h"

namespace muster {

using namespace tlm;

rigid_service::rigid_service(const scheduler_parts& parts, rigid_policy& rules)
    : service_for(parts, rules),
      learnt_(entry_.uses_estimates && parts.estimates.from == estimate_settings::source::learnt
                  ? std::make_unique<learnt_estimates>(parts.estimates.users)
                  : nullptr) {}

bool rigid_service::has_length(const job_descriptor&, std::uint64_t behind) const {
  constexpr std::uint64_t word = sizeof(std::uint64_t);
  const std::uint64_t most = sizeof(rigid_words) - (parts_.estimates.qos == 0 ? word : 0);
  return behind % word == 0 && behind <= (parts_.estimates.stated() ? most : word);
}

bool rigid_service::accepts(const tlm_generic_payload& p, const job_descriptor& work) const {
  const rigid_words given = rigid_words::of(p);
  const estimate_settings& estimates = parts_.estimates;
  if (given.need > state_.submitted_needs(static_cast<class_id>(work.type)) || given.user > estimates.users ||
      given.qos > estimates.qos || given.estimate >= end_of_clock)
    return false;
  return given.estimate > 0 || !entry_.uses_estimates || estimates.from == estimate_settings::source::size;
}

// A submitter may have changed the data since they were accepted.
void rigid_service::read_facts(job_extension& j) const {
  const rigid_words given = rigid_words::of(*j.transaction);
  const class_id declared = j.declared_class();
  j.type = state_.class_of(declared, given.need <= state_.submitted_needs(declared) ? given.need : 0);
  if (given.user > 0 && given.user <= parts_.estimates.users) j.user = static_cast<std::uint32_t>(given.user - 1);
  if (given.qos > 0 && given.qos <= parts_.estimates.qos) j.qos = static_cast<std::uint32_t>(given.qos - 1);
  j.requested = std::min(given.estimate, end_of_clock - 1);
  if (entry_.uses_estimates && parts_.estimates.from != estimate_settings::source::size) j.estimate = estimate_of(j);
}

ticks rigid_service::estimate_of(const job_extension& j) const {
  const ticks stated = std::max<ticks>(1, j.requested);
  return learnt_ ? learnt_->of(j.user, stated) : stated;
}

void rigid_service::job_arrives(job_extension& j) {
  if (j.stolen)
    state_.join_by_arrival(j);
  else
    state_.join(j);
  ask_policy("arrived()", [&] { policy_.arrived(j, view_, *this); });
  stalls().arrival_is_processed();
}

bool rigid_service::withdraw(std::uint64_t most_cores) {
  job* const earliest = state_.earliest_waiting(most_cores, [](const job& waiting) {
    const job_extension& j = extension_of(waiting);
    return !j.begun && !j.stolen && !j.own.borrowed && j.own.submitter != scheduled_job::in_blocking_call;
  });
  if (!earliest) return false;
  job_extension& j = extension_of(*earliest);
  state_.leave_waiting(j);
  j.stolen = true;
  parts_.submissions.answer(j, TLM_GENERIC_ERROR_RESPONSE);
  events_->happens(scheduler_event::others_change, nullptr);
  return true;
}

void rigid_service::start(const job& waiting) {
  job_extension& j = checked_but_for_room(waiting);
  if (const placement at = cores_.place_on_one_server(j.type); at.cores > 0) {
    const ticks duration = enter_service(j, 1, cores_.capacity(at));
    send_slice(parts_.dispatches.slice_of(j, at, duration));
  } else {
    start_on_several(j);
  }
}

void rigid_service::start_on_several(job_extension& j) {
  if (!view_.fits(j)) refuse_start(j);
  rigid_service::send_placed(j, cores_.place(j));
}

void rigid_service::start_on(const job& waiting, const std::vector<task_placement>& where) {
  job_extension& j = checked(waiting);
  const task_allocator* const tasks = cores_.tasks();
  if (!tasks)
    fault(fmt::format("policy '{}' placed tasks of job {}, but only cores count; expected start()", entry_.name, j.id));
  if (const auto why = tasks->objection(j.type, where))
    fault(fmt::format("policy '{}' started job {} of class '{}' {}", entry_.name, j.id, state_.name(j.type), *why));
  send_placed(j, cores_.place_on(j, where));
}

void rigid_service::send_placed(job_extension& j, unsigned slices) {
  j.own.slowest = cores_.slowest();
  const ticks duration = enter_service(j, slices, j.own.slowest);
  for (const placement& at : cores_.placements()) {
    tlm_generic_payload& p = parts_.dispatches.slice_of(j, at, duration);
    dispatch_port::slice(p).slices = slices;
    hold_resources(p, at);
    send_slice(p);
  }
}

void rigid_service::hold_resources(tlm_generic_payload& slice, const placement& at) const {
  if (const amounts* const held = cores_.held(at)) slice_extension::hold(slice, dispatch_port::slice(slice), *held);
}

ticks rigid_service::enter_service(job_extension& j, unsigned slices, double capacity) {
  j.own.open_slices = slices;
  const ticks size = j.descriptor.size - j.done;
  state_.enter_service_by_arrival(j);
  begin_service(j);
  return time_of_work(size, capacity);
}

void rigid_service::refuse_start(const job& waiting) const {
  if (waiting.where == job::place::in_service)
    fault(fmt::format("the policy started job {} a second time", waiting.id));
  if (waiting.where != job::place::waiting) fault(fmt::format("the policy started job {}, which has left", waiting.id));
  if (state_.counts_tasks())
    fault(fmt::format("the policy started job {} of class '{}', of {} tasks, of which {} fit", waiting.id,
                      state_.name(waiting.type), state_.need(waiting.type), state_.free_cores(waiting.type)));
  fault(fmt::format("the policy started job {} of class '{}', of need {}, with {} cores free", waiting.id,
                    state_.name(waiting.type), state_.need(waiting.type), state_.free_cores(waiting.type)));
}

void rigid_service::take_cores(const job& running, queue_place, leaves_for) {
  fault(fmt::format("the policy preempted job {}, but its entry does not say `preempts`", running.id));
}

void rigid_service::slice_ends(tlm_generic_payload& p) {
  const slice_extension& slice = dispatch_port::slice(p);
  cores_.give_back(placement_of(slice), &slice);
  job_extension& j = *slice.holder;
  parts_.dispatches.end(p);
  if (--j.own.open_slices == 0) complete(j);
}

}  // namespace muster
