#include "muster/modules/scheduler/services/pooled_service.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "muster/policies/algorithms/prefetch.h"

namespace muster {

using namespace tlm;

namespace {

std::uint64_t drawn_server(const tlm_generic_payload& p, unsigned n) {
  std::uint64_t server;
  std::memcpy(&server, p.get_data_ptr() + sizeof(job_descriptor) + n * sizeof server, sizeof server);
  return server;
}

void prefetch_neighbours(const job& j) {
  prefetch(j.ahead);
  prefetch(j.behind);
}

}  // namespace

pooled_service::pooled_service(const scheduler_parts& parts, pooled_policy& rules)
    : service_for(parts, rules), allocations_(parts, this) {
  for (const server_group& g : parts.groups) servers_fail_ = servers_fail_ || g.fails;
  parts.dispatches.report_saving();
}

bool pooled_service::has_length(const job_descriptor& work, std::uint64_t behind) const {
  return behind == state_.type(static_cast<class_id>(work.type)).drawn * sizeof(std::uint64_t);
}

bool pooled_service::accepts(const tlm_generic_payload& p, const job_descriptor& work) const {
  for (unsigned n = 0; n < state_.type(static_cast<class_id>(work.type)).drawn; ++n) {
    if (drawn_server(p, n) >= parts_.groups.size()) return false;
    for (unsigned before = 0; before < n; ++before)
      if (drawn_server(p, n) == drawn_server(p, before)) return false;
  }
  return true;
}

void pooled_service::job_arrives(job_extension& j) {
  job_allocation& own = allocations_.begin(j);
  const job_class& type = state_.type(j.type);
  if (type.drawn == 0) own.groups.assign(type.groups.begin(), type.groups.end());
  for (unsigned n = 0; n < type.drawn; ++n)
    own.groups.push_back(static_cast<group_id>(drawn_server(*j.transaction, n)));
  j.groups = own.groups.data();
  j.group_count = static_cast<std::uint32_t>(own.groups.size());
  state_.join_pool(j);
  prefetch_servers_of_next_job(j);
  ask_policy("arrived()", [&] { policy_.arrived(j, view_, *this); });
  stalls().arrival_is_processed();
}

void pooled_service::prefetch_servers_of_next_job(const job_extension& j) const {
  for (const std::uint64_t server : j.drawn_next) {
    if (server >= parts_.groups.size()) break;
    state_.pool().prefetch_line(static_cast<group_id>(server));
    prefetch(&cores_.location(static_cast<group_id>(server)));
  }
}

// Prefetches what the departure of a job will access: it is removed from the queue and from the list of running jobs,
// and its servers join the next jobs in the queue.
void pooled_service::prefetch_for_leaving(const pooled_work& work, prefetch_step step) {
  const auto& own = static_cast<const job_allocation&>(work);
  const job_extension& j = own.owner;
  switch (step) {
    case prefetch_step::first:
      prefetch_range(&j, &j.words);
      for (const group_id group : own.groups) {
        state_.pool().prefetch_line(group);
        prefetch(&cores_.location(group));
      }
      break;
    case prefetch_step::second:
      prefetch(j.transaction);
      prefetch_neighbours(j);
      for (const group_id group : own.groups)
        if (const job* next = state_.pool().behind_first(j, group))
          prefetch_range(next, &extension_of(*next).descriptor);
      break;
    case prefetch_step::third:
      for (const group_id group : own.groups)
        if (const job* next = state_.pool().behind_first(j, group)) {
          if (next->where == job::place::waiting) prefetch_neighbours(*next);
          const job_allocation* const shared = extension_of(*next).own.allocation.get();
          if (extension_of(*next).interruptions > 0)
            prefetch(shared);
          else
            prefetch(static_cast<const pooled_work*>(shared));
        }
  }
}

void pooled_service::join(const job& pooled, group_id servers) {
  check_join(pooled, servers);
  job_extension& j = extension_of(pooled);
  if (j.where == job::place::waiting) {
    begin_service(j);
    state_.enter_service(j);
  }
  while (view_.idle(servers)) dispatch(j, cores_.whole_server(servers));
}

void pooled_service::check_join(const job& pooled, group_id servers) const {
  const auto refuse = [&](const char* why) {
    fault(fmt::format("the policy let '{}' join job {}, {}", parts_.groups[servers].name, pooled.id, why));
  };
  check_itself(pooled, "let servers join");
  if (pooled.where != job::place::waiting && pooled.where != job::place::in_service)
    refuse("which has left or is leaving");
  if (!view_.idle(servers)) refuse("but it is busy");
  if (state_.pool().first(servers) == &pooled) return;
  for (const group_id allowed : pooled_view::servers(pooled))
    if (allowed == servers) return;
  refuse("which may not use it");
}

void pooled_service::dispatch(job_extension& j, const placement& at) {
  send_slice(allocations_.add(j, at, j.interruptions > 0 || j.done > 0));
}

// Processes the end of a slice, whose server is idle now.
void pooled_service::slice_ends(tlm_generic_payload& p) {
  cores_.give_back(placement_of(dispatch_port::slice(p)));
  job_extension& j = *dispatch_port::slice(p).holder;
  const auto [servers, server, completed, holds_state, failed] = allocations_.remove(p);

  if (completed && j.where == job::place::in_service) {
    state_.withdraw(j);
    if (!j.own.allocation->done()) {
      j.own.allocation->declare_done();
      allocations_.stop(j, *orders_);
    }
  }
  if (!completed && j.where == job::place::in_service) {
    if (failed)
      fail(j);
    else
      interrupt(j);
  }
  if (holds_state && !j.own.allocation->done()) j.own.allocation->state_at.push_back(server);
  if (view_.idle(servers)) call_policy("freed()", [&, group = servers] { policy_.freed(group, view_, *this); });
  examined_.asked = true;
  if (--j.own.open_slices > 0) return;
  if (j.own.allocation->done()) {
    complete(j);
    return;
  }
  if (servers_fail_) fall_back(j);
  state_.rejoin_pool(j);
  ask_policy("interrupted()", [&] { policy_.interrupted(j, view_, *this); });
}

void pooled_service::slice_saves(tlm_generic_payload& p) {
  job_extension* const j = dispatch_port::slice(p).holder;
  dispatch_port::slice(p).stop_sent = true;  // the slice ends without being stopped
  parts_.dispatches.end_saving(p);
  // A slice without a job: its response has been processed already, with an earlier effective time.
  if (j && j->where == job::place::in_service) interrupt(*j);
}

// Stops all slices of a job, as one of its servers has interrupted it.
void pooled_service::interrupt(job_extension& j) {
  state_.withdraw(j);
  ++j.interruptions;
  j.own.allocation->state_at.clear();
  allocations_.stop(j, *orders_);
}

// Stops all slices of a job, as one of its servers has failed.
void pooled_service::fail(job_extension& j) {
  state_.withdraw(j);
  j.own.failed = true;
  ++j.failures;
  allocations_.stop(j, *orders_, j.own.open_slices, server_register::release);
}

// Notes the progress of a job that has left its servers, one of which may have failed: all its work if a server has
// saved the job's state, otherwise the work up to the latest checkpoint.
void pooled_service::fall_back(job_extension& j) {
  job_allocation& own = *j.own.allocation;
  const auto done = j.descriptor.size - nearest_ticks(own.remaining());
  const ticks before = j.done;
  if (j.own.failed || own.state_at.empty()) {
    j.done = std::max(j.done, allocations_.at_checkpoint(std::min(done, j.descriptor.size - 1)));
    own.state_at.clear();
    own.refill(j.descriptor.size - j.done, this);
    if (j.times && done > j.done) j.times->lose(done - j.done, done - before);
  } else {
    j.done = std::min(done, j.descriptor.size - 1);
  }
  j.own.failed = false;
}

}  // namespace muster
