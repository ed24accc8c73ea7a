#include <array>
#include <cmath>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include <boost/math/distributions/chi_squared.hpp>

#include "tests/modules/child.h"
#include "tests/modules/scene.h"
#include "tests/refusal.h"

// Rigid jobs under rules of placement, job by job against a plain loop that scans all servers.

namespace muster {
namespace {

// A server in the plain loop.
struct plain_server {
  double capacity;
  unsigned idle;
  std::uint32_t rack = 0;
};

// The rack in which a job goes on: the one where it is, or the one with the fewest idle cores that hold the rest, or
// the one with the most.
std::uint32_t next_rack(const std::vector<plain_server>& servers, std::optional<std::uint32_t> latest, unsigned cores) {
  std::map<std::uint32_t, unsigned> idle;
  for (const plain_server& s : servers) idle[s.rack] += s.idle;
  if (latest && idle[*latest] > 0) return *latest;
  std::optional<std::uint32_t> holds, most;
  for (const auto& [rack, free] : idle) {
    if (free >= cores && (!holds || free < idle[*holds])) holds = rack;
    if (!most || free > idle[*most]) most = rack;
  }
  return holds ? *holds : *most;
}

// Which server comes next, by the rule's definition. Some has an idle core.
std::size_t next_server(const std::vector<plain_server>& servers, const std::string& rule, unsigned cores) {
  std::size_t best = servers.size();
  const auto better = [&](const plain_server& a, const plain_server& b) {
    if (rule == "first") return false;
    if (rule == "worst_fit") return a.idle > b.idle;
    const bool a_holds = a.idle >= cores, b_holds = b.idle >= cores;
    return a_holds != b_holds ? a_holds : a_holds ? a.idle < b.idle : a.idle > b.idle;
  };
  for (std::size_t s = 0; s < servers.size(); ++s)
    if (servers[s].idle > 0 && (best == servers.size() || better(servers[s], servers[best]))) best = s;
  return best;
}

// When each job is complete, first come, first served or by first fit.
std::vector<ticks> by_a_plain_loop(const layout& l, const std::vector<job_request>& jobs) {
  std::vector<plain_server> servers;
  for (std::uint32_t g = 0; g < l.groups.size(); ++g)
    for (unsigned n = 0; n < l.groups[g].count; ++n)
      servers.push_back(
          {l.groups[g].capacity, l.groups[g].cores, l.racks.count > 0 ? l.racks.of_servers[group_id{g}][n] : 0});
  unsigned idle = 0;
  for (const plain_server& s : servers) idle += s.idle;
  std::vector<ticks> completed(jobs.size());
  std::vector<std::vector<std::pair<std::size_t, unsigned>>> held(jobs.size());
  std::multimap<std::pair<ticks, std::size_t>, std::size_t> running;  // by time and order of start
  std::deque<std::size_t> queue;
  std::size_t starts = 0;
  const auto schedule = [&](ticks now) {
    for (auto at = queue.begin(); at != queue.end();) {
      unsigned cores = l.needs[static_cast<std::size_t>(jobs[*at].type)];
      if (cores > idle) {
        if (l.policy == "fcfs") return;
        ++at;
        continue;
      }
      idle -= cores;
      double slowest = 1e300;
      std::optional<std::uint32_t> rack;
      while (cores > 0) {
        std::vector<plain_server> usable = servers;
        if (l.placement == "fewest_racks") {
          rack = next_rack(servers, rack, cores);
          for (plain_server& other : usable)
            if (other.rack != *rack) other.idle = 0;
        }
        const std::size_t s = next_server(usable, l.placement, cores);
        const unsigned taken = std::min(cores, servers[s].idle);
        held[*at].push_back({s, taken});
        servers[s].idle -= taken;
        slowest = std::min(slowest, servers[s].capacity);
        cores -= taken;
      }
      const auto duration = static_cast<ticks>(std::llround(static_cast<double>(jobs[*at].size) / slowest));
      running.insert({{now + std::max<ticks>(1, duration), starts++}, *at});
      at = queue.erase(at);
    }
  };
  for (std::size_t next = 0; next < jobs.size() || !running.empty();) {
    if (!running.empty() && (next == jobs.size() || running.begin()->first.first <= jobs[next].arrival)) {
      const auto [when, job] = *running.begin();
      running.erase(running.begin());
      completed[job] = when.first;
      for (const auto& [s, cores] : held[job]) {
        servers[s].idle += cores;
        idle += cores;
      }
      schedule(when.first);
    } else {
      queue.push_back(next);
      schedule(jobs[next++].arrival);
    }
  }
  return completed;
}

std::string text_of(const std::vector<ticks>& times) {
  std::string text;
  for (const ticks t : times) text += std::to_string(t) + ' ';
  return text;
}

layout random_cluster(std::mt19937_64& random) {
  layout l;
  l.groups.clear();
  unsigned cores = 0;
  for (const char* name : {"slow", "fast", "odd"}) {
    const server_group g{name, static_cast<std::uint32_t>(1 + random() % 4),
                         static_cast<std::uint32_t>(1 + random() % 6), std::array{0.5, 1.0, 1.7}[random() % 3]};
    cores += g.count * g.cores;
    l.groups.push_back(g);
    if (random() % 3 == 0) break;
  }
  const std::set<unsigned, std::greater<>> needs{std::min(cores, 7u), std::min(cores, 3u), 1};
  l.needs.assign(needs.begin(), needs.end());
  return l;
}

// Completions are at instants of their own, so that the order within an instant does not matter: sizes and gaps are
// long.
TEST(placement_by_rule, equals_a_plain_loop_that_scans_all_servers_job_by_job) {
  std::mt19937_64 random{7};
  for (unsigned round = 0; round < 60; ++round) {
    layout l = random_cluster(random);
    l.policy = std::array{"fcfs", "first_fit"}[round % 2];
    l.placement =
        std::array{"first", "best_fit", "worst_fit", "fewest_servers", "clustering", "fewest_racks"}[round % 6];
    l.racks.count = 3;
    for (const server_group& g : l.groups) {
      std::vector<std::uint32_t>& racks = l.racks.of_servers[l.racks.of_servers.push_back({})];
      for (unsigned n = 0; n < g.count; ++n) racks.push_back(static_cast<std::uint32_t>(random() % 3));
    }
    const auto jobs = random_jobs(200, l.needs.size(), 400'000, 3'000'000, round + 1);
    EXPECT_EQ(in_child([&] {
                scene s{l, jobs};
                s.run();
                std::vector<ticks> completed(jobs.size());
                for (const job_record& r : s.log.records) completed[r.id] = r.completed;
                return text_of(completed);
              }),
              text_of(by_a_plain_loop(l, jobs)))
        << l.policy << " " << l.placement << ", round " << round;
  }
}

TEST(placement_by_rule, counts_the_cores_of_servers_that_fail_and_are_repaired) {
  for (const char* rule : {"best_fit", "worst_fit", "random", "fewest_racks"})
    for (const char* policy : {"first_fit", "server_filling"})
      EXPECT_EQ(in_child([&] {
                  layout l;
                  l.groups = {{"node", 3, 2, 1.0}, {"wide", 1, 2, 1.0}};
                  l.racks.count = 2;
                  l.racks.of_servers.push_back({0, 1, 1});
                  l.racks.of_servers.push_back({0});
                  l.needs = {4, 1};
                  l.placement = rule;
                  l.policy = policy;
                  script faults = random_faults(3, 4);
                  l.faults = &faults;
                  scene s{l, random_jobs(400, 2, 30, 60)};
                  s.run_until(30'000);
                  return std::to_string(s.central.jobs_completed()) + " jobs, " +
                         std::to_string(s.central.view().free_cores(class_id{0})) + " cores idle";
                }),
                "400 jobs, 8 cores idle")
          << rule << " " << policy;
}

// Chi-square exceeds the bound once in 10^6 seeds.
TEST(placement_by_rule, at_random_spreads_jobs_evenly) {
  layout l;
  l.groups = {{"node", 4, 2, 1.0}};
  l.placement = "random";
  std::vector<job_request> jobs;
  for (ticks n = 0; n < 4'000; ++n) jobs.push_back({10 * n, class_id{0}, 5});
  scene s{l, jobs};
  s.run();
  double chi_square = 0.0;
  for (std::uint32_t n = 0; n < 4; ++n) {
    const ticks ran =
        s.servers[0]->times(2 * n, s.time.now()).running + s.servers[0]->times(2 * n + 1, s.time.now()).running;
    const double jobs_here = static_cast<double>(ran) / 5.0;
    chi_square += (jobs_here - 1'000.0) * (jobs_here - 1'000.0) / 1'000.0;
  }
  EXPECT_GT(chi_square, 0.0);
  EXPECT_LT(chi_square, quantile(complement(boost::math::chi_squared(3), 1e-6)));
}

TEST(placement_by_rule, is_the_users_under_backfilling_where_only_cores_count) {
  layout l;
  l.policy = "easy_backfill";
  l.placement = "worst_fit";
  l.groups = {{"node", 2, 4, 1.0}};
  scene s{l, {{0, class_id{0}, 10}, {0, class_id{0}, 10}}};
  s.run();
  for (std::uint32_t server = 0; server < 2; ++server) {
    ticks ran = 0;
    for (std::uint32_t core = 4 * server; core < 4 * server + 4; ++core)
      ran += s.servers[0]->times(core, s.time.now()).running;
    EXPECT_EQ(ran, 10u) << server;
  }
}

TEST(placement_by_rule, is_refused_where_the_policy_places_the_jobs_or_no_numbers_can_be_drawn) {
  layout l;
  l.policy = "fcfs_pooled";
  scheduler_settings s = scheduler_of(l);
  s.placement = find_placement("best_fit");
  const auto why = [&] { return refusal<policy_error>([&] { check_policy(s); }); };
  EXPECT_EQ(why(),
            "jobs are placed by 'best_fit', but the jobs of policy 'fcfs_pooled' are pooled, which the policy places; "
            "expected a policy of rigid jobs");
  s = scheduler_of(layout{});
  s.placement = find_placement("random");
  s.placement_random = nullptr;
  EXPECT_EQ(why(), "jobs are placed by 'random', which draws random numbers; expected a source, placement_random");
}

}  // namespace
}  // namespace muster
