#include "platform/scenario/listed_needs.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/scenario/scenario_reader.h"
#include "platform/toml/diagnostics.h"

namespace muster {

listed_needs::listed_needs(scenario& model, const timed_list_columns& columns) : model_(model) {
  const bool in_tasks = columns.tell_tasks(), counted = in_tasks || columns.tell_sharing();
  task_need one;
  one.per_task.resize(model_.resources.types.size());
  one.per_task.front() = 1;
  for (class_spec& c : model_.classes) {
    in_tasks_.push_back(in_tasks || c.tasks);
    per_class_.push_back(c.tasks.value_or(one));
    if (!counted || c.tasks) continue;
    task_need& need = c.tasks.emplace(one);
    need.tasks = c.need;
  }
  give_tasks_to_all(model_);
  for (const class_spec& c : model_.classes) needs_.emplace_back(job_need{c.need, c.tasks});
}

job_need listed_needs::applied(std::uint32_t type, const submitted_values& given) const {
  if (!model_.counts_tasks()) return {static_cast<unsigned>(*given.amount.front()), std::nullopt};
  task_need need = given.of_amounts ? per_class_[type] : *model_.classes[type].tasks;
  if (given.of_servers != submitted_values::use::as_class)
    need.exclusive = given.of_servers == submitted_values::use::whole;
  if (given.at_most_per_server > 0) need.at_most_per_server = static_cast<unsigned>(given.at_most_per_server);
  if (!in_tasks_[type]) {
    if (given.of_amounts) need.tasks = static_cast<unsigned>(*given.amount.front());
    return {need.tasks, need};
  }
  if (given.tasks > 0) need.tasks = static_cast<unsigned>(given.tasks);
  for (std::size_t r = 0; r < given.amount.size(); ++r) {
    if (!given.amount[r]) continue;
    amounts& amount = model_.resources.types[r].of_cluster ? need.per_job : need.per_task;
    amount.resize(given.amount.size());
    amount[r] = *given.amount[r];
  }
  const std::uint64_t cores = std::min(need.tasks * need.per_task.front(), static_cast<std::uint64_t>(most_cores) + 1);
  return {static_cast<unsigned>(cores), need};
}

std::vector<std::pair<std::optional<std::size_t>, std::string>> listed_needs::flaws(const job_need& need,
                                                                                    std::uint32_t type) const {
  const class_spec& c = model_.classes[type];
  if (need.cores > most_cores)
    return {{std::nullopt, fmt::format("expected at most {} cores of all tasks", most_cores)}};
  std::vector<std::pair<std::optional<std::size_t>, std::string>> all;
  if (is_of_tasks(need, type)) {
    for (const task_flaw& flaw : flaws_of(*need.tasks, c, model_)) all.emplace_back(flaw.resource, flaw.message);
  } else if (const std::uint64_t usable = usable_cores(c); need.cores > usable) {
    all.emplace_back(0, fmt::format("expected at most {}, the cores of the servers that class {} may use, found {}",
                                    usable, in_quotes(c.name), need.cores));
  }
  return all;
}

std::uint64_t listed_needs::usable_cores(const class_spec& c) const {
  std::uint64_t usable = 0;
  for (const server_spec& s : model_.servers)
    if (std::find(c.servers.begin(), c.servers.end(), s.name) != c.servers.end())
      usable += std::uint64_t{s.count} * s.cores;
  return usable;
}

}  // namespace muster
