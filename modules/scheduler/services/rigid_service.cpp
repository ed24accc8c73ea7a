#include "muster/modules/scheduler/services/rigid_service.h"

#include <cstring>

#include <fmt/format.h>

#include "muster/policies/catalogue.h"
#include "muster/policies/work_time.h"

namespace muster {

using namespace tlm;

namespace {

// The number of the need that a submission names; 0: that of its class.
std::uint64_t submitted_need(const tlm_generic_payload& p) {
  std::uint64_t need = 0;
  if (p.get_data_length() > sizeof(job_descriptor))
    std::memcpy(&need, p.get_data_ptr() + sizeof(job_descriptor), sizeof need);
  return need;
}

}  // namespace

bool rigid_service::accepts(const tlm_generic_payload& p, const job_descriptor& work) const {
  return submitted_need(p) <= state_.submitted_needs(static_cast<class_id>(work.type));
}

// A submitter may have changed the data since they were accepted.
class_id rigid_service::class_of(const job_extension& j) const {
  const std::uint64_t need = submitted_need(*j.transaction);
  return state_.class_of(j.declared_class(), need <= state_.submitted_needs(j.declared_class()) ? need : 0);
}

void rigid_service::job_arrives(job_extension& j) {
  state_.join(j);
  ask_policy("arrived()", [&] { policy_.arrived(j, view_, *this); });
  stalls().arrival_is_processed();
}

void rigid_service::start(const job& waiting) {
  job_extension& j = checked(waiting);
  if (const placement at = cores_.place_on_one_server(j.type); at.cores > 0) {
    const ticks duration = enter_service(j, 1, cores_.capacity(at));
    send_slice(parts_.dispatches.slice_of(j, at, duration));
  } else {
    start_on_several(j);
  }
}

void rigid_service::start_on_several(job_extension& j) { rigid_service::send_placed(j, cores_.place(j)); }

void rigid_service::start_on(const job& waiting, const std::vector<task_placement>& where) {
  job_extension& j = checked(waiting);
  const task_allocator* const tasks = cores_.tasks();
  if (!tasks)
    fault(fmt::format("policy '{}' placed tasks of job {}, but only cores count; expected start()", entry_.name, j.id));
  if (const auto why = tasks->objection(j.type, where))
    fault(fmt::format("policy '{}' started job {} of class '{}' {}", entry_.name, j.id, state_.name(j.type), *why));
  send_placed(j, cores_.place_on(j.type, where));
}

void rigid_service::send_placed(job_extension& j, unsigned slices) {
  const ticks duration = enter_service(j, slices, cores_.slowest());
  for (const placement& at : cores_.placements()) {
    tlm_generic_payload& p = parts_.dispatches.slice_of(j, at, duration);
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
