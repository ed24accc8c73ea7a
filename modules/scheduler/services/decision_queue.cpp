#include "muster/modules/scheduler/services/decision_queue.h"

#include <utility>

#include "muster/modules/scheduler/ports/dispatch_port.h"

namespace muster {

using namespace tlm;

decision_queue::decision_queue(timekeeper& time, const durations& takes, const cluster_state& state,
                               examination& examined, event_observer& service, order_sink& servers)
    : time_(time), takes_(takes), state_(state), examined_(examined), service_(service), servers_(servers) {}

void decision_queue::happens(scheduler_event kind, tlm_generic_payload* transaction) {
  if (waiting_.full()) waiting_.set_capacity(2 * waiting_.capacity() + 8);
  waiting_.push_back({kind, transaction});
  if (kind == scheduler_event::job_arrives) job_of(*transaction).count_holding();
  if (kind == scheduler_event::slice_ends) dispatch_port::slice(*transaction).holder->held.response_comes(time_.now());
  if (!busy_) process_next();
}

void decision_queue::process_next() {
  busy_ = true;
  while (!waiting_.empty()) {
    const event next = waiting_.front();
    waiting_.pop_front();
    if (const tick_sum takes = decide(next); takes > 0) {
      wait(takes);
      return;
    }
    begin_jobs();
    if (!send_orders()) return;
  }
  busy_ = false;
}

// Processes an event. @return how long its decision takes
tick_sum decision_queue::decide(const event& e) {
  examined_ = {false, state_.jobs_handed_out(), 0};
  service_.happens(e.kind, e.transaction);
  if (!examined_.asked) return 0;
  const std::uint64_t jobs = state_.jobs_handed_out() - examined_.handed_out_before + examined_.served;
  return takes_.fixed + static_cast<tick_sum>(takes_.per_job) * jobs;
}

void decision_queue::begin_jobs() {
  for (job_extension* j : begun_) j->started = time_.now();
  begun_.clear();
}

// Sends orders. Responses that come within the calls are queued with the other events.
bool decision_queue::send_orders() {
  while (sent_ < orders_.size()) {
    const std::size_t slices = sent_together();
    if (slices > 0 && takes_.per_dispatch > 0 && !std::exchange(dispatching_, !dispatching_)) {
      wait(static_cast<tick_sum>(takes_.per_dispatch) * slices);
      return false;
    }
    for (std::size_t n = std::max<std::size_t>(slices, 1); n > 0; --n) send_order(*orders_[sent_++]);
  }
  orders_.clear();
  sent_ = 0;
  return true;
}

// How many slices of one job are next; 0: the next order is no slice.
std::size_t decision_queue::sent_together() const {
  const auto slice_at = [&](std::size_t at) {
    const slice_extension& s = dispatch_port::slice(*orders_[at]);
    return s.asks == slice_extension::request::slice ? s.holder : nullptr;
  };
  const job_extension* const holder = slice_at(sent_);
  std::size_t slices = 0;
  while (holder && sent_ + slices < orders_.size() && slice_at(sent_ + slices) == holder) ++slices;
  return slices;
}

void decision_queue::send_order(tlm_generic_payload& order) {
  const slice_extension& s = dispatch_port::slice(order);
  if (s.asks == slice_extension::request::slice) {
    if (takes_.per_dispatch > 0 && s.holder->held.never()) s.holder->started = time_.now();
    s.holder->held.slice_is_sent(time_.now());
  }
  servers_.send(order);
}

void decision_queue::expired(ticks, std::uint32_t) {
  if (!dispatching_) begin_jobs();
  if (send_orders()) process_next();
}

bool decision_queue::slot_waits() const {
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [](const event& e) { return e.kind == scheduler_event::slot_begins; });
}

void decision_queue::forget_deadline(const job_extension& j) {
  waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(),
                                [&](const event& e) {
                                  return e.kind == scheduler_event::deadline_passes && e.transaction == j.transaction;
                                }),
                 waiting_.end());
}

std::size_t decision_queue::pending_transactions() const {
  const auto answered = std::count_if(waiting_.begin(), waiting_.end(), [](const event& e) {
    return e.kind == scheduler_event::slice_ends || e.kind == scheduler_event::health_changes;
  });
  return orders_.size() - sent_ + static_cast<std::size_t>(answered);
}

std::vector<const job_extension*> decision_queue::waiting_arrivals() const {
  std::vector<const job_extension*> jobs;
  for (const event& e : waiting_)
    if (e.kind == scheduler_event::job_arrives) jobs.push_back(&job_of(*e.transaction));
  return jobs;
}

}  // namespace muster
