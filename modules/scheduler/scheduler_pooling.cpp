#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "muster/modules/kernel/fetch.h"
#include "muster/modules/scheduler/policy_call.h"
#include "muster/modules/scheduler/scheduler.h"

// The scheduler and pooled jobs: servers join them, leave them, and interrupt them.

namespace muster {

using namespace sc_core;
using namespace tlm;

namespace {

std::uint64_t drawn_server(const tlm_generic_payload& p, unsigned n) {
  std::uint64_t server;
  std::memcpy(&server, p.get_data_ptr() + sizeof(job_descriptor) + n * sizeof server, sizeof server);
  return server;
}

group_id group_of(std::uint64_t number) { return static_cast<group_id>(static_cast<std::uint32_t>(number >> 32)); }

ticks alone(double work, double rate) {
  return std::max<ticks>(1, static_cast<ticks>(std::llround(std::min(work / rate, static_cast<double>(end_of_clock)))));
}

void fetch_neighbours(const job& j) {
  fetch(j.ahead, sizeof(job));
  fetch(j.behind, sizeof(job));
}

}  // namespace

bool scheduler::draws_properly(const tlm_generic_payload& p, class_id type) const {
  for (unsigned n = 0; n < state_.type(type).drawn; ++n) {
    if (drawn_server(p, n) >= groups_.size()) return false;
    for (unsigned before = 0; before < n; ++before)
      if (drawn_server(p, n) == drawn_server(p, before)) return false;
  }
  return true;
}

job_extension::pooling& scheduler::fresh_pool(job_extension& j) {
  if (!j.pool) j.pool = std::make_unique<job_extension::pooling>(j);
  j.pool->refill(j.descriptor.size, *this);
  j.pool->state_at.clear();
  j.pool->groups.clear();
  j.open_slices = 0;
  return *j.pool;
}

void scheduler::enter_pool(job_extension& j) {
  job_extension::pooling& pool = fresh_pool(j);
  const job_class& type = state_.type(j.type);
  if (type.drawn == 0) pool.groups.assign(type.groups.begin(), type.groups.end());
  for (unsigned n = 0; n < type.drawn; ++n)
    pool.groups.push_back(static_cast<group_id>(drawn_server(*j.transaction, n)));
  j.groups = pool.groups.data();
  j.group_count = static_cast<std::uint32_t>(pool.groups.size());
  state_.join_pool(j);
  for (const std::uint64_t server : j.drawn_next) {
    if (server >= groups_.size()) break;
    state_.fetch_line(static_cast<group_id>(server));
    fetch(&locations_[static_cast<group_id>(server)], sizeof(location));
  }
}

// A job that leaves its servers is taken off the lists, and those behind it in the queue come to the servers.
void scheduler::change_expected(const pooled_work& work, unsigned step) {
  const auto& pool = static_cast<const job_extension::pooling&>(work);
  const job_extension& j = pool.owner;
  // Bytes of a job's extension that are needed where it leaves and where it starts, and of the shared work of one that
  // starts or resumes.
  constexpr std::size_t completion = 168, start = 112, shared = sizeof(pooled_work), resumed = sizeof pool;
  switch (step) {
    case 0:
      fetch(&j, completion);
      for (const group_id group : pool.groups) {
        state_.fetch_line(group);
        fetch(&locations_[group], sizeof locations_[group]);
      }
      break;
    case 1:
      fetch(j.transaction, sizeof *j.transaction);
      fetch_neighbours(j);
      for (const group_id group : pool.groups)
        if (const job* next = state_.behind_first(j, group)) fetch(next, start);
      break;
    default:
      for (const group_id group : pool.groups)
        if (const job* next = state_.behind_first(j, group)) {
          if (next->where == job::place::waiting) fetch_neighbours(*next);
          fetch(extension_of(*next).pool.get(), extension_of(*next).interruptions > 0 ? resumed : shared);
        }
  }
}

void scheduler::join(const job& pooled, group_id servers) {
  check_join(pooled, servers);
  job_extension& j = extension_of(pooled);
  if (j.where == job::place::waiting) {
    if (j.interruptions == 0) begin_service(j);
    state_.enter_service(j);
  }
  while (state_.idle(servers)) dispatch_pooled(j, {servers, free_server(servers), locations_[servers].cores});
}

void scheduler::check_join(const job& pooled, group_id servers) const {
  const auto refuse = [&](const char* why) {
    fault(fmt::format("the policy let '{}' join job {}, {}", groups_[servers].name, pooled.id, why));
  };
  if (jobs_ != progress::pooled) refuse(jobs_ == progress::slotted ? "which is slotted" : "which is rigid");
  if (pooled.where != job::place::waiting && pooled.where != job::place::in_service)
    refuse("which has left or is leaving");
  if (!state_.idle(servers)) refuse("but it is busy");
  if (state_.is_first(pooled, servers)) return;
  for (const group_id allowed : state_.servers(pooled))
    if (allowed == servers) return;
  refuse("which may not use it");
}

void scheduler::dispatch_pooled(job_extension& j, const placement& at) {
  take_cores(at);
  const double rate = at.cores * locations_[at.group].capacity;
  tlm_generic_payload& p = dispatch_of(j, at, alone(j.pool->remaining(), rate));
  slice_extension& slice = slices_.extension(p);
  slice.rate = rate;
  link(j, slice);
  ++j.open_slices;
  send(p);
}

// A slice becomes one of the job's, and brings its state along where there is one.
void scheduler::link(job_extension& j, slice_extension& slice) {
  slice.descriptor.state = state_.type(j.type).state;
  const bool has_been_served =
      jobs_ == progress::slotted ? !j.pool->state_at.empty() : j.interruptions > 0 || j.kept > 0;
  if (has_been_served) {
    const std::uint64_t server = number_of(slice.group, slice.server);
    const bool here = std::find(j.pool->state_at.begin(), j.pool->state_at.end(), server) != j.pool->state_at.end();
    slice.descriptor.start = here ? slice_start::resumed : slice_start::migrated;
    if (!here) {
      ++j.migrations;
      if (!j.pool->state_at.empty()) {  // who saved it last has the newest
        const std::uint64_t latest = j.pool->state_at.back();
        slice.state_from = locations_[group_of(latest)].first_server + static_cast<std::uint32_t>(latest);
      }
    }
  }
  slice.next = j.pool->slices;
  slice.previous = nullptr;
  if (j.pool->slices) j.pool->slices->previous = &slice;
  j.pool->slices = &slice;
}

// Takes a slice that has ended off its job's, and gives its transaction back.
scheduler::ended_slice scheduler::unlink(tlm_generic_payload& p) {
  slice_extension& slice = slices_.extension(p);
  (slice.previous ? slice.previous->next : slice.holder->pool->slices) = slice.next;
  if (slice.next) slice.next->previous = slice.previous;
  // A server that does not know why a slice has ended was stopped, or has done the work by itself.
  const bool completed = slice.ended == slice_extension::end::completed && !slice.stop_sent;
  const ended_slice found{slice.group, number_of(slice.group, slice.server), completed, slice.worked,
                          slice.ended == slice_extension::end::failed};
  slice.holder = nullptr;
  p.release();
  return found;
}

// A slice of a pooled job has ended: its server is idle.
void scheduler::slice_left(tlm_generic_payload& p) {
  job_extension& j = *slices_.extension(p).holder;
  const auto [servers, server, completed, holds_state, failed] = unlink(p);

  if (completed && j.where == job::place::in_service) {
    state_.withdraw(j);
    if (!j.pool->done()) {
      j.pool->declare_done();
      stop_slices(j);
    }
  }
  if (!completed && j.where == job::place::in_service) {
    if (failed)
      fail(j);
    else
      interrupt(j);
  }
  if (holds_state && !j.pool->done()) j.pool->state_at.push_back(server);
  if (state_.idle(servers)) call_policy("freed()", [&, group = servers] { policy_->freed(group, state_, *this); });
  if (deciding_) deciding_->asked = true;
  if (--j.open_slices > 0) return;
  if (j.pool->done()) {
    complete(j);
    return;
  }
  if (servers_fail_) fall_back(j);
  state_.rejoin_pool(j);
  call_policy("interrupted()", [&] { policy_->interrupted(j, state_, *this); });
  after_policy();
}

void scheduler::saving(tlm_generic_payload& p) {
  job_extension* const j = slices_.extension(p).holder;
  slices_.extension(p).stop_sent = true;  // it is on its way out already
  p.release();
  // Without a job, its end was announced for an earlier time.
  if (j && j->where == job::place::in_service) interrupt(*j);
}

// The job leaves all its servers.
void scheduler::interrupt(job_extension& j) {
  state_.withdraw(j);
  ++j.interruptions;
  j.pool->state_at.clear();
  stop_slices(j);
}

void scheduler::stop_slices(job_extension& j, std::size_t count, std::uint64_t how) {
  stopping_ = true;
  send_stops(j, count, how);
  stopping_ = false;
  for (const deferred& d : put_off_) (this->*d.action)(*d.transaction);
  put_off_.clear();
}

// Those that came last go first.
void scheduler::send_stops(job_extension& j, std::size_t count, std::uint64_t how) {
  const pooled_work::joint_change all_at_once(*j.pool);
  for (slice_extension* slice = j.pool->slices; slice && count > 0; slice = slice->next) {
    if (slice->stop_sent) continue;
    --count;
    tlm_generic_payload& p = slices_.take();
    slice_extension& stop = slices_.extension(p);
    stop.descriptor.job = j.id;
    stop.group = slice->group;
    stop.stops = slice;
    stop.asks = slice_extension::request::stop;
    slice->stop_sent = true;
    write_to_server(p, slice->group, slice->server, how, sizeof stop.descriptor.job);
    send(p);
  }
}

}  // namespace muster
