#include "platform/metrics/job_statistics.h"

#include <algorithm>

namespace muster {

void job_statistics::open_after(std::uint64_t completions, std::function<void()> opens) {
  open_after_ = completions;
  opens_ = std::move(opens);
}

void job_statistics::close_after(std::uint64_t completions, std::function<std::uint64_t()> look) {
  close_after_ = completions;
  look_ = std::move(look);
}

void job_statistics::mark_after(std::uint64_t arrivals, std::function<std::uint64_t(ticks now)> mark) {
  mark_after_ = arrivals;
  mark_ = std::move(mark);
}

void job_statistics::job_arrives(ticks now, const job_extension& job) {
  levels_.rise(now);
  presence_[static_cast<class_id>(job.descriptor.type)].enter(now);
  if (++arrived_ == mark_after_) mark(now);
}

void job_statistics::job_completes(ticks now, const job_extension& job) {
  presence_[job.type].leave(now);
  class_record& r = records_[job.type];
  r.interruptions += job.interruptions;
  r.migrations += job.migrations;
  r.failures += job.failures;
  r.preemptions += job.preemptions;
  r.time_inside += std::min(now - job.arrival, now - begin_);
  if (job.slots)
    count_slotted(r, now, job);
  else
    count_completed(r, now, job);
  levels_.fall(now);
  ++completed_;
  if (completed_ == open_after_) open(now);
  if (completed_ == close_after_ && look_) look();
}

void job_statistics::count_slotted(class_record& r, ticks now, const job_extension& job) {
  r.utility += job.slots->earned;
  if (job.slots->expired)
    ++r.expired;
  else
    count_completed(r, now, job);
}

void job_statistics::settle(ticks now) {
  for (const class_id id : id_range<class_id>{records_.size()}) records_[id].presence = presence_[id].integral(now);
}

class_record sum_of(const table<class_id, class_record>& classes) {
  class_record all;
  for (const class_record& r : classes) {
    all.completed += r.completed;
    all.expired += r.expired;
    all.utility += r.utility;
    all.preemptions += r.preemptions;
    all.response += r.response;
    all.waiting += r.waiting;
    all.slowdown += r.slowdown;
    all.presence += r.presence;
    all.work += r.work;
    all.interruptions += r.interruptions;
    all.migrations += r.migrations;
    all.failures += r.failures;
    all.responses.merge(r.responses);
  }
  return all;
}

class_record class_record::since(const class_record& earlier) const {
  class_record part;
  part.completed = completed - earlier.completed;
  part.expired = expired - earlier.expired;
  part.response = response - earlier.response;
  part.waiting = waiting - earlier.waiting;
  part.slowdown = slowdown - earlier.slowdown;
  part.work = work - earlier.work;
  part.interruptions = interruptions - earlier.interruptions;
  part.migrations = migrations - earlier.migrations;
  part.failures = failures - earlier.failures;
  part.preemptions = preemptions - earlier.preemptions;
  part.presence = presence - earlier.presence;
  part.time_inside = time_inside - earlier.time_inside;
  part.utility = utility - earlier.utility;
  return part;
}

void job_statistics::open(ticks now) {
  for (presence& p : presence_) p.clear(now);
  levels_.clear(now);
  for (class_record& r : records_) {
    quantile_sketch emptied = std::move(r.responses);
    emptied.clear();
    r = {};
    r.responses = std::move(emptied);
  }
  begin_ = now;
  if (opens_) opens_();
}

}  // namespace muster
