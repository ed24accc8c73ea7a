#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "muster/modules/source/workload.h"

// Jobs of tasks in a plain loop that scans all servers, all devices, all jobs and all schedules.

namespace muster::plain {

constexpr unsigned long parts = 4;  // of each device

struct plain_need {
  unsigned tasks = 1;
  unsigned long cores = 1, memory = 0, gpu = 0, licences = 0;  // of a task; of a device in parts; licences of the job
  unsigned most = 0;
  bool whole = false;
};

struct plain_server {
  double capacity = 1.0;
  unsigned long all_cores = 0, all_memory = 0;
  unsigned long cores = 0, memory = 0;  // free
  std::vector<unsigned long> gpus{};    // free parts of each

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
    if (n.whole && !idle()) return 0;
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
  }
  unsigned long free_parts() const {
    unsigned long sum = 0;
    for (const unsigned long g : gpus) sum += g;
    return sum;
  }
};

struct plain_cluster {
  std::vector<plain_server> servers;
  std::vector<plain_need> needs;  // of the classes, in descending order of share
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
  double share(const plain_need& n) const {
    double cores = 0.0, memory = 0.0, gpu = 0.0;
    for (const plain_server& s : servers) {
      cores += static_cast<double>(s.all_cores);
      memory += static_cast<double>(s.all_memory);
      gpu += static_cast<double>(s.gpus.size() * parts);
    }
    double most = static_cast<double>(n.cores) / cores;
    if (n.memory > 0) most = std::max(most, static_cast<double>(n.memory) / memory);
    if (n.gpu > 0) most = std::max(most, static_cast<double>(n.gpu) / gpu);
    return n.tasks * most;
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
    if (rule != "fragmentation") return 0.0;
    double grown = 0.0;
    for (const plain_need& other : needs)
      grown += 1.0 / static_cast<double>(needs.size()) * (unusable(after, other) - unusable(s, other));
    return grown;
  }
  // Places all tasks of a job, each server once, or none. @return the servers and what is held there
  std::vector<std::pair<std::size_t, plain_server>> place(const plain_need& n) {
    if (n.licences > licences) return {};
    const auto before = servers;
    std::vector<std::pair<std::size_t, plain_server>> held;
    std::vector<bool> used(servers.size());
    for (unsigned left = n.tasks; left > 0;) {
      int best = -1;
      for (int s = 0; s < static_cast<int>(servers.size()); ++s) {
        plain_server copy = servers[s], taken;
        if (used[s] || copy.take(n, left, taken) == 0) continue;
        if (best < 0 || score(servers[s], n, left) < score(servers[best], n, left)) best = s;
      }
      if (best < 0) {
        servers = before;
        return {};
      }
      used[best] = true;
      held.emplace_back(best, plain_server{});
      left -= servers[best].take(n, left, held.back().second);
    }
    licences -= n.licences;
    return held;
  }
};

/// A cluster whose jobs a policy starts and preempts, at no cost.
class plain_loop {
 public:
  /// @param means sizes of the classes, for tetris
  plain_loop(const plain_cluster& idle, std::string policy, const std::vector<job_request>& requests,
             std::vector<double> means = {})
      : cluster_(idle), policy_(std::move(policy)), requests_(requests), means_(std::move(means)) {
    if (policy_ == "max_weight") list_schedules(idle, 0);
  }

  /// The number of schedules that have room on the idle cluster.
  std::size_t schedules() const { return schedules_.size(); }
  unsigned preemptions() const { return preemptions_; }

  /// The time of completion of each job.
  std::vector<ticks> run() {
    jobs_.resize(requests_.size());
    std::vector<ticks> completed(jobs_.size());
    std::size_t next = 0;
    for (std::size_t open = jobs_.size(); open > 0;) {
      const int first = first_to_end();
      if (first >= 0 && (next == jobs_.size() || jobs_[first].end <= requests_[next].arrival)) {
        now_ = completed[first] = jobs_[first].end;
        release(first);
        jobs_[first].at = where::gone;
        --open;
      } else {
        now_ = requests_[next].arrival;
        jobs_[next].at = where::waits;
        jobs_[next].left = requests_[next].size;
        ++next;
      }
      schedule();
    }
    return completed;
  }

 private:
  enum class where { outside, waits, runs, leaves, gone };
  struct plain_job {
    where at = where::outside;
    ticks left = 0, begun = 0, end = 0;
    std::vector<std::pair<std::size_t, plain_server>> held{};
  };

  std::size_t type(std::size_t job) const { return static_cast<std::size_t>(requests_[job].type); }
  const plain_need& need(std::size_t job) const { return cluster_.needs[type(job)]; }

  int first_to_end() const {
    int first = -1;
    for (std::size_t n = 0; n < jobs_.size(); ++n)
      if (jobs_[n].at == where::runs && (first < 0 || jobs_[n].end < jobs_[first].end)) first = static_cast<int>(n);
    return first;
  }

  // The earliest job of a class that waits; -1: none does.
  int waits(std::size_t of) const {
    for (std::size_t n = 0; n < jobs_.size(); ++n)
      if (jobs_[n].at == where::waits && type(n) == of) return static_cast<int>(n);
    return -1;
  }

  std::vector<std::size_t> count(std::initializer_list<where> places) const {
    std::vector<std::size_t> jobs(cluster_.needs.size());
    for (std::size_t n = 0; n < jobs_.size(); ++n)
      if (std::find(places.begin(), places.end(), jobs_[n].at) != places.end()) ++jobs[type(n)];
    return jobs;
  }

  void release(std::size_t job) {
    for (const auto& [s, taken] : jobs_[job].held) cluster_.servers[s].give_back(taken);
    cluster_.licences += need(job).licences;
  }

  bool fits(std::size_t job) const {
    plain_cluster copy = cluster_;
    return !copy.place(need(job)).empty();
  }

  // @return whether the job has found room
  bool start(std::size_t job) {
    plain_job& j = jobs_[job];
    j.held = cluster_.place(need(job));
    if (j.held.empty()) return false;
    double slowest = 1e300;
    for (const auto& [s, taken] : j.held) slowest = std::min(slowest, cluster_.servers[s].capacity);
    j.at = where::runs;
    j.begun = now_;
    j.end = now_ + std::max<ticks>(1, static_cast<ticks>(std::llround(static_cast<double>(j.left) / slowest)));
    return true;
  }

  // Jobs that leave have left when the policy has returned, and it is called again.
  void schedule() {
    for (bool again = true; again;) {
      if (policy_ == "max_weight") {
        heaviest_schedule();
      } else if (policy_ == "tetris") {
        while (start_best_aligned()) {
        }
      } else if (policy_ == "msf") {
        largest_share_first();
      } else {
        in_order();
      }
      again = false;
      for (std::size_t n = 0; n < jobs_.size(); ++n) {
        plain_job& j = jobs_[n];
        if (j.at != where::leaves) continue;
        release(n);
        j.left -= now_ - j.begun;  // servers of capacity 1
        j.at = where::waits;
        again = true;
        ++preemptions_;
      }
    }
  }

  void in_order() {
    for (std::size_t n = 0; n < jobs_.size(); ++n)
      if (jobs_[n].at == where::waits && !start(n) && policy_ == "fcfs") return;
  }

  void largest_share_first() {
    std::map<std::pair<double, std::size_t>, std::size_t> order;
    for (std::size_t n = 0; n < jobs_.size(); ++n)
      if (jobs_[n].at == where::waits) order[{-cluster_.share(need(n)), n}] = n;
    for (const auto& [rank, job] : order) start(job);
  }

  bool start_best_aligned() {
    std::map<std::size_t, std::array<double, 2>> scores;  // of the first jobs that fit: alignment and remaining work
    std::array<double, 2> mean{};
    for (std::size_t c = 0; c < cluster_.needs.size(); ++c) {
      const int job = waits(c);
      if (job < 0 || !fits(job)) continue;
      const plain_need& n = cluster_.needs[c];
      const auto most = cluster_.largest();
      double alignment = 0.0, held = static_cast<double>(n.cores) / most[0];
      for (const plain_server& s : cluster_.servers) {
        plain_server copy = s, taken;
        if (copy.take(n, 1, taken) > 0) alignment = std::max(alignment, -cluster_.score(s, n, 1));
      }
      if (n.memory > 0) held += static_cast<double>(n.memory) / most[1];
      if (n.gpu > 0) held += static_cast<double>(n.gpu) / most[2];
      scores[job] = {alignment, n.tasks * held * means_[c]};
      mean[0] += alignment;
      mean[1] += scores[job][1];
    }
    int best = -1;
    double highest = 0.0;
    for (const auto& [job, of] : scores) {
      const double score = of[0] - of[1] * mean[0] / mean[1];
      if (best >= 0 && score <= highest + 1e-12) continue;
      best = static_cast<int>(job);
      highest = score;
    }
    return best >= 0 && start(best);
  }

  // Adds jobs of the classes from one on to those of the classes before.
  void list_schedules(plain_cluster room, std::size_t from) {
    if (from == room.needs.size()) {
      schedules_.insert(served_);
      return;
    }
    served_.push_back(0);
    do {
      list_schedules(room, from + 1);
      ++served_.back();
    } while (schedules_.size() < 20'000 && !room.place(room.needs[from]).empty());
    served_.pop_back();
  }

  void heaviest_schedule() {
    const auto held = count({where::runs, where::leaves});
    const bool idle = std::all_of(held.begin(), held.end(), [](std::size_t n) { return n == 0; });
    if (clears_ && !idle) return;
    clears_ = false;
    const auto present = count({where::waits, where::runs, where::leaves});
    const std::vector<std::size_t>* best = nullptr;
    std::size_t largest = 0;
    for (auto at = schedules_.rbegin(); at != schedules_.rend(); ++at) {
      std::size_t weight = 0;
      bool there = true;
      for (std::size_t c = 0; c < present.size(); ++c) {
        weight += (*at)[c] * present[c];
        there = there && (*at)[c] <= present[c];
      }
      if (!there || (best && weight <= largest)) continue;
      best = &*at;
      largest = weight;
    }
    bool all = true, leaving = false;
    for (std::size_t c = 0; c < present.size(); ++c) {
      auto runs = count({where::runs})[c];
      for (std::size_t n = jobs_.size(); n-- > 0 && runs > (*best)[c];)
        if (jobs_[n].at == where::runs && type(n) == c) {
          jobs_[n].at = where::leaves;
          leaving = true;
          --runs;
        }
    }
    for (std::size_t c = 0; c < present.size(); ++c) {
      while (count({where::runs})[c] < (*best)[c] && start(static_cast<std::size_t>(waits(c)))) {
      }
      all = all && count({where::runs})[c] == (*best)[c];
    }
    if (all || leaving) return;
    clears_ = true;
    for (plain_job& j : jobs_)
      if (j.at == where::runs) j.at = where::leaves;
  }

  plain_cluster cluster_;
  std::string policy_;
  const std::vector<job_request>& requests_;
  std::vector<double> means_;
  std::vector<plain_job> jobs_{};
  ticks now_ = 0;
  std::set<std::vector<std::size_t>> schedules_{};
  std::vector<std::size_t> served_{};
  bool clears_ = false;
  unsigned preemptions_ = 0;
};

}  // namespace muster::plain
