#include "killing_queue.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace muster::oracle {

namespace {

using tick = std::uint64_t;
constexpr tick forever = ~tick{0};

struct entrant {
  std::size_t number;
  unsigned round = 0;
  tick completion = forever;  // in service
  tick budget_end = forever;
  std::vector<std::uint32_t> taken = {};  // cores by server
};

class killing_queue {
 public:
  killing_queue(const std::vector<preemptive_job>& jobs, const std::vector<preemptive_class>& classes,
                const std::vector<preemptive_servers>& servers, const preemption_costs& costs,
                const kill_budgets& budgets)
      : jobs_(jobs), classes_(classes), costs_(costs), budgets_(budgets), outcomes_(jobs.size()) {
    for (const preemptive_servers& s : servers)
      for (std::uint32_t n = 0; n < s.count; ++n) {
        capacities_.push_back(s.capacity);
        idle_.push_back(s.cores);
      }
  }

  std::vector<preemptive_outcome> run() {
    while (arrived_ < jobs_.size() || !waiting_.empty() || !serving_.empty()) {
      now_ = next_instant();
      complete();
      while (arrived_ < jobs_.size() && jobs_[arrived_].arrival == now_) {
        waiting_.push_back({arrived_++});
        start();
      }
      budgets_end();
    }
    return outcomes_;
  }

 private:
  tick next_instant() const {
    tick next = arrived_ < jobs_.size() ? jobs_[arrived_].arrival : forever;
    for (const entrant& e : serving_) next = std::min({next, e.completion, e.budget_end});
    return next;
  }

  // Jobs that complete at one instant leave one by one.
  void complete() {
    for (;;) {
      std::size_t first = serving_.size();
      for (std::size_t n = 0; n < serving_.size(); ++n)
        if (serving_[n].completion == now_ && (first == serving_.size() || serving_[n].number < serving_[first].number))
          first = n;
      if (first == serving_.size()) return;
      outcomes_[serving_[first].number].completion = now_;
      leave(first);
      start();
    }
  }

  void budgets_end() {
    const bool any_waits = !waiting_.empty();
    for (std::size_t n = 0; n < serving_.size();) {
      entrant& e = serving_[n];
      if (e.budget_end != now_) {
        ++n;
        continue;
      }
      ++e.round;
      if (any_waits) {
        ++outcomes_[e.number].preemptions;
        waiting_.push_back({e.number, e.round});
        leave(n);
      } else {
        e.budget_end = now_ + budget(e);
        ++n;
      }
    }
    start();
  }

  void leave(std::size_t n) {
    for (std::size_t s = 0; s < idle_.size(); ++s) idle_[s] += serving_[n].taken[s];
    serving_.erase(serving_.begin() + static_cast<std::ptrdiff_t>(n));
  }

  void start() {
    for (;;) {
      const auto next = std::min_element(waiting_.begin(), waiting_.end(), [](const auto& a, const auto& b) {
        return std::tie(a.round, a.number) < std::tie(b.round, b.number);
      });
      std::uint32_t free = 0;
      for (const std::uint32_t cores : idle_) free += cores;
      if (next == waiting_.end() || type(*next).need > free) return;
      serving_.push_back(*next);
      waiting_.erase(next);
      begin(serving_.back());
    }
  }

  void begin(entrant& e) {
    std::uint32_t missing = type(e).need;
    double slowest = HUGE_VAL;
    for (std::size_t s = 0; s < idle_.size(); ++s) {
      e.taken.push_back(std::min(missing, idle_[s]));
      missing -= e.taken[s];
      idle_[s] -= e.taken[s];
      if (e.taken[s] > 0) slowest = std::min(slowest, capacities_[s]);
    }
    const double size = static_cast<double>(jobs_[e.number].size);
    e.completion = now_ + costs_.dispatch_latency + costs_.set_up +
                   std::max<tick>(1, static_cast<tick>(std::llround(size / slowest)));
    e.budget_end = now_ + budget(e);
  }

  tick budget(const entrant& e) const {
    return static_cast<tick>(std::max(1.0, budgets_.first[jobs_[e.number].type] * std::pow(budgets_.growth, e.round)));
  }
  const preemptive_class& type(const entrant& e) const { return classes_[jobs_[e.number].type]; }

  const std::vector<preemptive_job>& jobs_;
  const std::vector<preemptive_class>& classes_;
  const preemption_costs costs_;
  const kill_budgets& budgets_;
  std::vector<double> capacities_;   // by server
  std::vector<std::uint32_t> idle_;  // cores by server
  std::vector<entrant> waiting_, serving_;
  std::vector<preemptive_outcome> outcomes_;
  std::size_t arrived_ = 0;
  tick now_ = 0;
};

}  // namespace

std::vector<preemptive_outcome> serve_and_kill(const std::vector<preemptive_job>& jobs,
                                               const std::vector<preemptive_class>& classes,
                                               const std::vector<preemptive_servers>& servers,
                                               const preemption_costs& costs, const kill_budgets& budgets) {
  return killing_queue(jobs, classes, servers, costs, budgets).run();
}

}  // namespace muster::oracle
