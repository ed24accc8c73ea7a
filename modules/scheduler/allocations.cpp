#include "muster/modules/scheduler/allocations.h"

#include <algorithm>
#include <cmath>

namespace muster {

using namespace tlm;

namespace {

ticks alone(double work, double rate) {
  return std::max<ticks>(1, static_cast<ticks>(std::llround(std::min(work / rate, static_cast<double>(end_of_clock)))));
}

}  // namespace

job_extension::pooling& allocations::begin(job_extension& j) {
  if (!j.pool) j.pool = std::make_unique<job_extension::pooling>(j);
  j.pool->refill(j.descriptor.size, keeper_);
  j.pool->state_at.clear();
  j.pool->groups.clear();
  j.open_slices = 0;
  return *j.pool;
}

tlm_generic_payload& allocations::add(job_extension& j, const placement& at, bool fetches_state) {
  parts_.cores.take(at);
  const double rate = at.cores * parts_.cores.location(at.group).capacity;
  tlm_generic_payload& p = parts_.dispatches.slice_of(j, at, alone(j.pool->remaining(), rate));
  slice_extension& slice = dispatch_port::slice(p);
  slice.rate = rate;
  add(j, slice, fetches_state);
  ++j.open_slices;
  return p;
}

void allocations::add(job_extension& j, slice_extension& slice, bool fetches_state) {
  const auto& known = j.pool->state_at;
  slice.descriptor.state = parts_.state.type(j.type).state;
  if (fetches_state) {
    const bool here = std::find(known.begin(), known.end(), server_number(slice.group, slice.server)) != known.end();
    slice.descriptor.start = here ? slice_start::resumed : slice_start::migrated;
    if (!here) ++j.migrations;
    if (!here && !known.empty())  // the server that has saved it last has the newest
      slice.state_from = parts_.cores.location(group_of(known.back())).first_server + server_of(known.back());
  }
  slice.next = j.pool->slices;
  slice.previous = nullptr;
  if (j.pool->slices) j.pool->slices->previous = &slice;
  j.pool->slices = &slice;
}

allocations::ended_slice allocations::remove(tlm_generic_payload& p) {
  slice_extension& slice = dispatch_port::slice(p);
  (slice.previous ? slice.previous->next : slice.holder->pool->slices) = slice.next;
  if (slice.next) slice.next->previous = slice.previous;
  // A server that does not know why a slice has ended was stopped, or has done the work by itself.
  const bool completed = slice.ended == slice_extension::end::completed && !slice.stop_sent;
  const ended_slice found{slice.group, server_number(slice.group, slice.server), completed, slice.worked,
                          slice.ended == slice_extension::end::failed};
  slice.holder = nullptr;
  p.release();
  return found;
}

void allocations::stop(job_extension& j, order_sink& orders, std::size_t count, std::uint64_t how) {
  parts_.dispatches.stop_together([&] {
    j.pool->change_together([&] {
      for (slice_extension* slice = j.pool->slices; slice && count > 0; slice = slice->next) {
        if (slice->stop_sent) continue;
        --count;
        orders.send(parts_.dispatches.stop_of(*slice, how));
      }
    });
  });
}

ticks allocations::at_checkpoint(ticks work) const {
  if (!parts_.checkpoint) return 0;
  return *parts_.checkpoint == 0 ? work : work - work % *parts_.checkpoint;
}

}  // namespace muster
