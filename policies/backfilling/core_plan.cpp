#include "muster/policies/backfilling/core_plan.h"

#include <algorithm>
#include <utility>

namespace muster {

static_assert(availability_profile::never == end_of_clock);

namespace {

constexpr class_id any{0};

// The planned outages of the servers of the pool.
std::vector<planned_outage> outages_of_pool(const cluster_view& cluster) {
  const auto& used = cluster.groups(any);
  std::vector<planned_outage> outages;
  for (const planned_outage& o : cluster.planned_outages())
    if (std::find(used.begin(), used.end(), o.server.group) != used.end()) outages.push_back(o);
  return outages;
}

}  // namespace

core_plan::core_plan(const cluster_view& cluster) : planned_(outages_of_pool(cluster)), outages_(planned_) {
  for (const planned_outage& o : planned_) free_.hold(o.from, o.until, o.cores);
}

reservation_plan::change core_plan::advance(rigid_view cluster) {
  now_ = cluster.now();
  free_.advance(now_);
  if (needs_.empty())
    for (const class_id id : cluster.classes()) needs_.push_back(cluster.need(id));
  // Slices of a job that is ending may have given back cores which the job counts as its own.
  outages_.advance(now_, [&](const planned_outage& o, bool begins) {
    out_ += begins ? std::int64_t{o.cores} : -std::int64_t{o.cores};
  });
  const std::int64_t up = std::min<std::int64_t>(cluster.free_cores(any) + in_use_ + out_, cluster.usable_cores(any));
  const std::int64_t before = std::exchange(up_, up);
  free_.change(up - before);
  return up == before ? change::none : up > before ? change::more : change::less;
}

ticks core_plan::longest_from_now(class_id type) const {
  const ticks blocked = free_.first_below(now_, need(type));
  return blocked == end_of_clock ? end_of_clock : blocked - now_;
}

bool core_plan::reserve(planned_job& j) {
  if (j.cores > up_) return false;
  const ticks begin = free_.earliest(now_, j.duration, j.cores);
  if (begin == end_of_clock) return false;
  hold(j, begin);
  return true;
}

void core_plan::reserve_each(const std::vector<planned_job*>& jobs) {
  while (known_.size() < needs_.size()) known_.push_back({});
  for (earliest_so_far& of_class : known_) of_class.clear();
  for (planned_job* j : jobs) {
    if (j->cores > up_) continue;
    earliest_so_far& known = known_[j->of->type];
    const ticks begin = free_.earliest(known.at_least(j->duration, now_), j->duration, j->cores);
    if (begin == end_of_clock) continue;
    known.note(j->duration, begin);
    hold(*j, begin);
  }
}

bool core_plan::reserve_now(planned_job& j) {
  const ticks blocked = free_.first_below(now_, j.cores);
  if (blocked < end_of_clock && blocked - now_ < j.duration) return false;
  hold(j, now_);
  return true;
}

// An earlier interval overlaps the old one only from its beginning on, where the job has room. So the old one need not
// be withdrawn to look for it.
bool core_plan::reserve_anew(planned_job& j) {
  const ticks begin = free_.earliest_before(j.begin, now_, j.duration, j.cores);
  if (begin == j.begin) return false;
  withdraw(j);
  hold(j, begin);
  return true;
}

void core_plan::hold(planned_job& j, ticks begin) {
  j.begin = begin;
  j.end = expected_end(begin, j.duration, begin);
  free_.hold(begin, j.end, j.cores);
}

void core_plan::withdraw(planned_job& j) {
  free_.release(std::max(now_, j.begin), j.end, j.cores);
  j.begin = j.end = end_of_clock;
}

// The holds of running jobs are made anew where fewer jobs run than have reservations.
void core_plan::withdraw_all(const std::vector<planned_job*>& jobs, const running_jobs& running) {
  if (jobs.size() <= running.size() + planned_.size()) return reservation_plan::withdraw_all(jobs, running);
  for (planned_job* j : jobs) j->begin = j->end = end_of_clock;
  free_.release_all();
  for (const planned_outage& o : planned_) free_.hold(std::max(now_, o.from), o.until, o.cores);
  for (const planned_job* j : running) free_.hold(now_, j->end, j->cores);
}

void core_plan::start(planned_job& j, rigid_decisions& decide) {
  decide.start(*j.of);
  in_use_ += j.cores;
}

void core_plan::extend(planned_job& j, ticks end) {
  free_.hold(std::max(now_, j.end), end, j.cores);
  j.end = end;
}

void core_plan::end(planned_job& j, ticks now) {
  now_ = now;
  withdraw(j);
  in_use_ -= j.cores;
}

}  // namespace muster
