#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <boost/math/distributions/chi_squared.hpp>

#include "tests/modules/child.h"
#include "tests/modules/scene.h"

// Jobs of tasks on servers with cores, memory and shared devices, job by job against a plain loop that scans all
// servers and all devices.

namespace muster {
namespace {

constexpr unsigned long parts = 4;  // of each device

using script_of_faults = std::map<std::uint32_t, std::vector<script::fault>>;  // by server

struct plain_need {
  unsigned tasks = 1;
  unsigned long cores = 1, memory = 0, gpu = 0, licences = 0;  // of a task; of a device in parts; licences of the job
  unsigned most = 0;
  bool whole = false;
  std::vector<std::size_t> servers{};  // that it may use, in its order

  bool same_as(const plain_need& n) const {
    return tasks == n.tasks && cores == n.cores && memory == n.memory && gpu == n.gpu && licences == n.licences &&
           most == n.most && whole == n.whole;
  }
};

struct plain_server {
  double capacity = 1.0;
  unsigned long all_cores = 0, all_memory = 0;
  unsigned long cores = 0, memory = 0;  // free
  std::vector<unsigned long> gpus{};    // free parts of each
  std::vector<unsigned> tasks{};        // that run, by class
  bool down = false;

  bool idle() const {
    for (const unsigned long g : gpus)
      if (g < parts) return false;
    return cores == all_cores && memory == all_memory;
  }
  bool take_one(const plain_need& n, plain_server& taken) {
    if (cores < n.cores || memory < n.memory) return false;
    std::vector<unsigned long> after = gpus;
    for (unsigned long left = n.gpu; left > 0;) {
      const unsigned long some = left < parts ? left : parts;
      int best = -1;
      for (int g = 0; g < static_cast<int>(after.size()); ++g)
        if (after[g] >= some && (best < 0 || after[g] < after[best])) best = g;
      if (best < 0) return false;
      after[best] -= some;
      left -= some;
    }
    for (std::size_t g = 0; g < gpus.size(); ++g) taken.gpus[g] += gpus[g] - after[g];
    taken.cores += n.cores;
    taken.memory += n.memory;
    gpus = after;
    cores -= n.cores;
    memory -= n.memory;
    return true;
  }
  // Takes up to as many tasks of a job. @return how many
  unsigned take(const plain_need& n, unsigned wanted, plain_server& taken) {
    taken = plain_server{};
    taken.gpus.assign(gpus.size(), 0);
    if (down || (n.whole && !idle())) return 0;
    if (n.most > 0) wanted = std::min(wanted, n.most);
    unsigned count = 0;
    while (count < wanted && take_one(n, taken)) ++count;
    if (n.whole && count > 0) {
      taken.cores = all_cores;
      taken.memory = all_memory;
      taken.gpus.assign(gpus.size(), parts);
      cores = memory = 0;
      gpus.assign(gpus.size(), 0);
    }
    return count;
  }
  void give_back(const plain_server& held) {
    cores += held.cores;
    memory += held.memory;
    for (std::size_t g = 0; g < gpus.size(); ++g) gpus[g] += held.gpus[g];
    for (std::size_t type = 0; type < held.tasks.size(); ++type) tasks[type] -= held.tasks[type];
  }
  unsigned long free_parts() const {
    unsigned long sum = 0;
    for (const unsigned long g : gpus) sum += g;
    return sum;
  }
};

struct plain_cluster {
  std::vector<plain_server> servers;
  std::vector<plain_need> needs;
  unsigned long licences = 0;
  std::string rule;

  std::array<double, 3> largest() const {
    std::array<double, 3> most{};
    for (const plain_server& s : servers) {
      most[0] = std::max(most[0], static_cast<double>(s.all_cores));
      most[1] = std::max(most[1], static_cast<double>(s.all_memory));
      most[2] = std::max(most[2], static_cast<double>(s.gpus.size() * parts));
    }
    return most;
  }
  // Devices that a task of the need cannot use.
  static double unusable(plain_server s, const plain_need& n) {
    plain_server held;
    plain_server copy = s;
    const bool holds = copy.take(n, 1, held) > 0;
    const unsigned long least = n.gpu < parts ? n.gpu : parts;
    double sum = 0.0;
    for (const unsigned long g : s.gpus)
      if (!holds || n.gpu == 0 || g < least) sum += static_cast<double>(g) / parts;
    return sum;
  }
  // The tasks of the same need that a server runs, of whatever class.
  unsigned tasks_like(const plain_need& n, const plain_server& s) const {
    unsigned sum = 0;
    for (std::size_t type = 0; type < s.tasks.size(); ++type)
      if (needs[type].same_as(n)) sum += s.tasks[type];
    return sum;
  }
  // The lower, the better.
  double score(const plain_server& s, const plain_need& n, unsigned wanted) const {
    const auto most = largest();
    const std::array<double, 3> free{static_cast<double>(s.cores), static_cast<double>(s.memory),
                                     static_cast<double>(s.free_parts())};
    const std::array<double, 3> needed{static_cast<double>(n.cores), static_cast<double>(n.memory),
                                       static_cast<double>(n.gpu)};
    double share = 0.0, product = 0.0;
    for (std::size_t r = 0; r < 3; ++r)
      if (most[r] > 0) {
        share += free[r] / most[r];
        product += needed[r] / most[r] * (free[r] / most[r]);
      }
    plain_server after = s, held;
    const unsigned fit = after.take(n, wanted, held);
    if (rule == "best_fit") return share;
    if (rule == "worst_fit") return -share;
    if (rule == "fewest_servers") return (wanted - fit) * 5.0 + share;
    if (rule == "dot_product") return -product;
    if (rule == "clustering") return share - tasks_like(n, s) * 5.0;
    if (rule != "fragmentation") return 0.0;
    double grown = 0.0;
    for (const plain_need& other : needs)
      grown += 1.0 / static_cast<double>(needs.size()) * (unusable(after, other) - unusable(s, other));
    return grown;
  }
  // Places all tasks of a job, each server once, or none. @return the servers and what is held there
  std::vector<std::pair<std::size_t, plain_server>> place(std::size_t type) {
    const plain_need& n = needs[type];
    const auto before = servers;
    std::vector<std::pair<std::size_t, plain_server>> held;
    std::vector<bool> used(servers.size());
    const std::size_t none = servers.size();
    for (unsigned left = n.tasks; left > 0;) {
      std::size_t best = none;
      for (const std::size_t s : n.servers) {
        plain_server copy = servers[s], taken;
        if (used[s] || copy.take(n, left, taken) == 0) continue;
        if (best == none || score(servers[s], n, left) < score(servers[best], n, left)) best = s;
      }
      if (best == none) {
        servers = before;
        return {};
      }
      used[best] = true;
      held.emplace_back(best, plain_server{});
      const unsigned tasks = servers[best].take(n, left, held.back().second);
      servers[best].tasks.resize(needs.size());
      servers[best].tasks[type] += tasks;
      held.back().second.tasks.resize(needs.size());
      held.back().second.tasks[type] = tasks;
      left -= tasks;
    }
    return held;
  }
};

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
    for (const auto& [s, taken] : held[job]) cluster.servers[s].give_back(taken);
    held[job].clear();
    cluster.licences += cluster.needs[static_cast<std::size_t>(jobs[job].type)].licences;
  };
  const auto schedule = [&](ticks now) {
    for (auto at = queue.begin(); at != queue.end();) {
      const std::size_t job = *at, type = static_cast<std::size_t>(jobs[job].type);
      const plain_need& n = cluster.needs[type];
      if (n.licences <= cluster.licences) held[job] = cluster.place(type);
      if (held[job].empty()) {
        if (policy == "fcfs") return;
        ++at;
        continue;
      }
      cluster.licences -= n.licences;
      double slowest = 1e300;
      for (const auto& [s, taken] : held[job]) slowest = std::min(slowest, cluster.servers[s].capacity);
      const auto duration = static_cast<ticks>(std::llround(static_cast<double>(jobs[job].size) / slowest));
      ends[job] = now + std::max<ticks>(1, duration);
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
    l.resources.of_cluster = {0, 0, 0, plain.licences = 1 + below(3)};
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
      plain_need n{1 + below(4),
                   1 + below(4),
                   below(6),
                   std::array{0ul, 0ul, 1ul, 2ul, 3ul, 4ul, 8ul}[below(7)],
                   below(3) == 0 ? 1ul : 0ul,
                   below(3) == 0 ? 1 + below(2) : 0,
                   below(4) == 0};
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
      plain_cluster idle = plain;
      idle.needs.push_back(n);
      if (idle.place(idle.needs.size() - 1).empty()) continue;
      plain.needs.push_back(n);
      l.groups_of_tasks.push_back(groups);
    }
    for (const plain_need& n : plain.needs) {
      task_need need;
      need.tasks = n.tasks;
      need.per_task = {n.cores, n.memory, n.gpu};
      need.per_job = {0, 0, 0, n.licences};
      need.at_most_per_server = n.most;
      need.exclusive = n.whole;
      l.tasks.push_back(need);
    }
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

std::string text_of(const std::vector<ticks>& times) {
  std::string text;
  for (const ticks t : times) text += std::to_string(t) + ' ';
  return text;
}

// The sanitizers would see the same steps many times.
#ifdef MUSTER_SANITIZED
constexpr unsigned clusters = 60;
#else
constexpr unsigned clusters = 300;
#endif

// Completions are at instants of their own: sizes and gaps are long. In half of the clusters servers fail.
TEST(tasks_of_any_class, are_placed_as_by_a_plain_loop_with_restricted_classes_and_servers_that_fail) {
  constexpr std::array rules{"first",       "best_fit",      "worst_fit", "fewest_servers",
                             "dot_product", "fragmentation", "clustering"};
  std::mt19937_64 random{11};
  for (unsigned round = 0; round < clusters; ++round) {
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
