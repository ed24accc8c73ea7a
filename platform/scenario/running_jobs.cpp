#include "platform/scenario/running_jobs.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include <fmt/format.h>

#include "muster/policies/resource_layout.h"
#include "platform/model/class_table.h"
#include "platform/scenario/node_servers.h"

namespace muster {

namespace {

// Divides units over servers, evenly as far as there is room. @param room of each server, in sum enough, each at least
// 1
// @param units at least as many as servers
std::vector<std::uint32_t> divided(std::uint32_t units, const std::vector<std::uint32_t>& room) {
  std::vector<std::size_t> order(room.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return room[a] < room[b]; });
  std::vector<std::uint32_t> parts(room.size());
  auto left = static_cast<std::uint32_t>(room.size());
  for (const std::size_t n : order) {
    parts[n] = std::min(room[n], (units + left - 1) / left);
    units -= parts[n];
    --left;
  }
  return parts;
}

/// Places jobs on servers of which nothing is held at first.
class running_places {
 public:
  explicit running_places(const scenario& model) : model_(model) {
    for (const server_spec& s : model.servers) {
      layouts_.push_back(model.counts_tasks() ? resource_layout{model.resources.types, resources_of(model, s)}
                                              : resource_layout{});
      free_.emplace_back(s.count, model.counts_tasks() ? layouts_.back().all() : amounts{s.cores});
    }
  }

  /// Why a job cannot be on the servers; empty: its parts are set, and what they hold is taken.
  std::string_view place(const timed_job& job, const node_servers::servers_of_list& on, running_job& placed) {
    if (!on.flaw.empty()) return on.flaw;
    const class_spec& type = model_.classes[job.type];
    const job_need need = type.listed.empty() ? job_need{type.need, type.tasks} : type.listed[job.need].need;
    if (model_.counts_tasks() && !need.tasks) return "whose tasks are not known";
    const std::uint32_t units = model_.counts_tasks() ? need.tasks->tasks : need.cores;
    if (units < on.servers.size())
      return model_.counts_tasks() ? "on more nodes than they have tasks" : "on more nodes than they have cores";
    std::vector<std::uint32_t> room;
    std::uint64_t all = 0;
    for (const auto& [entry, server] : on.servers) {
      const auto& names = type.servers;
      if (std::find(names.begin(), names.end(), model_.servers[entry].name) == names.end())
        return "on servers that their class may not use";
      room.push_back(room_for(need, entry, server));
      if (room.back() == 0) return too_few;
      all += room.back();
    }
    if (all < units) return too_few;
    const std::vector<std::uint32_t> parts = divided(units, room);
    for (std::size_t n = 0; n < parts.size(); ++n) {
      const auto& [entry, server] = on.servers[n];
      placed.servers.push_back({entry, server, parts[n]});
      take(need, placed.servers.back());
    }
    return {};
  }

 private:
  static constexpr std::string_view too_few = "whose nodes have too few cores, or other resources, free";

  std::uint32_t room_for(const job_need& need, std::size_t entry, std::uint32_t server) const {
    const amounts& free = free_[entry][server];
    if (model_.counts_tasks()) return layouts_[entry].tasks_that_fit(free, *need.tasks);
    return static_cast<std::uint32_t>(free.front());
  }

  void take(const job_need& need, const server_part& part) {
    amounts& free = free_[part.entry][part.server];
    amounts taken(free.size());
    if (model_.counts_tasks())
      layouts_[part.entry].take(free, *need.tasks, part.units, taken);
    else
      free.front() -= part.units;
  }

  const scenario& model_;
  std::vector<resource_layout> layouts_;    // of each entry, where tasks count
  std::vector<std::vector<amounts>> free_;  // of each server of each entry; cores alone where only they count
};

}  // namespace

void place_running_jobs(const log_file& queue, scenario& model) {
  std::vector<running_job>& running = model.arrivals.at_time_0;
  if (running.empty()) return;
  const timed_jobs& jobs = model.arrivals.initial_jobs ? *model.arrivals.initial_jobs : *model.arrivals.jobs;
  const node_servers nodes(model.servers, queue.node_lists);
  running_places places(model);
  std::vector<log_file::reason> reasons;
  std::size_t placed = 0;
  for (std::size_t n = 0; n < running.size(); ++n) {
    running_job& job = running[n];
    std::string_view why = "without nodes";
    if (job.nodes != running_job::no_nodes) why = places.place(jobs[n], nodes.of(job.nodes), job);
    if (why.empty())
      ++placed;
    else
      count_left_out(reasons, why, job.line);
  }
  std::string text =
      fmt::format("{} of the {} jobs that run are on the servers that initial.file names", placed, running.size());
  for (std::size_t n = 0; n < reasons.size(); ++n)
    text += (n == 0 ? "; placed as usual: " : ", ") + reasons[n].in_words();
  model.arrivals.notes.push_back(text);
}

}  // namespace muster
