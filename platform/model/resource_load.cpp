#include "platform/model/resource_load.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "muster/policies/resource_layout.h"
#include "platform/model/class_table.h"

namespace muster {

namespace {

// What servers of an entry hold, each and all of them.
struct entry_room {
  double servers = 0.0;
  double tasks_of_job = 0.0;  // of one job on one server
  double tasks = 0.0;         // of any jobs on one server
};

entry_room room_of_entry(const resource_layout& layout, const server_spec& server, task_need need) {
  entry_room room;
  room.servers = server.count;
  room.tasks_of_job = layout.tasks_that_fit(layout.all(), need);
  if (!need.exclusive) need.at_most_per_server = 0;
  need.tasks = std::numeric_limits<unsigned>::max();
  room.tasks = layout.tasks_that_fit(layout.all(), need);
  return room;
}

// The least number of servers that hold all tasks of a job: those that hold the most first.
double fewest_servers(std::vector<entry_room> entries, double tasks) {
  std::sort(entries.begin(), entries.end(),
            [](const entry_room& a, const entry_room& b) { return a.tasks_of_job > b.tasks_of_job; });
  double servers = 0.0;
  for (const entry_room& e : entries) {
    if (e.tasks_of_job == 0.0) break;
    const double wanted = std::min(e.servers, std::ceil(tasks / e.tasks_of_job));
    servers += wanted;
    tasks -= wanted * e.tasks_of_job;
    if (tasks <= 0.0) return servers;
  }
  return std::numeric_limits<double>::infinity();
}

/// Jobs of a class that need the same: their share of all jobs of the class, and their mean size.
struct class_part {
  class_spec type;
  double share = 1.0;
  double size = 0.0;
};

// A class by what its jobs need: a part for each need that a list brings, else one.
std::vector<class_part> parts_of(const class_spec& c) {
  double jobs = 0.0;
  for (const listed_need& n : c.listed) jobs += static_cast<double>(n.jobs);
  if (jobs == 0.0) return {{c, 1.0, c.size.mean()}};
  std::vector<class_part> parts;
  class_spec alone = c;
  alone.listed.clear();
  for (const listed_need& n : c.listed) {
    alone.tasks = n.need.tasks;
    parts.push_back({alone, static_cast<double>(n.jobs) / jobs, n.size});
  }
  return parts;
}

}  // namespace

double room_for_tasks::held_by_job(const task_need& need, std::size_t resource) const {
  const double of_tasks = static_cast<double>(need.tasks) * static_cast<double>(need.per_task[resource]);
  return need.exclusive ? std::max(of_tasks, fewest_servers * least[resource]) : of_tasks;
}

room_for_tasks room_for(const scenario& model, const class_spec& c) {
  const std::size_t resources = model.resources.types.size();
  room_for_tasks room;
  room.amount.resize(resources);
  room.least.resize(resources, std::numeric_limits<double>::infinity());
  const std::unordered_set<std::string_view> usable(c.servers.begin(), c.servers.end());
  std::vector<entry_room> entries;
  for (const server_spec& s : model.servers) {
    if (usable.count(s.name) == 0) continue;
    room.slowest = entries.empty() ? s.capacity : std::min(room.slowest, s.capacity);
    room.fastest = std::max(room.fastest, s.capacity);
    const resource_layout layout{model.resources.types, resources_of(model, s)};
    entries.push_back(room_of_entry(layout, s, *c.tasks));
    room.servers += s.count;
    for (std::size_t r = 0; r < resources; ++r) {
      const auto of_one = static_cast<double>(layout.free_of(r, layout.all()));
      room.amount[r] += s.count * of_one;
      if (entries.back().tasks > 0.0) room.least[r] = std::min(room.least[r], of_one);
    }
  }
  room.fewest_servers = fewest_servers(entries, c.tasks->tasks);
  double tasks = 0.0;
  for (const entry_room& e : entries) tasks += e.servers * e.tasks;
  room.jobs = std::floor(tasks / c.tasks->tasks);
  const resource_layout of_cluster = resource_layout::of_cluster(model.resources);
  const std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t jobs = of_cluster.times_that_fit(of_cluster.all(), c.tasks->per_job, no_limit);
  if (jobs < no_limit) room.jobs = std::min(room.jobs, static_cast<double>(jobs));
  if (c.tasks->exclusive) room.jobs = std::min(room.jobs, std::floor(room.servers / room.fewest_servers));
  return room;
}

double share_of_job(const scenario& model, const class_spec& c) {
  const task_need& need = *c.tasks;
  const room_for_tasks room = room_for(model, c);
  double share = need.exclusive ? room.fewest_servers / room.servers : 0.0;
  for (std::size_t r = 0; r < need.per_task.size(); ++r)
    if (need.per_task[r] > 0)
      share = std::max(share, need.tasks * static_cast<double>(need.per_task[r]) / room.amount[r]);
  for (std::size_t r = 0; r < need.per_job.size(); ++r)
    if (need.per_job[r] > 0)
      share = std::max(share,
                       static_cast<double>(need.per_job[r]) / static_cast<double>(model.resources.all_of_cluster(r)));
  return share;
}

std::vector<resource_load> resource_loads(const scenario& model, double rate, run_on servers,
                                          const std::vector<double>& overhead) {
  const std::vector<resource_type>& types = model.resources.types;
  std::vector<std::vector<double>> held(types.size());  // by resource and class
  for (std::size_t at = 0; at < model.classes.size(); ++at) {
    for (std::vector<double>& of_resource : held) of_resource.push_back(0.0);
    for (const auto& [c, share, size] : parts_of(model.classes[at])) {
      const room_for_tasks room = room_for(model, c);
      const double capacity = servers == run_on::slowest ? room.slowest : room.fastest;
      const double time = size / capacity + (overhead.empty() ? 0.0 : overhead[at]);
      for (std::size_t r = 0; r < types.size(); ++r) {
        const double of_job = !types[r].of_cluster          ? room.held_by_job(*c.tasks, r)
                              : r < c.tasks->per_job.size() ? static_cast<double>(c.tasks->per_job[r])
                                                            : 0.0;
        held[r].back() += rate * c.share * share * time * of_job;
      }
    }
  }
  std::vector<resource_load> loads;
  for (std::size_t r = 0; r < types.size(); ++r) {
    const double amount =
        types[r].of_cluster ? static_cast<double>(model.resources.all_of_cluster(r)) : total_amount(model, r);
    if (amount == 0.0) continue;
    resource_load& load = loads.emplace_back(resource_load{types[r].name, 0.0, std::move(held[r])});
    for (double& of_class : load.by_class) load.load += of_class /= amount;
  }
  return loads;
}

const resource_load& binding_load(const std::vector<resource_load>& loads) {
  return *std::max_element(loads.begin(), loads.end(),
                           [](const resource_load& a, const resource_load& b) { return a.load < b.load; });
}

}  // namespace muster
