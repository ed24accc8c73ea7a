#include "muster/modules/scheduler/events/wake_timers.h"

namespace muster {

void wake_timers::set(ticks at, std::uint32_t cookie) {
  if (at >= end_of_clock) time_.leave_clock("a time at which the policy is to be woken");
  time_.arm(at, timer_rank::wake(count_++), *this, cookie);
}

std::uint32_t wake_timers::take() {
  const std::uint32_t cookie = due_.front();
  due_.pop();
  return cookie;
}

void wake_timers::expired(ticks now, std::uint32_t cookie) {
  at_latest_ = now == latest_ ? at_latest_ + 1 : 1;
  latest_ = now;
  due_.push(cookie);
  to_->happens(scheduler_event::policy_wakes, nullptr);
}

}  // namespace muster
