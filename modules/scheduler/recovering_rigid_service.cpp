#include "muster/modules/scheduler/recovering_rigid_service.h"

#include <algorithm>

namespace muster {

using namespace tlm;

recovering_rigid_service::recovering_rigid_service(const scheduler_parts& parts, policy& rules)
    : rigid_service(parts, rules), allocations_(parts) {}

void recovering_rigid_service::job_arrives(job_extension& j) {
  allocations_.begin(j);
  rigid_service::job_arrives(j);
}

void recovering_rigid_service::start(const job& waiting) {
  job_extension& j = checked(waiting);
  const unsigned slices = cores_.place(j);
  const ticks duration = enter_service(j, slices, cores_.slowest());
  for (const placement& at : cores_.placements()) {
    tlm_generic_payload& p = parts_.dispatches.slice_of(j, at, duration);
    allocations_.add(j, dispatch_port::slice(p), j.kept > 0);
    send_slice(p);
  }
}

// Here slices of a job may end at different times.
void recovering_rigid_service::slice_ends(tlm_generic_payload& p) {
  const slice_extension& slice = dispatch_port::slice(p);
  cores_.give_back(placement_of(slice));
  job_extension& j = *slice.holder;
  const ticks ran = slice.ran, duration = slice.descriptor.duration;
  const bool failed = allocations_.remove(p).failed;
  if (failed && j.where == job::place::in_service) {
    j.least_run = ran;
    fail(j);
  }
  j.least_run = std::min(j.least_run, ran);
  if (--j.open_slices > 0) return;
  if (!j.failed) {
    complete(j);
    return;
  }
  const ticks size = j.descriptor.size - j.kept;
  const double share = static_cast<double>(j.least_run) / static_cast<double>(duration);
  const ticks done = duration == size ? j.least_run : static_cast<ticks>(share * static_cast<double>(size));
  j.kept = std::max(j.kept, allocations_.at_checkpoint(j.kept + std::min(done, size - 1)));
  j.failed = false;
  state_.requeue(j);
  ask_policy("interrupted()", [&] { policy_.interrupted(j, state_, *this); });
}

// Stops all slices of the job, as one of its servers has failed.
void recovering_rigid_service::fail(job_extension& j) {
  j.where = job::place::leaving;
  j.failed = true;
  ++j.failures;
  allocations_.stop(j, *orders_, j.open_slices, server_register::release);
}

}  // namespace muster
