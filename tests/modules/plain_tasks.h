#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/modules/plain_cluster.h"
#include "tests/modules/plain_schedules.h"

// Jobs of tasks in a plain loop that scans all servers, all devices, all jobs and all schedules.

namespace muster::plain {

/// A cluster whose jobs a policy starts and preempts, at no cost.
class plain_loop {
 public:
  /// @param means sizes of the classes, for tetris
  plain_loop(const plain_cluster& idle, std::string policy, const std::vector<job_request>& requests,
             std::vector<double> means = {})
      : cluster_(idle), policy_(std::move(policy)), requests_(requests), means_(std::move(means)) {
    if (policy_ == "max_weight") schedules_ = schedules_of(idle, 20'000);
    for (const plain_need& n : idle.needs) shares_.push_back(idle.share(n));
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

  void release(std::size_t job) { cluster_.give_back(type(job), jobs_[job].held); }

  bool fits(std::size_t job) const {
    plain_cluster copy = cluster_;
    return !copy.place(type(job)).empty();
  }

  // @return whether the job has found room
  bool start(std::size_t job) {
    plain_job& j = jobs_[job];
    j.held = cluster_.place(type(job));
    if (j.held.empty()) return false;
    j.at = where::runs;
    j.begun = now_;
    j.end = now_ + cluster_.duration(j.left, j.held);
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
      if (jobs_[n].at == where::waits) order[{-shares_[type(n)], n}] = n;
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
  plain::schedules schedules_{};
  std::vector<double> shares_{};  // of the classes
  bool clears_ = false;
  unsigned preemptions_ = 0;
};

}  // namespace muster::plain
