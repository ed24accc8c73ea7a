#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "muster/policies/resource_layout.h"
#include "platform/model/class_table.h"
#include "platform/model/resource_places.h"
#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

/// Holds tasks of a class against the servers that it may use, all of them idle.
class task_check {
 public:
  task_check(const task_need& need, const class_spec& spec, const scenario& model, bool joined)
      : need_(need), resources_(model.resources), joined_(joined), on_any_server_(model.resources.types.size()) {
    const std::unordered_set<std::string_view> usable(spec.servers.begin(), spec.servers.end());
    for (const server_spec& s : model.servers) {
      if (s.count == 0) continue;
      server_kind server{&s, resources_of(model, s)};
      for (std::size_t r = 0; r < server.amount.size(); ++r)
        if (server.amount[r] > 0) on_any_server_[r] = true;
      if (usable.count(s.name) > 0) servers_.push_back(std::move(server));
    }
  }

  std::vector<task_flaw> run() {
    check_per_job();
    const std::size_t before = flaws_.size();
    for (std::size_t r = 0; r < need_.per_task.size(); ++r) check_resource(r);
    if (flaws_.size() == before) check_one_task();
    if (flaws_.size() == before) check_all_tasks();
    return std::move(flaws_);
  }

 private:
  struct server_kind {
    const server_spec* spec;
    amounts amount;  // of each resource, of devices their number
  };

  // What a server has of a resource, of devices in parts.
  std::uint64_t has(const server_kind& server, std::size_t resource) const {
    const resource_type& type = resources_.types[resource];
    return type.is_devices() ? server.amount[resource] * type.parts : server.amount[resource];
  }

  void complain_of(std::size_t resource, std::string message) { flaws_.push_back({resource, std::move(message)}); }

  std::string text(std::size_t resource, std::uint64_t amount) const {
    return amount_text(resources_.types[resource], amount);
  }

  const char* subject() const { return joined_ ? "all tasks on one server" : "a task"; }
  const char* verb() const { return joined_ ? "need" : "needs"; }

  // Reports more of the cluster's resources than there is.
  void check_per_job() {
    for (std::size_t r = 0; r < need_.per_job.size(); ++r)
      if (const std::uint64_t wanted = need_.per_job[r]; wanted > 0 && wanted > resources_.all_of_cluster(r))
        complain_of(r, fmt::format("expected at most {}, all that the cluster has, found {}",
                                   text(r, resources_.all_of_cluster(r)), text(r, wanted)));
  }

  // Reports a task that needs more of a resource than any server has.
  void check_resource(std::size_t r) {
    const std::uint64_t wanted = need_.per_task[r];
    const std::string& name = resources_.types[r].name;
    const auto most = std::max_element(servers_.begin(), servers_.end(),
                                       [&](const auto& a, const auto& b) { return has(a, r) < has(b, r); });
    const std::uint64_t largest = most == servers_.end() ? 0 : has(*most, r);
    if (wanted <= largest) return;
    if (largest > 0)
      complain_of(r, fmt::format("{} {} {} {}; the largest that fits is {}, on server {}", subject(), verb(),
                                 text(r, wanted), name, text(r, largest), in_quotes(most->spec->name)));
    else if (!on_any_server_[r])
      complain_of(r, fmt::format("no server has {0}; expected servers with resources = {{ {0} = .. }}", name));
    else
      complain_of(r, fmt::format("none of its compatible servers has {}", name));
  }

  // Reports a task that finds each of its resources on some server, but not all of them on one.
  void check_one_task() {
    const auto is_short = [&](const server_kind& s, std::size_t r) { return need_.per_task[r] > has(s, r); };
    const auto shorts = [&](const server_kind& s) {
      std::size_t count = 0;
      for (std::size_t r = 0; r < need_.per_task.size(); ++r) count += is_short(s, r) ? 1 : 0;
      return count;
    };
    const auto nearest = std::min_element(servers_.begin(), servers_.end(),
                                          [&](const auto& a, const auto& b) { return shorts(a) < shorts(b); });
    if (nearest == servers_.end() || shorts(*nearest) == 0) return;
    std::vector<std::string> lacks;
    std::size_t first = need_.per_task.size();
    for (std::size_t r = 0; r < need_.per_task.size(); ++r) {
      if (!is_short(*nearest, r)) continue;
      first = std::min(first, r);
      lacks.push_back(
          fmt::format("{} of {} {}", text(r, has(*nearest, r)), text(r, need_.per_task[r]), resources_.types[r].name));
    }
    complain_of(first, fmt::format("no compatible server has all that {} {}; the nearest, {}, has {}", subject(),
                                   verb(), in_quotes(nearest->spec->name), fmt::join(lacks, " and ")));
  }

  // Reports more tasks than all servers hold at once.
  void check_all_tasks() {
    std::uint64_t held = 0;
    for (const server_kind& s : servers_) {
      const resource_layout layout{resources_.types, s.amount};
      held += std::uint64_t{s.spec->count} * layout.tasks_that_fit(layout.all(), need_);
    }
    if (held < need_.tasks)
      flaws_.push_back({std::nullopt, fmt::format("its compatible servers hold at most {} such tasks at once, found {}",
                                                  held, need_.tasks)});
  }

  const task_need& need_;
  const cluster_resources& resources_;
  bool joined_;  // whether one server holds all tasks: then they are counted as one
  std::vector<task_flaw> flaws_;
  std::vector<server_kind> servers_;
  std::vector<bool> on_any_server_;
};

// What a class gives the number of its tasks, or what stands for it, by.
const char* key_of_tasks(const table_reader& table) {
  for (const char* key : {"tasks", "per_task"})
    if (table.find(key)) return key;
  return "need";
}

}  // namespace

std::vector<task_flaw> flaws_of(const task_need& need, const class_spec& spec, const scenario& model, bool joined) {
  return task_check{need, spec, model, joined}.run();
}

void check_tasks(table_reader& table, const class_spec& spec, const scenario& model) {
  for (task_flaw& flaw : flaws_of(*spec.tasks, spec, model, table.find("on"))) {
    const resource_type* const type = flaw.resource ? &model.resources.types[*flaw.resource] : nullptr;
    const toml_value* per_task = table.find("per_task");
    if (type && type->of_cluster)
      table.table("per_job").complain(type->name, std::move(flaw.message));
    else if (type && per_task && per_task->find(type->name))
      table.table("per_task").complain(type->name, std::move(flaw.message));
    else
      table.complain(key_of_tasks(table), std::move(flaw.message));
  }
}

}  // namespace muster
