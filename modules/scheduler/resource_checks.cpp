#include "muster/modules/scheduler/resource_checks.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

#include <fmt/format.h>

#include "muster/policies/resource_layout.h"

namespace muster {

namespace {

template <class... Parts>
[[noreturn]] void reject(fmt::format_string<const Parts&...> text, const Parts&... parts) {
  throw std::invalid_argument(fmt::format(text, parts...));
}

void check_types(const cluster_resources& resources) {
  const auto& types = resources.types;
  if (types.empty() || types.front().name != "cores" || types.front().is_devices() || types.front().of_cluster)
    reject("the first resource is not the cores of servers; expected an amount of servers named cores");
  std::unordered_set<std::string_view> names;
  for (const resource_type& type : types) {
    if (!names.insert(type.name).second) reject("resource '{}' is declared twice; expected it once", type.name);
  }
  if (resources.of_cluster.size() > types.size())
    reject("the cluster has amounts of {} resources, but {} are declared; expected at most as many",
           resources.of_cluster.size(), types.size());
}

void check_group(const server_group& g, const cluster_resources& resources) {
  if (g.resources.empty()) return;
  if (g.resources.size() > resources.types.size())
    reject("the servers of group '{}' have {} resources, but {} are declared; expected at most as many", g.name,
           g.resources.size(), resources.types.size());
  if (g.resources.front() != g.cores)
    reject("the servers of group '{}' have {} cores, but {} among their resources; expected the same", g.name, g.cores,
           g.resources.front());
}

// The tasks of a need that the servers of a class hold at once when they are idle.
std::uint64_t tasks_held(const job_class& type, const task_need& need, const scheduler_settings& s) {
  std::uint64_t sum = 0;
  for (const group_id id : type.groups) {
    const server_group& g = s.groups[id];
    const resource_layout layout(s.resources.types, g.resources.empty() ? amounts{g.cores} : g.resources);
    sum += std::uint64_t{g.count} * layout.tasks_that_fit(layout.all(), need);
  }
  return sum;
}

void check_parts(const job_class& type, const resource_type& resource, std::uint64_t wanted) {
  if (resource.is_devices() && wanted > resource.parts && wanted % resource.parts != 0)
    reject("class '{}' needs {} parts of '{}', more than the {} of a device; expected whole devices then", type.name,
           wanted, resource.name, resource.parts);
}

void check_need(const job_class& type, const task_need& need, const scheduler_settings& s) {
  const std::size_t declared = s.resources.types.size();
  if (need.per_task.size() > declared || need.per_job.size() > declared)
    reject("class '{}' needs {} resources, but {} are declared; expected at most as many", type.name,
           std::max(need.per_task.size(), need.per_job.size()), declared);
  for (std::size_t r = 0; r < need.per_task.size(); ++r) check_parts(type, s.resources.types[r], need.per_task[r]);
  for (std::size_t r = 0; r < need.per_job.size(); ++r) {
    check_parts(type, s.resources.types[r], need.per_job[r]);
    const std::uint64_t all = s.resources.all_of_cluster(r);
    if (need.per_job[r] > all)
      reject("class '{}' needs {} of '{}', but the cluster has {}; expected at most that", type.name, need.per_job[r],
             s.resources.types[r].name, all);
  }
  if (const std::uint64_t held = tasks_held(type, need, s); held < need.tasks)
    reject("class '{}' needs {} tasks, but the servers that it may use hold {} at once; expected at most that",
           type.name, need.tasks, held);
}

}  // namespace

void check_resources(const scheduler_settings& s) {
  check_types(s.resources);
  for (const server_group& g : s.groups) check_group(g, s.resources);
  for (const job_class& type : s.classes) {
    if (type.tasks) check_need(type, *type.tasks, s);
    for (const job_need& need : type.submitted)
      if (need.tasks) check_need(type, *need.tasks, s);
  }
}

}  // namespace muster
