#include <algorithm>

#include "muster/modules/scheduler/scheduler.h"

// The scheduler that takes its time: one event after the other, orders sent when it has decided.

namespace muster {

using namespace sc_core;
using namespace tlm;

void scheduler::set_decision_time(ticks fixed, ticks per_job) {
  check_before_elaboration("set_decision_time()");
  deciding_ = std::make_unique<deciding>();
  deciding_->fixed = fixed;
  deciding_->per_job = per_job;
}

void scheduler::begin_service(job_extension& j) {
  j.started = time_.now();
  if (deciding_) deciding_->begun.push_back(&j);
}

void scheduler::attend_arrival(tlm_generic_payload& p) { take_in(*p.get_extension<job_extension>()); }

void scheduler::consider(const event& e) {
  auto& waiting = deciding_->waiting;
  if (waiting.full()) waiting.set_capacity(2 * waiting.capacity() + 8);
  waiting.push_back(e);
  if (!deciding_->busy) attend();
}

void scheduler::attend() {
  deciding_->busy = true;
  while (!deciding_->waiting.empty()) {
    const event next = deciding_->waiting.front();
    deciding_->waiting.pop_front();
    if (const ticks takes = decide_on(next); takes > 0) {
      time_.arm(time_.now() + takes, time_.travel_rank(), *this, decision_cookie);
      return;
    }
    carry_out();
  }
  deciding_->busy = false;
}

// @return how long it takes
ticks scheduler::decide_on(const event& e) {
  deciding_->asked = false;
  deciding_->served = 0;
  deciding_->seen = state_.jobs_handed_out();
  if (e.action)
    (this->*e.action)(*e.transaction);
  else
    slot_moves_on(time_.now(), e.cookie);
  if (!deciding_->asked) return 0;
  const std::uint64_t examined = state_.jobs_handed_out() - deciding_->seen + deciding_->served;
  const tick_sum takes = deciding_->fixed + static_cast<tick_sum>(deciding_->per_job) * examined;
  return static_cast<ticks>(std::min<tick_sum>(takes, end_of_clock));
}

// What the servers answer at once waits with the other events.
void scheduler::carry_out() {
  for (job_extension* j : deciding_->begun) j->started = time_.now();
  deciding_->begun.clear();
  for (tlm_generic_payload* order : deciding_->orders) send_now(*order);
  deciding_->orders.clear();
}

bool scheduler::deciding::begins_slot() const {
  return std::any_of(waiting.begin(), waiting.end(),
                     [](const event& e) { return !e.action && e.cookie == slot_cookie; });
}

// A job that has left has no deadline.
void scheduler::forget_deadline(const job_extension& j) {
  auto& waiting = deciding_->waiting;
  waiting.erase(std::remove_if(waiting.begin(), waiting.end(),
                               [&](const event& e) {
                                 return e.action == &scheduler::deadline_passed && e.transaction == j.transaction;
                               }),
                waiting.end());
}

std::size_t scheduler::slices_at_hand() const {
  if (!deciding_) return 0;
  const auto& waiting = deciding_->waiting;
  const auto ended = std::count_if(waiting.begin(), waiting.end(), [](const event& e) {
    return e.action == &scheduler::slice_ended || e.action == &scheduler::health_changed;
  });
  return deciding_->orders.size() + static_cast<std::size_t>(ended);
}

std::vector<const job_extension*> scheduler::unattended_jobs() const {
  std::vector<const job_extension*> jobs = too_late_;
  if (!deciding_) return jobs;
  for (const event& e : deciding_->waiting)
    if (e.action == &scheduler::attend_arrival) jobs.push_back(e.transaction->get_extension<job_extension>());
  return jobs;
}

}  // namespace muster
