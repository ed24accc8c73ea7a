#include "platform/scenario/running_jobs.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "muster/policies/resource_layout.h"
#include "platform/log/slurm_text.h"
#include "platform/model/class_table.h"

namespace muster {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The numbers in what follows the name of an entry, such as those of `1n04`; nothing: this is another name.
std::optional<std::vector<std::uint32_t>> numbers_behind(std::string_view rest) {
  constexpr std::size_t most_digits = 9;
  std::vector<std::uint32_t> all;
  if (rest.empty()) return all;
  if (!is_digit(rest.front()) && (rest.size() < 2 || !is_digit(rest[1]) || rest.find_first_of("-_.") != 0))
    return std::nullopt;
  std::size_t digits = 0;
  for (const char c : rest) {
    digits = is_digit(c) ? digits + 1 : 0;
    if (digits > most_digits) return std::nullopt;
    if (digits == 1) all.push_back(0);
    if (digits > 0) all.back() = all.back() * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return all;
}

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

node_servers::node_servers(const std::vector<server_spec>& entries, const std::vector<std::string>& lists)
    : keys_(entries.size()), servers_of_keys_(entries.size()), lists_(lists.size()) {
  for (std::size_t n = 0; n < entries.size(); ++n) entries_.emplace(entries[n].name, n);
  std::vector<std::vector<node>> nodes(lists.size());
  for (std::size_t n = 0; n < lists.size(); ++n) {
    const auto names = names_in_node_list(lists[n]);
    if (!names) lists_[n].flaw = "whose list of nodes cannot be read";
    if (!names) continue;
    for (const std::string& name : *names) {
      const node& added = nodes[n].emplace_back(node_of(name));
      if (added.entry != none) keys_[added.entry].insert(added.key);
    }
  }
  for (std::size_t n = 0; n < entries.size(); ++n) number(n, entries[n].count);
  for (std::size_t n = 0; n < lists.size(); ++n) {
    auto& [flaw, servers] = lists_[n];
    for (const auto& [entry, key] : nodes[n]) {
      const auto found =
          entry == none ? std::map<numbers, std::uint32_t>::const_iterator{} : servers_of_keys_[entry].find(key);
      if (entry == none || found == servers_of_keys_[entry].end()) {
        flaw = "on nodes that platform.servers does not have by these names";
        break;
      }
      servers.emplace_back(static_cast<std::uint32_t>(entry), found->second);
    }
    std::sort(servers.begin(), servers.end());
    servers.erase(std::unique(servers.begin(), servers.end()), servers.end());
  }
}

node_servers::node node_servers::node_of(std::string_view name) const {
  for (std::size_t length = name.size(); length > 0; --length) {
    const auto entry = entries_.find(name.substr(0, length));
    if (entry == entries_.end()) continue;
    if (auto key = numbers_behind(name.substr(length))) return {entry->second, std::move(*key)};
  }
  return {none, {}};
}

// Tells which servers of an entry the nodes with these numbers are.
void node_servers::number(std::size_t entry, std::uint32_t count) {
  const std::set<numbers>& keys = keys_[entry];
  if (keys.empty()) return;
  const bool single = std::all_of(keys.begin(), keys.end(), [](const numbers& key) { return key.size() == 1; });
  const std::uint32_t first = single && keys.begin()->front() == 0 ? 0 : 1;
  const bool in_order = !single || keys.rbegin()->front() - first >= count;
  if (in_order && keys.size() > count && !single) return;
  std::uint32_t place = 0;
  for (const numbers& key : keys) {
    const std::uint32_t server = in_order && keys.size() <= count ? place++ : key.front() - first;
    if (server < count) servers_of_keys_[entry].emplace(key, server);
  }
}

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
