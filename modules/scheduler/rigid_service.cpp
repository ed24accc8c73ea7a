#include "muster/modules/scheduler/rigid_service.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace muster {

using namespace tlm;

namespace {

ticks slowed(ticks size, double capacity) {
  const double exact = static_cast<double>(size) / capacity;
  return std::max<ticks>(1, static_cast<ticks>(std::llround(std::min(exact, static_cast<double>(end_of_clock)))));
}

}  // namespace

void rigid_service::job_arrives(job_extension& j) {
  state_.join(j);
  ask_policy("arrived()", [&] { policy_.arrived(j, state_, *this); });
  check_for_stall();
}

void rigid_service::start(const job& waiting) {
  const ticks duration = enter_service(waiting);
  job_extension& j = extension_of(waiting);
  const placement* at = cores_.placements().begin();
  for (unsigned left = j.open_slices; left > 0; --left, ++at) send_slice(parts_.dispatches.slice_of(j, *at, duration));
}

ticks rigid_service::enter_service(const job& waiting) {
  if (waiting.where != job::place::waiting) refuse_start(waiting);
  job_extension& j = extension_of(waiting);
  j.open_slices = cores_.place(j);
  if (j.open_slices == 0) refuse_start(waiting);
  const double capacity = cores_.slowest();
  const ticks size = j.descriptor.size - j.kept;
  const ticks duration = capacity == 1.0 ? size : slowed(size, capacity);
  state_.enter_service(j);
  begin_service(j);
  return duration;
}

void rigid_service::refuse_start(const job& waiting) const {
  if (waiting.where == job::place::in_service)
    fault(fmt::format("the policy started job {} a second time", waiting.id));
  if (waiting.where != job::place::waiting) fault(fmt::format("the policy started job {}, which has left", waiting.id));
  fault(fmt::format("the policy started job {} of class '{}', of need {}, with {} cores free", waiting.id,
                    state_.name(waiting.type), state_.need(waiting.type), state_.free_cores(waiting.type)));
}

void rigid_service::slice_ends(tlm_generic_payload& p) {
  const slice_extension& slice = dispatch_port::slice(p);
  cores_.give_back(placement_of(slice));
  job_extension& j = *slice.holder;
  parts_.dispatches.end(p);
  if (--j.open_slices == 0) complete(j);
}

}  // namespace muster
