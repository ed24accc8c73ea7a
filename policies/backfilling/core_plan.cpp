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
  pass_time(cluster.now());
  if (needs_.empty())
    for (const class_id id : cluster.classes()) {
      needs_.push_back(cluster.need(id));
      known_.push_back({});
    }
  // Slices of a job that is ending may have given back cores which the job counts as its own.
  outages_.advance(now_, [&](const planned_outage& o, bool begins) {
    out_ += begins ? std::int64_t{o.cores} : -std::int64_t{o.cores};
  });
  const std::int64_t up = std::min<std::int64_t>(cluster.free_cores(any) + in_use_ + out_, cluster.usable_cores(any));
  const std::int64_t before = std::exchange(up_, up);
  free_.change(up - before);
  if (up > before) ++given_back_;
  return up == before ? change::none : up > before ? change::more : change::less;
}

void core_plan::pass_time(ticks now) {
  now_ = now;
  free_.advance(now_);
}

ticks core_plan::longest_from_now(class_id type) const {
  const ticks blocked = free_.first_below(now_, need(type));
  return blocked == end_of_clock ? end_of_clock : blocked - now_;
}

bool core_plan::fits_now(const planned_job& j) {
  const ticks blocked = free_.first_below(now_, j.cores);
  return blocked == end_of_clock || blocked - now_ >= j.duration;
}

bool core_plan::reserve(planned_job& j) {
  if (j.cores > up_) return false;
  earliest_so_far& of_class = known(j.of->type);
  const ticks begin = free_.earliest(std::max(now_, of_class.at_least(j.duration, now_)), j.duration, j.cores);
  if (begin == end_of_clock) return false;
  of_class.note(j.duration, begin);
  hold(j, begin);
  return true;
}

earliest_so_far& core_plan::known(class_id type) {
  known_of_class& own = known_[type];
  if (std::exchange(own.given_back, given_back_) != given_back_) own.earliest.clear();
  return own.earliest;
}

bool core_plan::reserve_now(planned_job& j) {
  if (!fits_now(j)) return false;
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
  ++given_back_;
  free_.release(std::max(now_, j.begin), j.end, j.cores);
  j.begin = j.end = end_of_clock;
}

// The holds of running jobs are made anew where fewer jobs run than have reservations.
void core_plan::withdraw_all(const std::vector<planned_job*>& jobs, const running_jobs& running) {
  if (jobs.size() <= running.size() + planned_.size()) return reservation_plan::withdraw_all(jobs, running);
  for (planned_job* j : jobs) j->begin = j->end = end_of_clock;
  free_.release_all();
  ++given_back_;
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
