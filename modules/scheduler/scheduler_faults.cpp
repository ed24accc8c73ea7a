#include <algorithm>
#include <cmath>

#include "muster/modules/scheduler/policy_call.h"
#include "muster/modules/scheduler/scheduler.h"

// The scheduler and faults of servers: whom it watches, what is left of the jobs that were there.

namespace muster {

using namespace tlm;

void scheduler::start_of_simulation() {
  check_servers();
  for (const group_id group : id_range<group_id>{groups_.size()})
    for (std::uint32_t server = 0; groups_[group].fails && server < groups_[group].count; ++server)
      watch(group, server, slice_extension::request::failure);
}

// Its response comes when the server fails, or is in order again.
void scheduler::watch(group_id group, std::uint32_t server, slice_extension::request change) {
  tlm_generic_payload& p = slices_.take();
  slice_extension& slice = slices_.extension(p);
  slice.group = group;
  slice.server = server;
  slice.asks = change;
  const bool failure = change == slice_extension::request::failure;
  const std::uint64_t where = failure ? server_register::until_failed : server_register::until_repaired;
  write_to_server(p, group, server, where, sizeof slice.descriptor.job);
  p.set_read();
  ++watches_;
  send_now(p);  // no decision
}

void scheduler::health_changed(tlm_generic_payload& p) {
  using request = slice_extension::request;
  const auto [group, server] = std::pair(slices_.extension(p).group, slices_.extension(p).server);
  const bool down = slices_.extension(p).asks == request::failure;
  const bool known = p.is_response_ok();
  p.release();
  if (!known) return;  // somebody else's server, which does not tell
  watch(group, server, down ? request::repair : request::failure);
  if (down) {
    const std::uint32_t cores = idle_cores(group, server);
    if (cores > 0) take_cores({group, server, cores});
    down_[number_of(group, server)] = cores;
    return;
  }
  const auto withheld = down_.find(number_of(group, server));
  if (withheld->second > 0) give_back_cores({group, server, withheld->second});
  down_.erase(withheld);
  if (state_.free_in(group) == 0) return;  // the word of what was lost there is still on its way
  call_policy("repaired()", [&, servers = group] { policy_->repaired(servers, state_, *this); });
  after_policy();
}

// Null while the server is in order.
std::uint32_t* scheduler::cores_withheld(group_id group, std::uint32_t server) {
  if (down_.empty()) return nullptr;
  const auto found = down_.find(number_of(group, server));
  return found == down_.end() ? nullptr : &found->second;
}

// A slice of a rigid job has ended, which it may have to do without the others.
void scheduler::gang_left(tlm_generic_payload& p) {
  job_extension& j = *slices_.extension(p).holder;
  const ticks ran = slices_.extension(p).ran, duration = slices_.extension(p).descriptor.duration;
  const bool failed = unlink(p).failed;
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
  j.kept = std::max(j.kept, at_checkpoint(j.kept + std::min(done, size - 1)));
  j.failed = false;
  state_.requeue(j);
  call_policy("interrupted()", [&] { policy_->interrupted(j, state_, *this); });
  after_policy();
}

// The job leaves all its servers, as one of them has failed.
void scheduler::fail(job_extension& j) {
  if (jobs_ == progress::pooled)
    state_.withdraw(j);
  else
    j.where = job::place::leaving;
  j.failed = true;
  ++j.failures;
  stop_slices(j, j.open_slices, server_register::release);
}

// What a pooled job that has left its servers still knows of its work: all, where one of them has saved it.
void scheduler::fall_back(job_extension& j) {
  job_extension::pooling& pool = *j.pool;
  const auto done = j.descriptor.size - static_cast<ticks>(std::llround(pool.remaining()));
  if (j.failed || pool.state_at.empty()) {
    j.kept = std::max(j.kept, at_checkpoint(std::min(done, j.descriptor.size - 1)));
    pool.state_at.clear();
    pool.refill(j.descriptor.size - j.kept, *this);
  } else {
    j.kept = std::min(done, j.descriptor.size - 1);
  }
  j.failed = false;
}

ticks scheduler::at_checkpoint(ticks work) const {
  if (!checkpoint_) return 0;
  return *checkpoint_ == 0 ? work : work - work % *checkpoint_;
}

// Of a slotted job the units that were complete remain. Another idle core may take over.
void scheduler::core_failed(job_extension& j, ticks ran) {
  if (j.where != job::place::in_service || j.pool->done()) return;
  const ticks in_slot = std::min(time_.now() - slots_.began, slots_.length);
  j.pool->put_back(std::min(ran, in_slot));
  if (j.slots->place != slot_plan::nowhere) slots_.owed.push_back(j.slots->place);
}

}  // namespace muster
