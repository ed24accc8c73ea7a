#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "platform/model/class_table.h"
#include "platform/model/scheduler_share.h"
#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

// What several schedulers do not have yet; none: they can run the scenario.
std::optional<std::string> not_with_several(const point_draft& point) {
  const scenario& model = point.model;
  if (std::any_of(model.classes.begin(), model.classes.end(), [](const class_spec& c) { return c.drawn > 0; }))
    return "jobs that draw their servers have one scheduler";
  if (std::any_of(model.resources.types.begin(), model.resources.types.end(),
                  [](const auto& t) { return t.of_cluster; }))
    return "a resource of the cluster is not divided among several schedulers";
  if (model.arrivals.running > 0) return "jobs that run at time 0 have one scheduler";
  return std::nullopt;
}

// Why schedulers cannot share the servers of a scenario, or take jobs from each other; none: they can.
// @param policy_plans what other policies take for granted @param otherwise the value that is possible then
std::optional<std::string> not_with_others(const point_draft& point, std::string_view policy_plans,
                                           std::string_view otherwise) {
  const scenario& model = point.model;
  if (!point.policy->shares_servers) {
    std::string sharing;
    for (const policy_entry* entry : policy_catalogue())
      if (entry->shares_servers) sharing += (sharing.empty() ? "" : ", ") + std::string{entry->name};
    return fmt::format("policy {} plans as if {}; expected {}, or one of: {}", in_quotes(point.policy->name),
                       policy_plans, otherwise, sharing);
  }
  if (model.counts_tasks()) return fmt::format("jobs need tasks, or resources beside cores; expected {}", otherwise);
  for (const server_spec& s : model.servers)
    if (s.may_be_out())
      return fmt::format("servers {} may be out of service; expected {}", in_quotes(s.name), otherwise);
  return std::nullopt;
}

// Cores of the servers that a class may use.
std::uint64_t usable_cores(const scenario& share, const class_spec& c) {
  std::uint64_t cores = 0;
  for (const server_spec& s : share.servers)
    if (std::find(c.servers.begin(), c.servers.end(), s.name) != c.servers.end())
      cores += std::uint64_t{s.count} * s.cores;
  return cores;
}

// Why a scheduler cannot run jobs of a class that it knows; none: it can.
// @param gets whether it gets such jobs
std::optional<std::string> too_large(const scenario& share, const class_spec& c, std::uint32_t number, bool gets) {
  const auto expected = [&](const std::string& has) {
    return fmt::format(
        "scheduler {} {} jobs of class {}, but of the servers that they may use it has {}; expected "
        "fewer schedulers, or more servers",
        number, gets ? "gets" : "knows, and never gets,", in_quotes(c.name), has);
  };
  if (c.tasks && !c.servers.empty()) {
    const auto flaws = flaws_of(*c.tasks, c, share, false);
    if (!flaws.empty()) return expected(fmt::format("not enough: {}", flaws.front().message));
  }
  std::uint64_t need = c.need;
  for (const listed_need& n : c.listed) need = std::max<std::uint64_t>(need, n.need.cores);
  const std::uint64_t cores = usable_cores(share, c);
  if (cores < need) return expected(fmt::format("{} cores, and a job needs {}", cores, need));
  return std::nullopt;
}

// Whether a scheduler gets jobs of a class at all.
bool gets(const scenario& model, std::uint32_t scheduler, std::size_t id) {
  return !model.schedulers.dispatching->by_class || id % model.schedulers.count == scheduler;
}

std::optional<std::string> class_that_does_not_fit(const scenario& model) {
  const std::vector<std::size_t> order = by_descending_need(model);
  for (std::uint32_t k = 0; k < model.schedulers.count; ++k) {
    const scenario share = share_of_scheduler(model, k);
    for (std::size_t id = 0; id < order.size(); ++id)
      if (auto why = too_large(share, share.classes[order[id]], k, gets(model, k, id))) return why;
  }
  return std::nullopt;
}

}  // namespace

// Schedulers that are not given are not written to the resolved scenario: most studies have one.
void read_schedulers(table_reader& platform, scenario& model) {
  if (!platform.find("schedulers")) return;
  table_reader table = platform.table("schedulers");
  schedulers_spec& all = model.schedulers;
  all.count = table.integer<std::uint32_t>("count");
  all.dispatching = dispatching_catalogue()[table.choice<std::size_t>("dispatching")];
  all.choices = table.integer<std::uint32_t>("choices");
  all.information_delay = table.number("information_delay");
  all.share_servers = table.choice<std::size_t>("partition") == 1;
  all.steal = table.truth("work_stealing");
  const std::uint64_t servers = total_servers(model);
  if (servers > 0 && all.count > servers && !all.share_servers)
    table.complain("count", fmt::format("each scheduler has servers of its own; expected at most {}, as many as there "
                                        "are servers, found {}",
                                        servers, all.count));
  if (all.dispatching->has_choices && all.several() && all.choices > all.count)
    table.complain("choices",
                   fmt::format("expected at most {}, the number of schedulers, found {}", all.count, all.choices));
  table.close();
}

void check_schedulers(table_reader& document, const point_draft& point) {
  const scenario& model = point.model;
  if (!model.schedulers.several() || !point.classes_known || !point.policy) return;
  table_reader table = document.table("platform").table("schedulers");
  if (const auto why = not_with_several(point)) return table.complain("count", *why + "; expected 1");
  if (model.schedulers.dispatching->by_class && model.schedulers.count > model.classes.size())
    table.complain("count",
                   fmt::format("classes are dealt out to the schedulers; expected at most {}, as many as there "
                               "are classes, found {}",
                               model.classes.size(), model.schedulers.count));
  else if (const auto no_sharing = model.schedulers.share_servers
                                       ? not_with_others(point, "all servers were its own", "\"servers\"")
                                       : std::nullopt)
    table.complain("partition", *no_sharing);
  else if (const auto no_stealing = model.schedulers.steal
                                        ? not_with_others(point, "no job were taken from its queue", "false")
                                        : std::nullopt)
    table.complain("work_stealing", *no_stealing);
  else if (const auto too_wide = class_that_does_not_fit(model))
    table.complain("count", *too_wide);
}

}  // namespace muster
