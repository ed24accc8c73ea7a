#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include <boost/math/distributions/chi_squared.hpp>

#include "tests/modules/child.h"
#include "tests/modules/plain_cluster.h"
#include "tests/modules/scene.h"

// Jobs of tasks on servers with cores, memory and shared devices, job by job against a plain loop that scans all
// servers and all devices.

namespace muster {
namespace {

using plain::parts;
using plain::plain_cluster;
using plain::plain_need;
using plain::plain_server;
using plain::text_of;

using script_of_faults = std::map<std::uint32_t, std::vector<script::fault>>;  // by server

// What happens at an instant, in this order.
enum class happening { completion, failure, repair, arrival, wake };

// Jobs are scheduled `delay` ticks after what has happened; 0: at once.
std::vector<ticks> by_a_plain_loop(plain_cluster cluster, const std::string& policy,
                                   const std::vector<job_request>& jobs, const script_of_faults& faults, ticks delay) {
  std::vector<ticks> completed(jobs.size());
  std::vector<std::vector<std::pair<std::size_t, plain_server>>> held(jobs.size());
  std::vector<ticks> ends(jobs.size());
  std::set<std::size_t> queue;  // by arrival
  std::set<std::tuple<ticks, happening, std::size_t>> agenda;
  for (std::size_t job = 0; job < jobs.size(); ++job) agenda.emplace(jobs[job].arrival, happening::arrival, job);
  for (const auto& [server, all] : faults)
    for (const script::fault& f : all) {
      agenda.emplace(f.at, happening::failure, server);
      agenda.emplace(f.at + f.down, happening::repair, server);
    }
  const auto leave = [&](std::size_t job) {
    cluster.give_back(held[job]);
    held[job].clear();
  };
  const auto schedule = [&](ticks now) {
    for (auto at = queue.begin(); at != queue.end();) {
      const std::size_t job = *at;
      held[job] = cluster.place(static_cast<std::size_t>(jobs[job].type));
      if (held[job].empty()) {
        if (policy == "fcfs") return;
        ++at;
        continue;
      }
      ends[job] = now + cluster.duration(jobs[job].size, held[job]);
      agenda.emplace(ends[job], happening::completion, job);
      at = queue.erase(at);
    }
  };
  while (!agenda.empty()) {
    const auto [now, what, which] = *agenda.begin();
    agenda.erase(agenda.begin());
    if (what == happening::completion) {
      completed[which] = now;
      leave(which);
    } else if (what == happening::arrival) {
      queue.insert(which);
    } else if (what == happening::wake) {
      schedule(now);
      continue;
    } else {
      cluster.servers[which].down = what == happening::failure;
      for (std::size_t job = 0; job < jobs.size() && what == happening::failure; ++job) {
        const auto here = [w = which](const auto& part) { return part.first == w; };
        if (std::none_of(held[job].begin(), held[job].end(), here)) continue;
        agenda.erase({ends[job], happening::completion, job});
        leave(job);
        queue.insert(job);
      }
    }
    if (delay == 0)
      schedule(now);
    else
      agenda.emplace(now + delay, happening::wake, 0);
  }
  return completed;
}

/// Starts jobs a tick after each event, so that it does not matter in which order the jobs of a server that has failed
/// lose their cores.
template <bool InOrder>
class late_policy final : public rigid_policy {
 public:
  static const policy_entry& entry() {
    static const policy_entry e = [] {
      policy_entry own = entry_of_test<late_policy>();
      own.any_resources = true;
      return own;
    }();
    return e;
  }

  void schedule(rigid_view cluster, rigid_decisions& decide) override { decide.wake_at(cluster.now() + 1, 0); }
  void woken(std::uint32_t, rigid_view cluster, rigid_decisions& decide) override {
    const auto next = [&] {
      const job* j = InOrder ? cluster.earliest() : cluster.earliest_fitting();
      return j && cluster.fits(*j) ? j : nullptr;
    };
    while (const job* j = next()) decide.start(*j);
  }
};

/// A random cluster in both forms.
struct random_case {
  explicit random_case(std::mt19937_64& random, bool fails) {
    const auto below = [&](unsigned most) { return static_cast<unsigned>(random() % most); };
    l.groups.clear();
    l.resources.types = {{"cores"}, {"memory"}, {"gpu", parts}, {"licence", 0, true}};
    l.resources.of_cluster = {0, 0, 0, plain.whole.memory = 1 + below(3)};
    std::vector<std::vector<std::size_t>> of_group;
    for (const char* name : {"slow", "fast", "odd"}) {
      server_group g{name, 1 + below(4), 1 + below(8), std::array{0.5, 1.0, 1.7}[below(3)]};
      const unsigned memory = below(20), gpus = below(4);
      g.resources = {g.cores, memory, gpus};
      of_group.emplace_back();
      for (unsigned n = 0; n < g.count; ++n) {
        of_group.back().push_back(plain.servers.size());
        plain.servers.push_back(
            {g.capacity, g.cores, memory, g.cores, memory, std::vector<unsigned long>(gpus, parts)});
      }
      l.groups.push_back(g);
      if (below(3) == 0) break;
    }
    while (plain.needs.size() < 4) {
      plain_need n = plain::random_need(below);
      if (plain.needs.size() == 3) n = plain.needs[below(3)];  // perhaps on other servers
      std::vector<group_id> groups;
      for (std::uint32_t g = 0; g < of_group.size(); ++g) groups.push_back(group_id{g});
      std::shuffle(groups.begin(), groups.end(), random);
      groups.resize(1 + below(static_cast<unsigned>(groups.size())));
      n.servers.clear();
      for (const group_id g : groups) {
        const auto& servers = of_group[static_cast<std::size_t>(g)];
        n.servers.insert(n.servers.end(), servers.begin(), servers.end());
      }
      if (!plain.has_room_for(n)) continue;
      plain.needs.push_back(n);
      l.groups_of_tasks.push_back(groups);
    }
    for (const plain_need& n : plain.needs) l.tasks.push_back(n.declared());
    for (std::uint32_t s = 0; fails && s < plain.servers.size(); ++s)
      for (ticks at = random() % 20'000'000; at < 60'000'000; at += 1 + random() % 20'000'000) {
        const ticks down = 1 + random() % 4'000'000;
        faults[s].push_back({at, down});
        at += down;
      }
  }

  layout l;
  plain_cluster plain;
  script_of_faults faults;
};

// Completions are at instants of their own: sizes and gaps are long. In half of the clusters servers fail.
TEST(tasks_of_any_class, are_placed_as_by_a_plain_loop_with_restricted_classes_and_servers_that_fail) {
  constexpr std::array rules{"first",       "best_fit",      "worst_fit", "fewest_servers",
                             "dot_product", "fragmentation", "clustering"};
  std::mt19937_64 random{11};
  for (unsigned round = 0; round < plain::clusters; ++round) {
    const bool in_order = round / rules.size() % 2 == 0, fails = round / rules.size() / 2 % 2 == 1;
    random_case both(random, fails);
    both.l.policy = in_order ? "fcfs" : "first_fit";
    both.l.placement = both.plain.rule = rules[round % rules.size()];
    const auto jobs = random_jobs(120, both.l.tasks.size(), 400'000, 2'000'000, round + 1);
    script faults{both.faults};
    if (fails) {
      both.l.faults = &faults;
      both.l.own_policy = in_order ? &late_policy<true>::entry() : &late_policy<false>::entry();
    }
    ASSERT_EQ(in_child([&] {
                scene s{both.l, jobs};
                if (fails)
                  s.run_until(4'000'000'000);
                else
                  s.run();
                std::vector<ticks> completed(jobs.size());
                for (const job_record& r : s.log.records) completed[r.id] = r.completed;
                return text_of(completed);
              }),
              text_of(by_a_plain_loop(both.plain, both.l.policy, jobs, both.faults, fails ? 1 : 0)))
        << both.l.policy << " " << both.l.placement << (fails ? ", servers fail" : "") << ", round " << round;
  }
}

// A job of two tasks on two servers, each with 10 of set-up, holds three parts of a device of the cluster. It runs from
// 10 to 50, when a server fails, and anew from 80 to 180, as the server comes back at 70.
TEST(devices_of_the_cluster, have_the_time_in_which_their_jobs_ran_apart_from_overhead) {
  layout l;
  l.resources.types = {{"cores"}, {"fpga", 4, true}};
  l.resources.of_cluster = {0, 2};
  l.groups = {{"node", 2, 1, 1.0}};
  l.tasks = {{2, {1}, {0, 3}, 1}};
  l.costs.set_up = 10;
  const std::map<std::uint32_t, std::vector<script::fault>> of_servers{{1, {{50, 20}}}};
  script fails(of_servers);
  l.faults = &fails;
  scene s{l, {{0, class_id{0}, 100}}};
  s.run_until(1'000);
  ASSERT_EQ(s.log.completions(), (std::vector<ticks>{180}));
  const cluster_ledger& of_cluster = s.central.tasks()->of_cluster();
  const auto times_of = [&](std::size_t device) {
    const held_integral& past = of_cluster.given_back(1, device);
    return std::array{static_cast<ticks>(of_cluster.held(1, device, 1'000)), static_cast<ticks>(past.overhead),
                      static_cast<ticks>(past.running)};
  };
  EXPECT_EQ(times_of(0), (std::array<ticks, 3>{3 * (50 + 110), 3 * (10 + 10), 3 * (40 + 100)}));
  EXPECT_EQ(times_of(1), (std::array<ticks, 3>{0, 0, 0}));
}

// Which of 15 devices on 5 servers each of 6,000 jobs gets that come one after the other. Chi-square exceeds the bound
// once in 10^6 seeds.
TEST(tasks_of_any_class, are_placed_at_random_on_every_server_and_device_with_equal_probability) {
  layout l;
  l.resources.types = {{"cores"}, {"gpu", 1}};
  l.groups = {{"node", 5, 4, 1.0}};
  l.groups[0].resources = {4, 3};
  l.tasks = {{1, {1, 1}}};
  l.placement = "random";
  std::vector<job_request> jobs;
  for (ticks n = 0; n < 6'000; ++n) jobs.push_back({10 * n, class_id{0}, 5});
  scene s{l, jobs};
  s.run();
  double chi_square = 0.0;
  for (std::uint32_t server = 0; server < 5; ++server)
    for (std::size_t gpu = 0; gpu < 3; ++gpu) {
      const double got = static_cast<double>(s.servers[0]->resources()->held(server, gpu).running) / 5.0;
      chi_square += (got - 400.0) * (got - 400.0) / 400.0;
    }
  EXPECT_GT(chi_square, 0.0);
  EXPECT_LT(chi_square, quantile(complement(boost::math::chi_squared(14), 1e-6)));
}

}  // namespace
}  // namespace muster
