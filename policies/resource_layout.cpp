#include "muster/policies/resource_layout.h"

#include <algorithm>
#include <utility>

namespace muster {

resource_layout::resource_layout(const std::vector<resource_type>& types, const amounts& of_server) {
  for (std::size_t r = 0; r < types.size(); ++r) {
    const std::uint64_t amount = r < of_server.size() ? of_server[r] : 0;
    const std::size_t count = types[r].of_cluster ? 0 : types[r].is_devices() ? amount : 1;
    add(types[r], count, amount);
  }
}

resource_layout resource_layout::of_cluster(const cluster_resources& resources) {
  resource_layout layout;
  for (std::size_t r = 0; r < resources.types.size(); ++r) {
    const resource_type& type = resources.types[r];
    const std::uint64_t amount = r < resources.of_cluster.size() ? resources.of_cluster[r] : 0;
    layout.add(type, !type.of_cluster ? 0 : type.is_devices() ? amount : 1, amount);
  }
  return layout;
}

// Adds the places of the next resource.
void resource_layout::add(const resource_type& type, std::size_t count, std::uint64_t amount) {
  resources_.push_back({all_.size(), count, type.parts});
  all_.insert(all_.end(), count, type.is_devices() ? type.parts : amount);
}

std::uint64_t resource_layout::free_of(std::size_t resource, const amounts& free) const {
  std::uint64_t sum = 0;
  for (std::size_t n = 0; n < count(resource); ++n) sum += free[first(resource) + n];
  return sum;
}

unsigned resource_layout::tasks_that_fit(const amounts& free, const task_need& need) const {
  if (need.exclusive && free != all_) return 0;
  std::uint64_t most = most_tasks(need);
  for (std::size_t r = 0; r < need.per_task.size() && most > 0; ++r)
    if (need.per_task[r] > 0) most = std::min(most, tasks_in(resources_[r], free, need.per_task[r], most));
  return static_cast<unsigned>(most);
}

unsigned resource_layout::tasks_by_resource(std::size_t resource, const amounts& free, const task_need& need) const {
  const places_of& at = resources_[resource];
  for (std::size_t n = at.first; need.exclusive && n < at.first + at.count; ++n)
    if (free[n] != all_[n]) return 0;
  const std::uint64_t most = most_tasks(need);
  const std::uint64_t wanted = resource < need.per_task.size() ? need.per_task[resource] : 0;
  return static_cast<unsigned>(wanted > 0 ? std::min(most, tasks_in(at, free, wanted, most)) : most);
}

// The number of tasks that one server may hold.
unsigned resource_layout::most_tasks(const task_need& need) {
  return need.at_most_per_server > 0 ? std::min(need.tasks, need.at_most_per_server) : need.tasks;
}

// How many tasks of a need the places of a resource can hold; it counts on until there are `most`.
std::uint64_t resource_layout::tasks_in(const places_of& at, const amounts& free, std::uint64_t wanted,
                                        std::uint64_t most) {
  std::uint64_t held = 0;
  if (at.parts > 0 && wanted > at.parts) {
    for (std::size_t n = at.first; n < at.first + at.count; ++n) held += free[n] == at.parts ? 1 : 0;
    return held / (wanted / at.parts);
  }
  for (std::size_t n = at.first; n < at.first + at.count && held < most; ++n)
    if (free[n] >= wanted) held += most == 1 ? 1 : free[n] / wanted;  // a division takes long
  return held;
}

void resource_layout::take(amounts& free, const task_need& need, unsigned tasks, amounts& taken,
                           random_numbers* random) const {
  if (need.exclusive) {
    for (std::size_t n = 0; n < free.size(); ++n) taken[n] += std::exchange(free[n], 0);
    return;
  }
  for (std::size_t r = 0; r < need.per_task.size(); ++r) take_of(r, need.per_task[r], tasks, free, taken, random);
}

void resource_layout::take_of(std::size_t resource, std::uint64_t wanted, unsigned tasks, amounts& free, amounts& taken,
                              random_numbers* random) const {
  if (wanted == 0) return;
  const places_of& at = resources_[resource];
  if (at.parts > 0) {
    for (unsigned n = 0; n < tasks; ++n) take_devices(at, wanted, free, taken, random);
  } else {
    free[at.first] -= wanted * tasks;
    taken[at.first] += wanted * tasks;
  }
}

std::uint64_t resource_layout::times_that_fit(const amounts& free, const amounts& wanted, std::uint64_t most) const {
  for (std::size_t r = 0; r < wanted.size() && most > 0; ++r) {
    if (wanted[r] == 0) continue;
    most = r < resources_.size() ? std::min(most, tasks_in(resources_[r], free, wanted[r], most)) : 0;
  }
  return most;
}

void resource_layout::take_of_job(amounts& free, const amounts& wanted, amounts& taken, random_numbers* random) const {
  for (std::size_t r = 0; r < wanted.size(); ++r) take_of(r, wanted[r], 1, free, taken, random);
}

// Takes parts of one device, or whole devices where one does not suffice, for one task.
void resource_layout::take_devices(const places_of& devices, std::uint64_t parts, amounts& free, amounts& taken,
                                   random_numbers* random) const {
  const std::uint64_t of_each = std::min(parts, devices.parts);
  for (std::uint64_t left = parts; left > 0; left -= of_each) {
    const std::size_t chosen = random ? any_device(devices, of_each, free, *random) : tightest(devices, of_each, free);
    free[chosen] -= of_each;
    taken[chosen] += of_each;
  }
}

// The device with the fewest free parts that suffice, the lowest of equals. Some device has as many.
std::size_t resource_layout::tightest(const places_of& devices, std::uint64_t parts, const amounts& free) {
  const std::size_t none = devices.first + devices.count;
  std::size_t chosen = none;
  for (std::size_t n = devices.first; n < none; ++n)
    if (free[n] >= parts && (chosen == none || free[n] < free[chosen])) chosen = n;
  return chosen;
}

std::size_t resource_layout::any_device(const places_of& devices, std::uint64_t parts, const amounts& free,
                                        random_numbers& random) {
  std::size_t chosen = devices.first;
  double suitable = 0.0;
  for (std::size_t n = devices.first; n < devices.first + devices.count; ++n)
    if (free[n] >= parts && random.uniform() * ++suitable < 1.0) chosen = n;
  return chosen;
}

}  // namespace muster
