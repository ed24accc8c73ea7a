#include "muster/modules/kernel/timekeeper.h"

#include <stdexcept>
#include <tuple>

#include <fmt/format.h>
#include <tlm>

namespace muster {

timekeeper::timekeeper(const sc_core::sc_module_name& name) : sc_module(name) {
  using SC_CURRENT_USER_MODULE [[maybe_unused]] = timekeeper;  // for SC_METHOD before SystemC 3
  SC_METHOD(run);
  sensitive << event_;
  dont_initialize();
}

void timekeeper::refuse_range(std::uint64_t rank) const {
  const auto job = timer_rank::job_of(rank);
  leave_clock(job ? fmt::format("an event of job {}", *job) : "");
}

void timekeeper::leave_clock(const std::string& cause) const {
  std::string text = "simulated time leaves the range of the clock; take fewer jobs or a coarser time_unit";
  if (!cause.empty()) text += " (" + cause + ")";
  report_error("/muster/timekeeper", text);
  throw std::runtime_error(text);  // if SystemC's own exception has been disabled
}

timekeeper::timer timekeeper::arm_anew(ticks at, std::uint64_t rank, timer_observer& observer, std::uint32_t cookie) {
  const timer t = owners_.take({&observer, cookie});
  pending_.push(at, rank, t);
  if (!running_ && pending_.next_slot() == t) wake();
  return t;
}

timekeeper::recurring timekeeper::add_recurring(std::uint64_t rank, timer_observer& observer, std::uint32_t cookie) {
  recurring_.push_back({never, rank, {&observer, cookie}});
  return recurring_.size() - 1;
}

void timekeeper::set(recurring r, ticks at) {
  if (at != never && at != end_of_clock) check_range(at, recurring_[r].rank);
  recurring_[r].at = at;
  soonest_is_spent_ = false;
  if (recurring_.size() > 1)
    find_soonest();
  else
    recurs_at_ = at;
  if (!running_) wake();
}

void timekeeper::find_soonest() {
  soonest_ = 0;
  for (recurring other = 1; other < recurring_.size(); ++other) {
    const recurring_timer& best = recurring_[soonest_];
    if (std::tie(recurring_[other].at, recurring_[other].rank) < std::tie(best.at, best.rank)) soonest_ = other;
  }
  recurs_at_ = recurring_[soonest_].at;
}

void timekeeper::cancel(timer t) {
  // A timer that expires is still the next one pending. It is not t, as it cannot be cancelled any more.
  pending_.cancel(t);
  owners_.give_back(t);
}

void timekeeper::report_error(const char* type, const std::string& message) const {
  const std::string when = sc_core::sc_time::from_value(now()).to_string();
  SC_REPORT_ERROR(type, (message + " (at " + when + ")").c_str());
}

void timekeeper::stop() {
  if (stopped_) return;
  stopped_ = true;
  last_ = until_ = now();
  if (!running_) wake();
}

void timekeeper::run() {
  kernel_ = sc_core::sc_time_stamp().value();
  const ticks quantum = tlm::tlm_global_quantum::instance().get().value();
  until_ = std::min(kernel_ + std::min(quantum, last_of_all - kernel_), last_);
  running_ = true;
  while (true) {
    const ticks from_pending = pending_.next_time(), next = std::min(from_pending, recurs_at_);
    if (next > until_ || (!kernel_is_exclusive_ && must_wait(next))) break;
    local_ = next;
    ++expirations_;
    if (from_pending < recurs_at_ || (from_pending == recurs_at_ && pending_.next_rank() <= recurring_[soonest_].rank))
      expire_pending();
    else
      expire_recurring();
  }
  running_ = false;
  if (stopped_ && next_time() > last_)
    sc_core::sc_stop();
  else
    wake();
  if (at_rest_ && next_time() == never) at_rest_->nothing_is_left();
}

void timekeeper::expire_pending() {
  const timer t = pending_.next_slot();
  top_is_spent_ = true;
  const owner who = owners_[t];
  who.observer->expired(local_, who.cookie);
  if (top_is_spent_) {
    top_is_spent_ = false;
    pending_.pop();
    owners_.give_back(t);
  }
  if (pending_.size() > many) prefetch_soon(t);
}

// Prefetches what the timers need that are next beside an expired one, the observer objects themselves first.
void timekeeper::prefetch_soon(timer expired) {
  constexpr std::size_t observer_size = 256;  // size of the largest observers of which there are many: job_allocation
  const auto soon = pending_.soon_beside(expired);
  prefetch(owners_[soon.back()].observer, observer_size);
  for (std::size_t step = 0; step < soon.size() - 1; ++step) {
    const owner& due = owners_[soon[soon.size() - 2 - step]];
    due.observer->prefetch_for_expiration(due.cookie, static_cast<prefetch_step>(step));
  }
}

void timekeeper::expire_recurring() {
  recurring_timer& r = recurring_[soonest_];
  recurs_at_ = r.at = never;
  soonest_is_spent_ = true;
  r.who.observer->expired(local_, r.who.cookie);
  if (soonest_is_spent_) find_soonest();
  soonest_is_spent_ = false;
}

bool timekeeper::must_wait(ticks next) {
  // At the kernel's own time other processes run first, for some delta cycles. Another cluster's timekeeper yields
  // likewise, and one of the two must continue.
  constexpr unsigned most_yields = 32;
  if (!kernel_waits_until(next) || (next <= kernel_ && yields_ == most_yields)) {
    yields_ = 0;
    return false;
  }
  if (next <= kernel_) ++yields_;
  return true;
}

// Whether activity is pending in the kernel before or at t, which local time must not pass.
bool timekeeper::kernel_waits_until(ticks t) const {
  if (!sc_core::sc_pending_activity()) return false;
  return kernel_ + sc_core::sc_time_to_pending_activity().value() <= t;
}

void timekeeper::wake() {
  event_.cancel();
  const ticks next = stopped_ ? last_ : next_time();
  if (next != never) event_.notify(sc_core::sc_time::from_value(next - sc_core::sc_time_stamp().value()));
}

void timekeeper::list_into(parameter_list& all) const {
  all.add_count(*this, "end_of_clock", "ticks", "the end of the range of simulated time", [] { return end_of_clock; });
  all.add(*this, "resolution", "", "a tick, the time resolution of the simulation",
          [] { return sc_core::sc_get_time_resolution().to_string(); });
  all.add_count(*this, "now", "ticks", "the cluster's time, which may be ahead of the kernel's",
                [this] { return now(); });
  all.add_count(*this, "expirations", "timers", "timers that have expired", [this] { return expirations(); });
}

}  // namespace muster
