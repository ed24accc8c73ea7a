#include "muster/modules/scheduler/services/recovering_rigid_service.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "muster/policies/catalogue.h"

namespace muster {

using namespace tlm;

namespace {

// Batches of jobs that leave at one instant. A policy may preempt a job that it has just started, but simulated time
// must advance.
constexpr unsigned most_times_at_once = 100'000;

}  // namespace

recovering_rigid_service::recovering_rigid_service(const scheduler_parts& parts, rigid_policy& rules)
    : rigid_service(parts, rules), allocations_(parts) {}

void recovering_rigid_service::happens(scheduler_event kind, tlm_generic_payload* transaction) {
  job_service::happens(kind, transaction);
  stop_preempted();
}

void recovering_rigid_service::job_arrives(job_extension& j) {
  allocations_.begin(j);
  rigid_service::job_arrives(j);
  stop_preempted();
}

void recovering_rigid_service::start(const job& waiting) {
  job_extension& j = checked(waiting);
  send_placed(j, cores_.place(j));
}

void recovering_rigid_service::send_placed(job_extension& j, unsigned slices) {
  j.own.slowest = cores_.slowest();
  const ticks duration = enter_service(j, slices, j.own.slowest);
  for (const placement& at : cores_.placements()) {
    tlm_generic_payload& p = parts_.dispatches.slice_of(j, at, duration);
    slice_extension& slice = dispatch_port::slice(p);
    slice.slices = slices;
    if (const ticks every = parts_.checkpoint.value_or(0); every > 0)
      slice.checkpoints = {j.descriptor.size - j.done, every - j.done % every, every};
    allocations_.add(j, slice, j.done > 0);
    hold_resources(p, at);
    send_slice(p);
  }
}

// Notes that a job is to be stopped. Stops are sent when the policy has returned, so that it is not called from within
// its own call.
void recovering_rigid_service::take_cores(const job& running, queue_place where, leaves_for reason) {
  if (!entry_.preempts) rigid_service::take_cores(running, where, reason);
  check_itself(running, reason == leaves_for::kill ? "killed" : "preempted");
  if (running.where != job::place::in_service)
    fault(fmt::format("the policy preempted job {}, which {}", running.id,
                      running.where == job::place::waiting   ? "waits"
                      : running.where == job::place::leaving ? "is leaving its cores already"
                                                             : "has left"));
  if (where == queue_place::nowhere && reason != leaves_for::kill)
    fault(fmt::format("the policy preempted job {}, which is to wait nowhere; expected by_arrival or at_tail",
                      running.id));
  job_extension& j = extension_of(running);
  state_.begin_leaving(j);
  ++j.preemptions;
  j.own.least_run = j.own.least_kept = end_of_clock;
  j.own.saved_at = 0;
  j.own.reason = reason;
  j.own.goes_back = where;
  preempted_.push_back(&j);
}

// Processes the end of a slice. The slices of a job may end at different times here.
void recovering_rigid_service::slice_ends(tlm_generic_payload& p) {
  const slice_extension& slice = dispatch_port::slice(p);
  cores_.give_back(placement_of(slice), &slice);
  job_extension& j = *slice.holder;
  const ticks done = slice.done, duration = slice.descriptor.duration;
  const ticks kept = done - (slice.writing ? 1 : 0);
  const auto ended = allocations_.remove(p);
  --j.own.open_slices;
  if (ended.failed) fail(j);
  j.own.least_run = std::min(j.own.least_run, done);
  j.own.least_kept = std::min(j.own.least_kept, kept);
  if (j.where == job::place::leaving && ended.holds_state) {
    j.own.allocation->state_at.push_back(ended.server);
    ++j.own.saved_at;
  }
  if (j.own.open_slices == 0 && failing_ != &j) leave_cores(j, duration);
  stop_preempted();
}

// Stops all other slices of the job, as one of its servers has failed. Those that end meanwhile leave it to the slice
// that has failed to let the job leave its cores.
void recovering_rigid_service::fail(job_extension& j) {
  if (!j.own.failed) ++j.failures;
  j.own.failed = true;
  if (j.where == job::place::leaving) return;
  state_.begin_leaving(j);
  j.own.least_run = j.own.least_kept = end_of_clock;
  j.own.saved_at = 0;
  j.own.reason = leaves_for::failure;
  j.own.goes_back = queue_place::by_arrival;
  failing_ = &j;
  allocations_.stop(j, *orders_, j.own.open_slices, server_register::release);
  failing_ = nullptr;
}

// Lets a job whose last slice has ended leave its cores.
void recovering_rigid_service::leave_cores(job_extension& j, ticks duration) {
  if (j.where == job::place::in_service) {
    complete(j);
    return;
  }
  const bool done = !j.own.failed && j.own.least_run >= duration;  // all slices had completed before they were stopped
  if (!done && j.own.goes_back == queue_place::nowhere) {
    j.killed = true;
    j.own.failed = false;
  } else if (!done) {
    keep_work(j, duration);
    state_.requeue(j, j.own.goes_back);
  } else if (j.own.reason != leaves_for::failure) {
    --j.preemptions;  // the stop has come too late
  }
  if (j.own.reason == leaves_for::failure)
    ask_policy("interrupted()", [&] { policy_.interrupted(j, view_, *this); });
  else
    has_left(j);
}

void recovering_rigid_service::keep_work(job_extension& j, ticks duration) {
  const ticks size = j.descriptor.size - j.done;
  const auto done_after = [&](ticks ran) {
    return j.done + std::min(static_cast<ticks>(tick_sum{ran} * size / duration), size - 1);
  };
  const ticks reached = done_after(j.own.least_run);
  const bool saved = j.own.reason == leaves_for::preemption && !j.own.failed;
  const ticks kept = saved ? reached : allocations_.at_checkpoint(done_after(j.own.least_kept));
  const ticks before = std::exchange(j.done, std::max(j.done, kept));
  if (j.times && !saved) j.times->lose(reached - j.done, reached - before);
  auto& holders = j.own.allocation->state_at;
  if (j.done == before)
    holders.erase(holders.end() - j.own.saved_at, holders.end());  // these servers hold no more than the others
  else if (saved)
    holders.erase(holders.begin(), holders.end() - j.own.saved_at);
  else
    holders.clear();
  j.own.failed = false;
}

// Notes that a job has left its cores. The policy is called for the jobs that do so at one instant when all have.
void recovering_rigid_service::has_left(job_extension& j) {
  if (left_.empty()) parts_.deferred.defer(time_.now(), *events_, scheduler_event::jobs_have_left, *j.transaction);
  left_.push_back(&j);
}

// Calls the policy for the jobs that have left their cores. Jobs that are complete, or were killed for good, come
// first. Within both kinds the order is that of arrival, whatever their servers.
void recovering_rigid_service::jobs_have_left() {
  times_at_once_ = time_.now() == latest_ ? times_at_once_ + 1 : 1;
  latest_ = time_.now();
  if (times_at_once_ == most_times_at_once)
    fault(fmt::format("the policy has preempted jobs {} times at one instant, each time when others had left",
                      most_times_at_once));
  batch_.swap(left_);
  // Other jobs may have been started and preempted again meanwhile.
  const auto is_complete = [](const job_extension* j) {
    return j->where == job::place::leaving && j->own.open_slices == 0;
  };
  const auto waiting = std::partition(batch_.begin(), batch_.end(), is_complete);
  const auto by_arrival = [](const job_extension* a, const job_extension* b) { return a->id < b->id; };
  std::sort(batch_.begin(), waiting, by_arrival);
  std::sort(waiting, batch_.end(), by_arrival);
  std::for_each(batch_.begin(), waiting, [&](job_extension* j) {
    state_.end_leaving(*j);
    complete(*j);
  });
  std::for_each(waiting, batch_.end(), [&](const job_extension* j) {
    ask_policy("preempted()", [&] { policy_.preempted(*j, view_, *this); });
  });
  batch_.clear();
}

void recovering_rigid_service::stop_preempted() {
  if (!stopping_.empty()) return;  // stops are being sent, and slices end meanwhile
  while (!preempted_.empty()) {
    stopping_.swap(preempted_);
    allocations_.stop_all(stopping_, *orders_);
    stopping_.clear();
  }
}

}  // namespace muster
