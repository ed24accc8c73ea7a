#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "tests/modules/child.h"
#include "tests/modules/scene.h"
#include "tests/oracles/random_logs.h"

/// Random logs on a simulated cluster, and in the plain loop of the policies' definitions.
namespace muster::scheduled {

inline std::string word(oracle::backfill_order order) {
  constexpr std::array words{"arrival", "shortest", "smallest_area", "expansion_factor", "fair_share"};
  return words[static_cast<std::size_t>(order)];
}

inline void set_policy(layout& l, const oracle::backfill_settings& s) {
  if (s.rule == oracle::backfill_rule::fcfs) return;
  const bool easy = s.rule == oracle::backfill_rule::easy;
  l.policy = easy ? "easy_backfill" : "conservative_backfill";
  l.parameters = {{"order", word(s.order)}};
  if (easy) {
    l.parameters.emplace_back("backfill_order", word(s.second));
    l.parameters.emplace_back("reservations", static_cast<std::int64_t>(s.reservations));
  } else {
    l.parameters.emplace_back("on_early_end",
                              std::string{s.rule == oracle::backfill_rule::replan ? "replan" : "compress"});
  }
}

/// Needs of the cores of one server, as classes in descending order. @return the class of each need
inline std::vector<std::size_t> set_cores(layout& l, const oracle::random_log& log) {
  const auto& needs = log.cluster.needs;
  std::vector<std::size_t> order, type(needs.size());
  for (std::size_t n = 0; n < needs.size(); ++n) order.push_back(n);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return needs[a].cores() > needs[b].cores(); });
  l.needs.clear();
  const auto all = static_cast<unsigned>(log.cluster.servers.front().has.front());
  const unsigned servers = log.cluster.outages.empty() ? 1 : all;  // of one core each where some are out at times
  l.groups = {{"node", servers, all / servers, 1.0}};
  for (const std::size_t n : order) {
    const auto cores = static_cast<unsigned>(needs[n].cores());
    if (l.needs.empty() || l.needs.back() != cores) l.needs.push_back(cores);
    type[n] = l.needs.size() - 1;
  }
  return type;
}

/// Needs of tasks, each of them a class.
inline std::vector<std::size_t> set_tasks(layout& l, const oracle::random_log& log) {
  const oracle::backfill_cluster& all = log.cluster;
  constexpr std::array names{"memory", "gpu"};
  for (std::size_t r = 1; r < all.parts.size(); ++r) l.resources.types.push_back({names[r - 1], all.parts[r]});
  l.resources.of_cluster.assign(all.parts.size(), 0);
  constexpr std::array of_cluster{"licence", "fpga"};
  for (std::size_t r = 0; r < all.of_cluster.size(); ++r)
    l.resources.types.push_back({of_cluster[r], all.parts_of_cluster[r], true});
  l.resources.of_cluster.insert(l.resources.of_cluster.end(), all.of_cluster.begin(), all.of_cluster.end());
  l.groups.clear();
  for (std::size_t g = 0; g < log.groups.size(); ++g) {
    const std::size_t end = g + 1 < log.groups.size() ? log.groups[g + 1] : all.servers.size();
    const oracle::backfill_server& each = all.servers[log.groups[g]];
    server_group group{"group_" + std::to_string(g), static_cast<unsigned>(end - log.groups[g]),
                       static_cast<unsigned>(each.has.front()), each.capacity};
    group.resources = each.has;
    l.groups.push_back(group);
  }
  std::vector<std::size_t> type;
  for (const oracle::backfill_need& n : all.needs) {
    task_need need;
    need.tasks = n.tasks;
    need.per_task = n.per_task;
    need.per_job.assign(all.parts.size(), 0);
    need.per_job.insert(need.per_job.end(), n.per_job.begin(), n.per_job.end());
    need.at_most_per_server = n.at_most_per_server;
    need.exclusive = n.exclusive;
    type.push_back(l.tasks.size());
    l.tasks.push_back(need);
    l.groups_of_tasks.emplace_back();
    for (const std::size_t g : log.groups_of(n))
      l.groups_of_tasks.back().push_back(group_id{static_cast<std::uint32_t>(g)});
  }
  return type;
}

/// The outages of a log, as servers bring them about. @param l gets those that are known beforehand
inline std::map<std::uint32_t, std::vector<script::fault>> set_outages(layout& l, const oracle::random_log& log) {
  std::map<std::uint32_t, std::vector<script::fault>> faults;
  for (const oracle::backfill_outage& o : log.cluster.outages) {
    const std::size_t first = o.cores > 0 ? o.first : o.server;
    for (std::size_t server = first; server < first + std::max<std::size_t>(1, o.cores); ++server) {
      faults[static_cast<std::uint32_t>(server)].push_back({o.from, o.until - o.from, o.drains});
      std::size_t left = server, group = 0;
      while (left >= l.groups[group].count) left -= l.groups[group++].count;
      const server_name name{group_id{static_cast<std::uint32_t>(group)}, static_cast<std::uint32_t>(left)};
      if (o.known) l.planned_outages.push_back({name, o.from, o.until});
    }
  }
  return faults;
}

inline std::string told(std::uint64_t job, ticks start, unsigned lost, ticks end) {
  std::string text = "job " + std::to_string(job);
  text += lost > 0 ? " lost its servers " + std::to_string(lost) + " times" : " started at " + std::to_string(start);
  return text + " and ended at " + std::to_string(end) + '\n';
}

inline std::string by_the_scheduler(const oracle::random_log& log, unsigned resources,
                                    const oracle::backfill_settings& s) {
  layout l;
  set_policy(l, s);
  const std::vector<std::size_t> type = resources == 1 ? set_cores(l, log) : set_tasks(l, log);
  constexpr std::uint32_t users = 5;  // of a random log
  l.estimates = {estimate_settings::source::stated, users};
  std::vector<job_request> jobs;
  for (const oracle::backfill_job& j : log.jobs) {
    job_request& made = jobs.emplace_back();
    made.arrival = j.arrival;
    made.type = class_id{static_cast<std::uint32_t>(type[j.need])};
    made.size = j.size;
    made.estimate = j.estimate;
    made.user = j.user;
  }
  script faults{set_outages(l, log)};
  if (!log.cluster.outages.empty()) l.faults = &faults;
  return in_child([&] {
    scene simulated{l, jobs};
    constexpr ticks end = 1'000'000;  // of a simulation in which servers may fail
    l.faults ? simulated.run_until(end) : simulated.run();
    std::string text;
    for (std::uint64_t id = 0; id < jobs.size(); ++id) {
      const job_record& r = simulated.log.of(id);
      text += told(id, r.started, r.failures, r.completed);
    }
    return text;
  });
}

inline std::string by_the_plain_loop(const oracle::random_log& log, const oracle::backfill_settings& s) {
  const auto outcomes = oracle::backfill(log.cluster, log.jobs, s);
  std::string text;
  for (std::size_t j = 0; j < outcomes.size(); ++j)
    text += told(j, outcomes[j].start, outcomes[j].lost, outcomes[j].completion);
  return text;
}

}  // namespace muster::scheduled
