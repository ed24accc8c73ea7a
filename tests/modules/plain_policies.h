#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/modules/plain_timeline.h"

// Rules of policies, written from their sources: at every event they look at all jobs and all classes.

namespace muster::plain {

/// First come, first served, or First-Fit.
class plain_order final : public plain_timeline {
 public:
  /// @param holds_back whether a job that does not fit holds back those behind it
  plain_order(const plain_cluster& idle, const course& all, any_server* any, bool holds_back)
      : plain_timeline(idle, all, any), holds_back_(holds_back) {}

 private:
  void schedule() override {
    for (std::size_t n = 0; n < jobs().size(); ++n) {
      if (!is(n, where::waits)) continue;
      if (fits(n))
        start(n);
      else if (holds_back_)
        return;
    }
  }

  bool holds_back_;
};

/// Most Servers First: Quickswap paper, Section 4.1. The need of a job is its largest share of a resource.
class plain_largest_first final : public plain_timeline {
 public:
  using plain_timeline::plain_timeline;

 private:
  void schedule() override {
    const auto larger = [this](std::size_t a, std::size_t b) { return has_larger_share(a, b); };
    while (const auto next = first_waiting(larger, [this](std::size_t n) { return fits(n); })) start(*next);
  }
};

/// Tetris: Grandl et al. (SIGCOMM 2014), Sections 3.2 to 3.4, of the first jobs of the classes, on the server that
/// aligns best.
class plain_tetris final : public plain_timeline {
 public:
  /// @param idle with the rule `dot_product` @param means sizes of the classes
  plain_tetris(const plain_cluster& idle, const course& all, const std::vector<double>& means)
      : plain_timeline(idle, all, nullptr) {
    const auto most = idle.largest();
    for (std::size_t c = 0; c < classes(); ++c) {
      const plain_need& n = idle.needs[c];
      double held = static_cast<double>(n.cores) / most[0];
      if (n.memory > 0) held += static_cast<double>(n.memory) / most[1];
      if (n.gpu > 0) held += static_cast<double>(n.gpu) / most[2];
      work_.push_back(n.tasks * held * means[c]);
    }
  }

 private:
  void schedule() override {
    for (;;) {
      std::vector<std::size_t> first;
      double alignments = 0.0, work = 0.0;
      for (std::size_t c = 0; c < classes(); ++c) {
        const auto waits = first_waiting(c);
        if (!waits || !fits(*waits)) continue;
        first.push_back(*waits);
        alignments += alignment(c);
        work += work_[c];
      }
      if (first.empty()) return;
      const auto score = [&](std::size_t n) { return alignment(type(n)) - work_[type(n)] * alignments / work; };
      std::sort(first.begin(), first.end());
      std::size_t best = first.front();
      for (const std::size_t n : first)
        if (score(n) > score(best) + 1e-12) best = n;
      start(best);
    }
  }

  double alignment(std::size_t c) const {
    double best = 0.0;
    for (const std::size_t s : cluster().usable(cluster().needs[c]))
      if (cluster().tasks_on(s, c, 1) > 0)
        best = std::max(best, -cluster().score(cluster().servers[s], cluster().needs[c], 1));
    return best;
  }

  std::vector<double> work_{};  // of a job of each class
};

/// Adaptive Quickswap: Quickswap paper, Section 4.4. The need of a job is its largest share of a resource.
class plain_quickswap final : public plain_timeline {
 public:
  using plain_timeline::plain_timeline;

 private:
  void schedule() override {
    const auto larger = [this](std::size_t a, std::size_t b) { return has_larger_share(a, b); };
    if (drains_) {
      const auto largest = first_waiting(larger, [](std::size_t) { return true; });
      if (!largest || !fits(*largest)) return;
      start(*largest);
      drains_ = false;
    }
    const auto that_fits = [this](std::size_t n) { return fits(n); };
    while (const auto next = first_waiting(larger, that_fits)) start(*next);
    bool one_waits_in_vain = false, one_is_renewed = false;
    for (std::size_t c = 0; c < classes(); ++c) {
      const bool waits = count(c, where::waits) > 0, is_served = count(c, where::runs) > 0;
      one_waits_in_vain = one_waits_in_vain || (waits && !is_served);
      one_is_renewed = one_is_renewed || (waits && is_served);
    }
    drains_ = one_waits_in_vain && !one_is_renewed;
  }

  bool drains_ = false;
};

/// Dominant resource fairness: Ghodsi et al. (NSDI 2011), Section 4, with the classes as its users.
class plain_fairness final : public plain_timeline {
 public:
  using plain_timeline::plain_timeline;

 private:
  void schedule() override {
    for (;;) {
      std::optional<std::size_t> poorest;
      std::pair<unsigned long, unsigned long> least;
      for (std::size_t c = 0; c < classes(); ++c) {
        const auto first = first_waiting(c);
        if (!first || !fits(*first)) continue;
        const unsigned long holds = count(c, where::runs) * fraction(c).first, all = fraction(c).second;
        const unsigned long one = holds * least.second, other = least.first * all;
        if (poorest && (one > other || (one == other && *first > *poorest))) continue;
        poorest = first;
        least = {holds, all};
      }
      if (!poorest) return;
      start(*poorest);
    }
  }
};

/// Randomized timers: Psychas and Ghaderi (IEEE/ACM Transactions on Networking 2018). By memorylessness a timer is
/// drawn anew whenever its rate changes, and where it has stood still.
class plain_timers final : public plain_timeline {
 public:
  /// @param rate per tick @param root whether f(Q) is the root of log(1 + Q), or log(1 + Q)
  plain_timers(const plain_cluster& idle, const course& all, any_server* any, double rate, bool root,
               random_numbers& random)
      : plain_timeline(idle, all, any), rate_(rate), root_(root), random_(random), timers_(classes()) {}

 private:
  struct timer {
    ticks due = never;
    std::size_t queue = 0;  // for which it has been drawn
    std::uint64_t number = 0;
  };

  void schedule() override {
    for (std::size_t c = 0; c < classes(); ++c) {
      const std::size_t queue = count(c, where::waits);
      timer& own = timers_[c];
      if (queue == 0 || !cluster().fits(c)) {
        own = {};
      } else if (own.queue != queue) {
        const double log = std::log1p(static_cast<double>(queue)),
                     rate = rate_ * std::exp(root_ ? std::sqrt(log) : log);
        own = {time() + static_cast<ticks>(std::max(1.0, std::round(random_.exponential(1.0 / rate)))), queue,
               ++drawn_};
      }
    }
  }

  // The timer that goes off next, of several at once the one that has been drawn first.
  const timer* next() const {
    const timer* next = nullptr;
    for (const timer& t : timers_)
      if (t.due != never && (!next || t.due < next->due || (t.due == next->due && t.number < next->number))) next = &t;
    return next;
  }
  ticks next_own_event() const override { return next() ? next()->due : never; }
  void own_event() override {
    const auto c = static_cast<std::size_t>(next() - timers_.data());
    timers_[c] = {};
    if (const auto first = first_waiting(c); first && fits(*first)) start(*first);
    schedule();
  }

  double rate_;
  bool root_;
  random_numbers& random_;
  std::vector<timer> timers_;
  std::uint64_t drawn_ = 0;
};

}  // namespace muster::plain
