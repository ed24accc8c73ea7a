#include "platform/simulation/job_statistics.h"

namespace muster {

void job_statistics::open_after(std::uint64_t jobs, std::function<void()> opens) {
  open_after_ = jobs;
  opens_ = std::move(opens);
  find_next_limit();
}

void job_statistics::close_after(std::uint64_t completions, std::function<std::uint64_t()> look) {
  close_after_ = completions;
  look_ = std::move(look);
  find_next_limit();
}

void job_statistics::find_next_limit() {
  next_limit_ = 0;
  for (const std::uint64_t limit : {open_after_, close_after_})
    if (limit > completed_ && (next_limit_ == 0 || limit < next_limit_)) next_limit_ = limit;
}

void job_statistics::pass_limit(ticks now) {
  if (completed_ == open_after_) open(now);
  if (completed_ == close_after_) close_after_ = look_();
  find_next_limit();
}

void job_statistics::mark_after(std::uint64_t arrivals, std::function<std::uint64_t(ticks now)> mark) {
  marks_.push_back({arrivals, std::move(mark)});
  mark_after_ = mark_after_ == 0 ? arrivals : std::min(mark_after_, arrivals);
}

void job_statistics::mark(ticks now) {
  mark_after_ = ~std::uint64_t{0};
  for (arrival_mark& m : marks_) {
    if (m.after == arrived_) m.after = m.call(now);
    mark_after_ = std::min(mark_after_, m.after);
  }
}

void job_statistics::job_arrives(ticks now, const job_extension& job) {
  levels_.rise(now);
  presence_[job.declared_class()].enter(now);
  if (++arrived_ == mark_after_) mark(now);
}

void job_statistics::job_completes(ticks now, const job_extension& job) {
  presence_[job.declared_class()].leave(now);
  if (job.slots) {
    count_slotted(now, job);
  } else {
    const departed_job j = departed(now, job);
    class_record& r = records_[job.declared_class()];
    r.count_left(j);
    r.count_completed(j);
  }
  levels_.fall(now);
  if (++completed_ == next_limit_) pass_limit(now);
}

void job_statistics::count_unmeasured(ticks now, const job_extension& job) {
  const class_id type = job.declared_class();
  presence_[type].leave(now);
  records_[type].time_inside += departed(now, job).inside;
  levels_.fall(now);
  if (++completed_ == next_limit_) pass_limit(now);
}

void job_statistics::count_slotted(ticks now, const job_extension& job) {
  departed_job j = departed(now, job);
  j.utility = job.slots->earned;
  class_record& r = records_[job.declared_class()];
  r.count_left(j);
  r.count_slotted(j);
  if (job.slots->expired)
    r.count_expired(j);
  else
    r.count_completed(j);
}

void job_statistics::settle(ticks now) {
  for (const class_id id : id_range<class_id>{records_.size()}) {
    records_[id].presence = presence_[id].integral(now);
    if (!times_) continue;
    records_[id].times = times_->of(id);
    records_[id].no_resource = times_->no_resource(id);
  }
}

void job_statistics::open(ticks now) {
  for (presence& p : presence_) p.clear(now);
  levels_.clear(now);
  for (class_record& r : records_) r.clear();
  begin_ = now;
  if (opens_) opens_();
}

}  // namespace muster
