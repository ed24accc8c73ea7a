#include "muster/modules/front/work_stealing.h"

#include <algorithm>

#include <fmt/format.h>

#include "muster/modules/protocol/job_extension.h"
#include "muster/modules/protocol/protocol.h"

namespace muster {

using namespace tlm;

void withdrawal::begin(tlm_generic_payload& p, withdrawal& own) {
  p.set_command(TLM_WRITE_COMMAND);
  p.set_address(scheduler_register::withdrawal);
  p.set_data_ptr(reinterpret_cast<unsigned char*>(&own.most_cores));
  p.set_data_length(sizeof own.most_cores);
  p.set_streaming_width(sizeof own.most_cores);
}

work_stealing::work_stealing(timekeeper& time, front_end& front, std::uint32_t schedulers, ticks information_delay)
    : time_(time),
      front_(front),
      delay_(information_delay),
      waiting_(schedulers),
      claimed_(schedulers),
      thieves_(schedulers),
      steals_(schedulers),
      stolen_(schedulers) {}

void work_stealing::look_later() {
  if (looks_) return;
  looks_ = true;
  time_.arm(time_.now(), timer_rank::look, *this, look_cookie);
}

void work_stealing::expired(ticks, std::uint32_t cookie) {
  if (cookie == look_cookie) {
    look();
    return;
  }
  const errand e = errands_[cookie];
  errands_.give_back(cookie);
  if (!e.job) {
    withdraw(e);
    return;
  }
  front_.pass_stolen(e.thief, *e.job);
  ++stolen_[e.thief];
  steals_[e.thief] = false;
  look_later();
}

void work_stealing::look() {
  looks_ = false;
  const auto schedulers = static_cast<std::uint32_t>(waiting_.size());
  if (beyond_clock(time_.now(), delay_)) return;
  for (std::uint32_t n = 0; n < schedulers; ++n) waiting_[n] = front_.read(n, scheduler_register::jobs_waiting);
  for (std::uint32_t thief = 0; thief < schedulers; ++thief) {
    if (waiting_[thief] > 0 || steals_[thief]) continue;
    const std::uint32_t victim = longest_queue();
    if (left_in(victim) == 0) return;
    const std::uint64_t idle = front_.read(thief, scheduler_register::idle_cores);
    if (idle == 0) continue;
    steals_[thief] = true;
    ++claimed_[victim];
    time_.arm(time_.now() + delay_, time_.travel_rank(), *this, errands_.take({nullptr, thief, victim, idle}));
  }
}

// The first of the schedulers that have the most jobs left.
std::uint32_t work_stealing::longest_queue() const {
  std::uint32_t longest = 0;
  for (std::uint32_t n = 1; n < waiting_.size(); ++n)
    if (left_in(n) > left_in(longest)) longest = n;
  return longest;
}

// Jobs that wait at a scheduler and that no withdrawal under way will take.
std::uint64_t work_stealing::left_in(std::uint32_t scheduler) const {
  return waiting_[scheduler] - std::min(waiting_[scheduler], claimed_[scheduler]);
}

void work_stealing::withdraw(const errand& e) {
  payload& p = pool_.take();
  withdrawal& own = pool_.extension(p);
  own.most_cores = e.idle_cores;
  own.thief = e.thief;
  thieves_[e.victim].push_back(e.thief);
  front_.send_withdrawal(e.victim, p);
}

// The response of a job that is given up comes before that of its withdrawal, and those of a scheduler's withdrawals in
// their order. The job is passed on when the hop to the scheduler has done with it.
bool work_stealing::takes(std::uint32_t from, payload& job) {
  const job_extension* const j = transaction_pool<job_extension>::find(job);
  if (!j || !j->stolen || thieves_[from].empty() || job.get_response_status() != TLM_GENERIC_ERROR_RESPONSE)
    return false;
  job.set_response_status(TLM_INCOMPLETE_RESPONSE);
  time_.arm(time_.now(), time_.travel_rank(), *this, errands_.take({&job, thieves_[from].front(), from, 0}));
  return true;
}

void work_stealing::withdrawal_answered(std::uint32_t from, payload& p) {
  thieves_[from].pop_front();
  --claimed_[from];
  if (p.get_response_status() == TLM_ADDRESS_ERROR_RESPONSE)
    time_.report_error("/muster/dispatcher",
                       fmt::format("scheduler {} lets no jobs be taken; expected a policy whose entry says "
                                   "shares_servers, jobs that need cores alone, servers of its own that never fail, "
                                   "and no account of jobs' times",
                                   from));
  if (!p.is_response_ok()) steals_[pool_.extension(p).thief] = false;
  transaction_pool<withdrawal>::end(p);
  p.release();
}

}  // namespace muster
