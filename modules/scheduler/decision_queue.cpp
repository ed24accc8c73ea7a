#include "muster/modules/scheduler/decision_queue.h"

#include <algorithm>

namespace muster {

using namespace tlm;

decision_queue::decision_queue(timekeeper& time, const durations& takes, const cluster_state& state,
                               examination& examined, event_sink& service, order_sink& servers)
    : time_(time), takes_(takes), state_(state), examined_(examined), service_(service), servers_(servers) {}

void decision_queue::happens(scheduler_event what, tlm_generic_payload* transaction) {
  if (waiting_.full()) waiting_.set_capacity(2 * waiting_.capacity() + 8);
  waiting_.push_back({what, transaction});
  if (!busy_) process_next();
}

void decision_queue::process_next() {
  busy_ = true;
  while (!waiting_.empty()) {
    const event next = waiting_.front();
    waiting_.pop_front();
    if (const ticks takes = decide(next); takes > 0) {
      time_.arm(time_.now() + takes, time_.travel_rank(), *this, 0);
      return;
    }
    carry_out();
  }
  busy_ = false;
}

// @return how long it takes
ticks decision_queue::decide(const event& e) {
  examined_ = {false, state_.jobs_handed_out(), 0};
  service_.happens(e.what, e.transaction);
  if (!examined_.asked) return 0;
  const std::uint64_t jobs = state_.jobs_handed_out() - examined_.handed_out_before + examined_.served;
  const tick_sum takes = takes_.fixed + static_cast<tick_sum>(takes_.per_job) * jobs;
  return static_cast<ticks>(std::min<tick_sum>(takes, end_of_clock));
}

// Responses that come within these calls are queued with the other events.
void decision_queue::carry_out() {
  for (job_extension* j : begun_) j->started = time_.now();
  begun_.clear();
  for (tlm_generic_payload* order : orders_) servers_.send(*order);
  orders_.clear();
}

void decision_queue::expired(ticks, std::uint32_t) {
  carry_out();
  process_next();
}

bool decision_queue::slot_waits() const {
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [](const event& e) { return e.what == scheduler_event::slot_begins; });
}

void decision_queue::forget_deadline(const job_extension& j) {
  waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(),
                                [&](const event& e) {
                                  return e.what == scheduler_event::deadline_passes && e.transaction == j.transaction;
                                }),
                 waiting_.end());
}

std::size_t decision_queue::pending_transactions() const {
  const auto answered = std::count_if(waiting_.begin(), waiting_.end(), [](const event& e) {
    return e.what == scheduler_event::slice_ends || e.what == scheduler_event::health_changes;
  });
  return orders_.size() + static_cast<std::size_t>(answered);
}

std::vector<const job_extension*> decision_queue::waiting_arrivals() const {
  std::vector<const job_extension*> jobs;
  for (const event& e : waiting_)
    if (e.what == scheduler_event::job_arrives) jobs.push_back(&job_of(*e.transaction));
  return jobs;
}

}  // namespace muster
