#include "muster/modules/scheduler/events/wake_timers.h"

#include <fmt/format.h>

#include "muster/modules/scheduler/events/scheduler_error.h"

namespace muster {

namespace {

// Timers that expire at one instant. A policy may request to be woken at the present instant, but simulated time must
// advance.
constexpr std::uint64_t most_at_once = 100'000;

}  // namespace

void wake_timers::set(ticks at, std::uint32_t cookie) {
  if (at < time_.now())
    scheduler_fault(time_, fmt::format("the policy asked to be woken at {} ticks, when {} had passed; expected no "
                                       "earlier time",
                                       at, time_.now()));
  if (at >= end_of_clock) time_.leave_clock("a time at which the policy is to be woken");
  time_.arm(at, timer_rank::wake(count_++), *this, cookie);
}

std::uint32_t wake_timers::take() {
  const std::uint32_t cookie = due_.front();
  due_.pop();
  if (at_latest_ == most_at_once)
    scheduler_fault(time_, fmt::format("the policy has been woken {} times at one instant, each time at its own "
                                       "request",
                                       most_at_once));
  return cookie;
}

void wake_timers::expired(ticks now, std::uint32_t cookie) {
  at_latest_ = now == latest_ ? at_latest_ + 1 : 1;
  latest_ = now;
  due_.push(cookie);
  to_->happens(scheduler_event::policy_wakes, nullptr);
}

}  // namespace muster
