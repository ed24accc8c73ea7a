#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tests/modules/child.h"
#include "tests/modules/scene.h"
#include "tests/oracles/random_logs.h"

// Policies with backfilling on cores and on servers with memory and devices, job by job against a plain loop of their
// definitions, on random logs.

namespace muster {
namespace {

using oracle::backfill_need;
using oracle::backfill_order;
using oracle::backfill_rule;
using oracle::backfill_settings;
using oracle::random_log;

// The sanitizers would see the same steps many times.
#ifdef MUSTER_SANITIZED
constexpr unsigned logs = 15;
#else
constexpr unsigned logs = 200;
#endif

std::string word(backfill_order order) {
  constexpr std::array words{"arrival", "shortest", "smallest_area", "expansion_factor", "fair_share"};
  return words[static_cast<std::size_t>(order)];
}

void set_policy(layout& l, const backfill_settings& s) {
  if (s.rule == backfill_rule::fcfs) return;
  const bool easy = s.rule == backfill_rule::easy;
  l.policy = easy ? "easy_backfill" : "conservative_backfill";
  l.parameters = {{"order", word(s.order)}};
  if (easy) {
    l.parameters.emplace_back("backfill_order", word(s.second));
    l.parameters.emplace_back("reservations", static_cast<std::int64_t>(s.reservations));
  } else {
    l.parameters.emplace_back("on_early_end", std::string{s.rule == backfill_rule::replan ? "replan" : "compress"});
  }
}

// Needs of the cores of one server, as classes in descending order. @return the class of each need
std::vector<std::size_t> set_cores(layout& l, const random_log& log) {
  const auto& needs = log.cluster.needs;
  std::vector<std::size_t> order, type(needs.size());
  for (std::size_t n = 0; n < needs.size(); ++n) order.push_back(n);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return needs[a].cores() > needs[b].cores(); });
  l.needs.clear();
  l.groups = {{"node", 1, static_cast<unsigned>(log.cluster.servers.front().has.front()), 1.0}};
  for (const std::size_t n : order) {
    const auto cores = static_cast<unsigned>(needs[n].cores());
    if (l.needs.empty() || l.needs.back() != cores) l.needs.push_back(cores);
    type[n] = l.needs.size() - 1;
  }
  return type;
}

// Needs of tasks, each of them a class.
std::vector<std::size_t> set_tasks(layout& l, const random_log& log) {
  const oracle::backfill_cluster& all = log.cluster;
  constexpr std::array names{"memory", "gpu"};
  for (std::size_t r = 1; r < all.parts.size(); ++r) l.resources.types.push_back({names[r - 1], all.parts[r]});
  l.resources.of_cluster.assign(all.parts.size(), 0);
  for (const std::uint64_t whole : all.of_cluster) {
    l.resources.types.push_back({"licence", 0, true});
    l.resources.of_cluster.push_back(whole);
  }
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
  for (const backfill_need& n : all.needs) {
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

std::string text_of(const std::vector<ticks>& starts) {
  std::string text;
  for (const ticks at : starts) text += std::to_string(at) + ' ';
  return text;
}

std::string by_the_scheduler(const random_log& log, unsigned resources, const backfill_settings& s) {
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
  return in_child([&] {
    scene simulated{l, jobs};
    simulated.run();
    std::vector<ticks> starts(jobs.size());
    for (const job_record& r : simulated.log.records) starts[r.id] = r.started;
    return text_of(starts);
  });
}

std::string by_the_plain_loop(const random_log& log, const backfill_settings& s) {
  std::vector<ticks> starts;
  for (const auto& outcome : oracle::backfill(log.cluster, log.jobs, s)) starts.push_back(outcome.start);
  return text_of(starts);
}

void expect_the_same_starts(backfill_rule rule, unsigned count) {
  for (unsigned n = 0; n < count; ++n) {
    const unsigned resources = 1 + n % 3;
    const random_log log = oracle::make_random_log(n + 1000, resources);
    const backfill_settings s{rule, static_cast<backfill_order>(n % 5), static_cast<backfill_order>(n / 5 % 5),
                              std::array{1u, 1u, 2u, 1000u}[n % 4], rule == backfill_rule::fcfs};
    ASSERT_EQ(by_the_scheduler(log, resources, s), by_the_plain_loop(log, s))
        << "log " << n + 1000 << " of " << resources << " resources, order " << word(s.order) << ", second "
        << word(s.second) << ", reservations " << s.reservations;
  }
}

TEST(backfilling_of_logs, is_compared_on_logs_that_the_plain_loop_and_fcfs_serve_alike) {
  expect_the_same_starts(backfill_rule::fcfs, logs / 5);
}

TEST(backfilling_of_logs, under_easy_starts_jobs_of_tasks_when_the_plain_loop_does) {
  expect_the_same_starts(backfill_rule::easy, logs);
}

TEST(backfilling_of_logs, under_compressed_reservations_starts_jobs_of_tasks_when_the_plain_loop_does) {
  expect_the_same_starts(backfill_rule::compress, logs);
}

TEST(backfilling_of_logs, under_replanned_reservations_starts_jobs_of_tasks_when_the_plain_loop_does) {
  expect_the_same_starts(backfill_rule::replan, logs);
}

}  // namespace
}  // namespace muster
