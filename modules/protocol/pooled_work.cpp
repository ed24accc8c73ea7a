#include "muster/modules/protocol/pooled_work.h"

namespace muster {

void pooled_work::join(timekeeper& time, pooled_work_observer& worker, std::uint32_t cookie, std::uint64_t job) {
  time_ = &time;
  job_ = job;
  shares_.push_back({&worker, cookie, 0.0, end_of_clock});
}

void pooled_work::begin(pooled_work_observer& worker, std::uint32_t cookie, double rate, ticks until) {
  settle();
  share& s = find(worker, cookie);
  s.rate = rate;
  s.until = until;
  limited_ = limited_ || until != end_of_clock;
  rate_ += rate;
  ++working_;
  rearm();
}

// The rates are added up anew, so that a rate that comes back brings the sum back.
void pooled_work::change_rate(pooled_work_observer& worker, std::uint32_t cookie, double rate) {
  share& changed = find(worker, cookie);
  if (changed.rate == rate) return;
  settle();
  changed.rate = rate;
  rate_ = 0.0;
  for (const share& s : shares_) rate_ += s.rate;
  if (!done_) rearm();
}

void pooled_work::leave(pooled_work_observer& worker, std::uint32_t cookie) {
  share& left = find(worker, cookie);
  const double rate = left.rate;
  left = shares_.back();
  shares_.pop_back();
  if (rate == 0.0) return;
  settle();
  last_rate_ = rate;
  rate_ = --working_ == 0 ? 0.0 : rate_ - rate;
  rearm();
}

// Brings the remaining work up to date. Without a worker it does not change with time. There may never have been one,
// if a server refuses the first slice.
void pooled_work::put_back(ticks work) {
  if (working_ > 0) settle();
  remaining_ += static_cast<double>(work);
  rearm();
}

// Finds a worker that has joined. The search runs from the back: most workers begin to work when they join, and when a
// job's servers are stopped, the latest workers leave first.
pooled_work::share& pooled_work::find(const pooled_work_observer& worker, std::uint32_t cookie) {
  share* s = &shares_.back();
  while (s->cookie != cookie || s->worker != &worker) --s;
  return *s;
}

void pooled_work::settle() {
  const ticks now = time_->now();
  if (now == since_) return;
  remaining_ = remaining_at(now);
  since_ = now;
}

void pooled_work::rearm() {
  if (changing_ > 0) return;
  if (armed_) time_->cancel(timer_);
  armed_ = working_ > 0;
  if (!armed_) return;
  const double left = std::min(remaining_ / rate_, static_cast<double>(end_of_clock));
  const ticks done = since_ + nearest_ticks(left);
  ticks up = end_of_clock;
  if (limited_)
    for (const share& s : shares_) up = std::min(up, s.until);
  finishes_ = done <= up;
  timer_ = time_->arm(std::min(done, up), finishes_ ? job_ : timer_rank::interruption | job_, *this, 0);
}

void pooled_work::prefetch_for_expiration(std::uint32_t, prefetch_step step) {
  for (const share& s : shares_) s.worker->prefetch_for_work_done(s.cookie, step);
  if (prefetcher_) prefetcher_->prefetch_for_leaving(*this, step);
}

void pooled_work::expired(ticks now, std::uint32_t) {
  armed_ = false;
  if (finishes_) {
    finish(now);
    return;
  }
  const auto first = std::find_if(shares_.begin(), shares_.end(), [now](const share& s) { return s.until == now; });
  first->worker->time_is_up(now, first->cookie);
}

void pooled_work::finish(ticks now) {
  done_ = true;
  remaining_ = 0.0;
  rate_ = 0.0;
  working_ = 0;
  since_ = now;
  for (bool last = false; !last;) {
    const share next = shares_.back();
    shares_.pop_back();
    last = shares_.empty();
    // The job completes with its last worker: its extension, and this object, may be gone then or belong to the next
    // job.
    next.worker->work_done(now, next.cookie);
  }
}

}  // namespace muster
