#include "muster/modules/scheduler/services/allocations.h"

#include <algorithm>

namespace muster {

using namespace tlm;

namespace {

// How long a slice takes for work that no other slice shares.
ticks duration_alone(double work, double rate) {
  return std::max<ticks>(1, nearest_ticks(std::min(work / rate, static_cast<double>(end_of_clock))));
}

}  // namespace

job_allocation& allocations::begin(job_extension& j) {
  if (!j.own.allocation) j.own.allocation = std::make_unique<job_allocation>(j);
  j.own.allocation->refill(j.descriptor.size, prefetcher_);
  j.own.allocation->state_at.clear();
  j.own.allocation->groups.clear();
  j.own.open_slices = 0;
  j.preemptions = 0;
  j.killed = false;
  if (!parts_.decisions_take_time) j.count_holding();
  return *j.own.allocation;
}

tlm_generic_payload& allocations::add(job_extension& j, const placement& at, bool fetches_state) {
  parts_.cores.take(at);
  const double rate = parts_.cores.rate(at);
  tlm_generic_payload& p = parts_.dispatches.slice_of(j, at, duration_alone(j.own.allocation->remaining(), rate));
  slice_extension& slice = dispatch_port::slice(p);
  slice.rate = rate;
  add(j, slice, fetches_state);
  ++j.own.open_slices;
  return p;
}

void allocations::add(job_extension& j, slice_extension& slice, bool fetches_state) {
  const auto& known = j.own.allocation->state_at;
  slice.descriptor.state = parts_.state.type(j.type).state;
  if (fetches_state) {
    const bool here = std::find(known.begin(), known.end(), server_number(slice.group, slice.server)) != known.end();
    slice.descriptor.start = here ? slice_start::resumed : slice_start::migrated;
    if (!here) ++j.migrations;
    if (!here && !known.empty())  // the last one has the newest copy
      slice.state_from = parts_.cores.location(group_of(known.back())).first_server + server_of(known.back());
  }
  slice.next = j.own.allocation->slices;
  slice.previous = nullptr;
  if (j.own.allocation->slices) j.own.allocation->slices->previous = &slice;
  j.own.allocation->slices = &slice;
  if (!parts_.decisions_take_time) j.held.slice_is_sent(parts_.time.now());
}

allocations::ended_slice allocations::remove(tlm_generic_payload& p) {
  slice_extension& slice = dispatch_port::slice(p);
  (slice.previous ? slice.previous->next : slice.holder->own.allocation->slices) = slice.next;
  if (slice.next) slice.next->previous = slice.previous;
  if (!parts_.decisions_take_time) slice.holder->held.response_comes(parts_.time.now());
  // A server that does not set `ended` has been stopped, or has completed the work by itself.
  const bool completed = slice.ended == slice_extension::end::completed && !slice.stop_sent;
  const ended_slice found{slice.group, server_number(slice.group, slice.server), completed, slice.worked,
                          slice.ended == slice_extension::end::failed};
  slice.holder = nullptr;
  parts_.dispatches.end(p);
  return found;
}

void allocations::stop(job_extension& j, order_sink& orders, std::size_t count, std::uint64_t how) {
  parts_.dispatches.stop_together(
      [&] { j.own.allocation->change_together([&] { send_stops(j, orders, count, how); }); });
}

void allocations::stop_all(const std::vector<job_extension*>& jobs, order_sink& orders) {
  parts_.dispatches.stop_together([&] {
    for (job_extension* j : jobs)
      send_stops(*j, orders, j->own.open_slices,
                 j->own.reason == leaves_for::kill ? server_register::release : server_register::stop);
  });
}

void allocations::send_stops(job_extension& j, order_sink& orders, std::size_t count, std::uint64_t how) {
  const bool at_once = &orders == &parts_.dispatches;
  for (slice_extension* slice = j.own.allocation->slices; slice && count > 0; slice = slice->next) {
    if (slice->stop_sent) continue;
    --count;
    if (at_once)
      parts_.dispatches.stop(*slice, how);
    else
      orders.send(parts_.dispatches.stop_of(*slice, how));
  }
}

ticks allocations::at_checkpoint(ticks work) const {
  if (!parts_.checkpoint) return 0;
  return *parts_.checkpoint == 0 ? work : work - work % *parts_.checkpoint;
}

}  // namespace muster
