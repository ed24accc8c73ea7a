#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "muster/modules/source/workload.h"
#include "muster/policies/resources.h"

// Servers with cores, memory and shared devices, and the tasks that they hold, by scanning all of them.

namespace muster::plain {

constexpr unsigned long parts = 4;  // of each device

// Random clusters of a test; the sanitizers would see the same steps many times.
#ifdef MUSTER_SANITIZED
constexpr unsigned clusters = 60;
#else
constexpr unsigned clusters = 300;
#endif

struct plain_need {
  unsigned tasks = 1;
  unsigned long cores = 1, memory = 0, gpu = 0, licences = 0;  // of a task; of a device in parts; licences of the job
  unsigned most = 0;
  bool whole = false;
  std::vector<std::size_t> servers{};  // that it may use, in its order; empty: all
  unsigned long fpgas = 0;             // devices of the cluster that the job needs, in parts

  bool same_as(const plain_need& n) const {
    return tasks == n.tasks && cores == n.cores && memory == n.memory && gpu == n.gpu && licences == n.licences &&
           fpgas == n.fpgas && most == n.most && whole == n.whole;
  }
  // What the job needs of the cluster as a whole, as a task there.
  plain_need of_cluster() const {
    plain_need n;
    n.cores = 0;
    n.memory = licences;
    n.gpu = fpgas;
    return n;
  }
  bool any_of_cluster() const { return licences + fpgas > 0; }
  // What the job needs, as the scheduler is told: of cores, memory, gpu and, of the cluster, licence and fpga.
  task_need declared() const {
    task_need need;
    need.tasks = tasks;
    need.per_task = {cores, memory, gpu};
    need.per_job = {0, 0, 0, licences};
    if (fpgas > 0) need.per_job.push_back(fpgas);
    need.at_most_per_server = most;
    need.exclusive = whole;
    return need;
  }
};

struct plain_server {
  double capacity = 1.0;
  unsigned long all_cores = 0, all_memory = 0;
  unsigned long cores = 0, memory = 0;  // free
  std::vector<unsigned long> gpus{};    // free parts of each
  std::vector<unsigned> tasks{};        // that run, by class
  bool down = false;
  std::size_t group = 0;
  unsigned long of_each = parts;  // parts of a gpu

  bool idle() const {
    for (const unsigned long g : gpus)
      if (g < of_each) return false;
    return cores == all_cores && memory == all_memory;
  }
  bool take_one(const plain_need& n, plain_server& taken) {
    if (cores < n.cores || memory < n.memory) return false;
    std::vector<unsigned long> after = gpus;
    for (unsigned long left = n.gpu; left > 0;) {
      const unsigned long some = left < of_each ? left : of_each;
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
      taken.gpus.assign(gpus.size(), of_each);
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
  std::vector<plain_need> needs;  // of the classes
  std::string rule;
  plain_server whole{1e300};  // the cluster as a whole: its memory are licences, its gpus FPGAs

  // A server by its number; behind the last one the cluster as a whole.
  plain_server& at(std::size_t s) { return s < servers.size() ? servers[s] : whole; }
  const plain_server& at(std::size_t s) const { return s < servers.size() ? servers[s] : whole; }

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
  // The servers that a job may use, in its order.
  std::vector<std::size_t> usable(const plain_need& n) const {
    std::vector<std::size_t> all = n.servers;
    for (std::size_t s = 0; n.servers.empty() && s < servers.size(); ++s) all.push_back(s);
    return all;
  }
  // The largest share of a resource of these servers, or of the cluster, of which all is free: a fraction.
  std::pair<unsigned long, unsigned long> fraction(const plain_need& n) const {
    std::array<unsigned long, 5> all{0, 0, 0, whole.memory, whole.gpus.size() * whole.of_each};
    for (const std::size_t s : usable(n)) {
      all[0] += servers[s].all_cores;
      all[1] += servers[s].all_memory;
      all[2] += servers[s].gpus.size() * parts;
    }
    const std::array<unsigned long, 5> needed{n.tasks * n.cores, n.tasks * n.memory, n.tasks * n.gpu, n.licences,
                                              n.fpgas};
    std::pair<unsigned long, unsigned long> largest{0, 1};
    for (std::size_t r = 0; r < needed.size(); ++r)
      if (needed[r] * largest.second > largest.first * all[r]) largest = {needed[r], all[r]};
    return largest;
  }
  double share(const plain_need& n) const {
    const auto [needed, all] = fraction(n);
    return static_cast<double>(needed) / static_cast<double>(all);
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
  // How many of so many tasks of a class a server can hold beside what it holds.
  unsigned tasks_on(std::size_t s, std::size_t type, unsigned wanted) const {
    plain_server copy = servers[s], taken;
    return copy.take(needs[type], wanted, taken);
  }
  // Whether there is room for a job of a class, whatever the rule.
  bool fits(std::size_t type) const {
    unsigned tasks = 0;
    for (const std::size_t s : usable(needs[type])) tasks += tasks_on(s, type, needs[type].tasks);
    return has_of_cluster(needs[type]) && tasks >= needs[type].tasks;
  }
  bool has_of_cluster(const plain_need& n) const {
    plain_server copy = whole, taken;
    return copy.take(n.of_cluster(), 1, taken) > 0;
  }
  // Places all tasks of a job of a class, each server once, or none. @return the servers and what is held there, then
  // what is held of the cluster as a whole, if anything is
  std::vector<std::pair<std::size_t, plain_server>> place(std::size_t type) {
    const plain_need& n = needs[type];
    if (!has_of_cluster(n)) return {};
    const auto before = servers;
    std::vector<std::pair<std::size_t, plain_server>> held;
    std::vector<bool> used(servers.size());
    const std::size_t none = servers.size();
    for (unsigned left = n.tasks; left > 0;) {
      std::size_t best = none;
      for (const std::size_t s : usable(n)) {
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
      plain_server& taken = held.back().second;
      const unsigned tasks = servers[best].take(n, left, taken);
      servers[best].tasks.resize(needs.size());
      servers[best].tasks[type] += tasks;
      taken.tasks.resize(needs.size());
      taken.tasks[type] = tasks;
      left -= tasks;
    }
    if (n.any_of_cluster()) {
      held.emplace_back(servers.size(), plain_server{});
      whole.take(n.of_cluster(), 1, held.back().second);
    }
    return held;
  }
  // Whether a job of a need has room where all is free.
  bool has_room_for(const plain_need& n) const {
    plain_cluster idle = *this;
    idle.needs.push_back(n);
    return !idle.place(needs.size()).empty();
  }
  // Gives back what a job has held.
  void give_back(const std::vector<std::pair<std::size_t, plain_server>>& held) {
    for (const auto& [s, taken] : held) at(s).give_back(taken);
  }
  // For how long a job runs. @param size on cores of capacity 1
  ticks duration(ticks size, const std::vector<std::pair<std::size_t, plain_server>>& held) const {
    double slowest = 1e300;
    for (const auto& [s, taken] : held) slowest = std::min(slowest, at(s).capacity);
    return std::max<ticks>(1, static_cast<ticks>(std::llround(static_cast<double>(size) / slowest)));
  }
};

// A need of the classes of a random cluster. @param below draws a number below another
template <class Below>
plain_need random_need(const Below& below) {
  return {1 + below(4),
          1 + below(4),
          below(6),
          std::array{0ul, 0ul, 1ul, 2ul, 3ul, 4ul, 8ul}[below(7)],
          below(3) == 0 ? 1ul : 0ul,
          below(3) == 0 ? 1 + below(2) : 0,
          below(4) == 0};
}

inline std::string text_of(const std::vector<ticks>& times) {
  std::string text;
  for (const ticks t : times) text += std::to_string(t) + ' ';
  return text;
}

}  // namespace muster::plain
