#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "tests/modules/plain_schedules.h"
#include "tests/modules/plain_timeline.h"

// Rules of policies that preempt or kill jobs, written from their sources: at every event they look at all jobs, all
// classes and all schedules.

namespace muster::plain {

/// MaxWeight: Maguluri, Srikant and Ying (INFOCOM 2012), Section III, at events, of the schedules that the rule `first`
/// can place on an idle cluster, class after class.
class plain_max_weight final : public plain_timeline {
 public:
  plain_max_weight(const plain_cluster& idle, const course& all, any_server* any, const schedules& listed)
      : plain_timeline(idle, all, any), schedules_(listed) {}

 private:
  void is_interrupted(std::size_t) override { servers_change(); }
  void is_repaired(std::size_t) override { servers_change(); }
  void servers_change() {
    without_room_.clear();
    schedule();
  }

  void schedule() override {
    const bool idle = count(where::runs) + count(where::leaves) == 0;
    if (clears_ && !idle) return;
    clears_ = false;
    const std::vector<std::size_t>& best = heaviest();
    bring_to(best);
    bool all = true;
    for (std::size_t c = 0; c < classes(); ++c) all = all && count(c, where::runs) == best[c];
    if (all || count(where::leaves) > 0 || without_room_.count(best) > 0) return;
    if (idle) {
      without_room_.insert(best);
      return;
    }
    clears_ = true;
    bring_to(std::vector<std::size_t>(classes()));
  }

  // The heaviest schedule: among equal ones that with most jobs of the first class, then of the next one.
  const std::vector<std::size_t>& heaviest() const {
    std::vector<std::size_t> present;
    for (std::size_t c = 0; c < classes(); ++c)
      present.push_back(count(c, where::waits) + count(c, where::runs) + count(c, where::leaves));
    const std::vector<std::size_t>* best = nullptr;
    std::size_t largest = 0;
    for (const std::vector<std::size_t>& one : schedules_) {  // they ascend
      std::size_t weight = 0;
      bool are_there = true;
      for (std::size_t c = 0; c < classes(); ++c) {
        weight += one[c] * present[c];
        are_there = are_there && one[c] <= present[c];
      }
      if (!are_there || (best && weight < largest)) continue;
      best = &one;
      largest = weight;
    }
    return *best;
  }

  // The latest arrivals are too many, the earliest are missing.
  void bring_to(const std::vector<std::size_t>& wanted) {
    for (std::size_t c = 0; c < classes(); ++c)
      for (std::size_t n = jobs().size(); n-- > 0 && count(c, where::runs) > wanted[c];)
        if (is(n, where::runs) && type(n) == c) stop(n, false);
    for (std::size_t c = 0; c < classes(); ++c)
      while (count(c, where::runs) < wanted[c]) {
        const auto next = first_waiting(c);
        if (!next || !fits(*next)) break;
        start(*next);
      }
  }

  const schedules& schedules_;
  std::set<std::vector<std::size_t>> without_room_{};  // on the idle cluster, since servers have changed
  bool clears_ = false;
};

/// Kill and restart: Jaeger, Sagnol, Schmidt genannt Waldschmidt and Warode (2024), the b-scaling strategy. A round
/// ends when all else of its instant has happened.
class plain_kill_restart final : public plain_timeline {
 public:
  /// @param budgets of the first round, in ticks, by class
  plain_kill_restart(const plain_cluster& idle, const course& all, any_server* any, std::vector<double> budgets,
                     double growth)
      : plain_timeline(idle, all, any),
        budgets_(std::move(budgets)),
        growth_(growth),
        rounds_(jobs().size()),
        ends_(jobs().size()) {}

 private:
  void schedule() override {
    const auto turn = [this](std::size_t a, std::size_t b) {
      return rounds_[a] < rounds_[b] || (rounds_[a] == rounds_[b] && a < b);
    };
    for (;;) {
      const auto next = first_waiting(turn, [](std::size_t) { return true; });
      if (!next || !fits(*next)) return;
      start(*next);
      ends_[*next] = time() + budget(*next);
    }
  }

  ticks budget(std::size_t job) const {
    return static_cast<ticks>(std::max(1.0, budgets_[type(job)] * std::pow(growth_, rounds_[job])));
  }

  ticks next_own_event() const override {
    ticks next = never;
    for (std::size_t n = 0; n < jobs().size(); ++n)
      if (is(n, where::runs)) next = std::min(next, ends_[n]);
    return next;
  }
  void own_event() override {
    const bool others_wait = count(where::waits) > 0;
    for (std::size_t n = 0; n < jobs().size(); ++n) {
      if (!is(n, where::runs) || ends_[n] != time()) continue;
      ++rounds_[n];
      if (others_wait)
        stop(n, true);
      else
        ends_[n] = time() + budget(n);
    }
  }

  std::vector<double> budgets_;
  double growth_;
  std::vector<unsigned> rounds_;
  std::vector<ticks> ends_;
};

}  // namespace muster::plain
