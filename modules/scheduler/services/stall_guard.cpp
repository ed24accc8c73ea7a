#include "muster/modules/scheduler/services/stall_guard.h"

#include <fmt/format.h>

#include "muster/modules/scheduler/events/scheduler_error.h"

namespace muster {

namespace {

// Arrivals in a row at which no job is in service. A policy may leave cores idle, but with one that never starts a job
// the queue would grow without end.
constexpr std::uint64_t most_idle_arrivals = 100'000;

// Failures of all servers together without a completion between. Where jobs lose more work than they do, the simulated
// time of the next completion, or of the next arrival, may never be reached.
constexpr std::uint64_t most_failures = 1'000'000;

}  // namespace

void stall_guard::report(const std::string& why) const {
  if (!observer_) scheduler_fault(time_, why);
  observer_->work_stalls(why);
}

void stall_guard::count_idle_arrival() {
  if (cores_.any_down()) {
    idle_arrivals_ = 0;
  } else if (++idle_arrivals_ == most_idle_arrivals) {
    scheduler_fault(time_, fmt::format("the policy has started nothing during {} arrivals while no job was in service",
                                       most_idle_arrivals));
  }
}

void stall_guard::server_fails(std::uint64_t completed) {
  if (completed != completed_before_ || (state_.in_service() == 0 && !state_.anyone_waits())) failures_ = 0;
  completed_before_ = completed;
  if (++failures_ == most_failures)
    report(fmt::format("servers have failed {} times without a completion between", most_failures));
}

}  // namespace muster
