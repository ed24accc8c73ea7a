#include "muster/modules/scheduler/accounting/resource_waits.h"

namespace muster {

resource_waits::resource_waits(const cluster_state& state, task_allocator& resources)
    : state_(state), resources_(resources), count_(resources.resource_count()), users_(state.group_count()) {
  std::size_t servers = 0;
  for (const group_id group : id_range<group_id>{state.group_count()}) {
    first_server_.push_back(servers);
    servers += resources.server_count(group);
  }
  for (const class_id id : state.classes()) {
    for (const group_id group : state.type(id).groups) users_[group].push_back(id);
    class_shortage& of_class = shortages_[shortages_.push_back({})];
    of_class.fits.resize(servers * count_);
    of_class.fit.resize(count_);
    of_class.elapsed.resize(count_);
  }
  resources.observe(*this);
}

void resource_waits::free_changes(group_id group, std::uint32_t server, const amounts* free) {
  const resource_layout& layout = resources_.layout(group);
  for (const class_id id : users_[group]) {
    class_shortage& of_class = shortages_[id];
    unsigned* const fits = &of_class.fits[(first_server_[group] + server) * count_];
    for (std::size_t r = 0; r < count_; ++r) {
      const unsigned fit = free ? layout.tasks_by_resource(r, *free, need(id)) : 0;
      of_class.fit[r] += fit - std::uint64_t{fits[r]};  // modulo 2^64
      fits[r] = fit;
    }
  }
}

std::size_t resource_waits::short_resource(class_id type) const {
  const task_need& needed = need(type);
  for (std::size_t r = 0; r < count_; ++r) {
    const bool of_cluster = resources_.is_of_cluster(r);
    if (!of_cluster && shortages_[type].fit[r] < needed.tasks) return r;
    if (of_cluster && r < needed.per_job.size() && needed.per_job[r] > 0 &&
        !resources_.of_cluster().fits(r, needed.per_job[r]))
      return r;
  }
  return none;
}

time_part resource_waits::examine(ticks now, class_id type) {
  const bool fits = state_.fits(type);
  const std::size_t resource = fits ? none : short_resource(type);
  class_shortage& of_class = shortages_[type];
  if (of_class.resource != resource) {
    of_class.run_to(now);
    of_class.resource = resource;
  }
  if (resource != none) return time_part::no_core;
  return fits ? time_part::behind_others : time_part::fragmentation;
}

// A job that has not waited with a resource short since it arrived begins with no time of any: its job_times may be
// those of a job before.
void resource_waits::begin_waiting(ticks now, const job_extension& j) {
  job_times& t = *j.times;
  if (!t.resources_) t.resources_ = std::make_unique<job_times::resource_times>();
  if (t[time_part::no_core] == 0) t.resources_->spent.assign(count_, 0);
  class_shortage& of_class = shortages_[j.type];
  of_class.run_to(now);
  t.resources_->seen = of_class.elapsed;
}

void resource_waits::end_waiting(ticks now, const job_extension& j) {
  class_shortage& of_class = shortages_[j.type];
  of_class.run_to(now);
  job_times::resource_times& times = *j.times->resources_;
  for (std::size_t r = 0; r < count_; ++r) times.spent[r] += of_class.elapsed[r] - times.seen[r];
}

}  // namespace muster
