#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "bare_loop.h"
#include "fast_heap.h"
#include "fast_workload.h"

// A multiserver-job queue as fast as a plain event loop is known to be. It does what a job needs and nothing else:
// there is no record of a job, but a ring of arrival times for each class and a heap of times and classes of the
// completions. Classes are bits of words. A size is drawn when its job starts, and the response time is known and
// counted then, as nothing is preempted. Sizes may have any law: nothing is made of their being memoryless.

namespace muster::bare {

/// Arrival times of the waiting jobs of a class, first in, first out.
class arrival_ring {
 public:
  bool empty() const { return first_ == last_; }
  ticks pop() { return ring_[first_++ & (ring_.size() - 1)]; }
  void push(ticks at) {
    if (last_ - first_ == ring_.size()) grow();
    ring_[last_++ & (ring_.size() - 1)] = at;
  }

 private:
  void grow() {
    std::vector<ticks> larger(ring_.size() * 2);
    for (std::uint64_t i = first_; i < last_; ++i) larger[i & (larger.size() - 1)] = ring_[i & (ring_.size() - 1)];
    ring_.swap(larger);
  }

  std::vector<ticks> ring_ = std::vector<ticks>(64);
  std::uint64_t first_ = 0, last_ = 0;
};

/// What the policies decide on. Classes are numbered in descending order of need, the first at the lowest bit.
class fast_state {
 public:
  std::uint32_t free, running = 0;
  std::uint64_t waiting = 0, in_service = 0;  ///< classes of which some job is

  /// @param k cores
  fast_state(const std::vector<std::uint32_t>& needs, std::uint32_t k, fast_workload& jobs)
      : free(k), jobs_(jobs), rows_(needs.size()), fitting_(k + 1), pending_(needs.size()) {
    if (needs.size() > 64) throw std::invalid_argument("fast_state: more than 64 classes");
    for (std::size_t c = 0; c < rows_.size(); ++c) {
      rows_[c].need = needs[c];
      for (std::size_t n = needs[c]; n <= k; ++n) fitting_[n] |= bit(c);
    }
  }

  bool waits(std::uint32_t c) const { return (waiting & bit(c)) != 0; }
  /// Classes of which a job would fit.
  std::uint64_t fitting() const { return fitting_[free]; }
  static std::uint32_t first_of(std::uint64_t classes) { return static_cast<std::uint32_t>(__builtin_ctzll(classes)); }

  void start(std::uint32_t c) {
    row& r = rows_[c];
    const ticks arrival = r.arrivals.pop();
    if (r.arrivals.empty()) waiting &= ~bit(c);
    in_service |= bit(c);
    ++r.in_service;
    ++running;
    free -= r.need;
    const ticks end = now_ + jobs_.next_size(c);
    pending_.push(end, c);
    ++r.started.completed;
    r.started.response += end - arrival;
  }

  /// Goes on until so many jobs have completed.
  /// @param next instant of the next arrival
  template <class Policy>
  void advance(Policy& decide, std::uint64_t completions, ticks& next) {
    while (completions > 0) {
      if (next < pending_.next()) {
        now_ = next;
        const std::uint32_t c = jobs_.next_type();
        rows_[c].arrivals.push(now_);
        waiting |= bit(c);
        next = jobs_.next_arrival();
        decide(*this);
        continue;
      }
      now_ = pending_.next();
      const std::uint32_t c = pending_.number();
      pending_.pop();
      row& r = rows_[c];
      free += r.need;
      if (--r.in_service == 0) in_service &= ~bit(c);
      --running;
      --completions;
      decide(*this);
      pending_.settle();
    }
    pending_.check(now_);
  }

  /// Begins to count anew.
  void forget() {
    for (row& r : rows_) r.started = {};
  }
  /// The jobs that have started since, by class.
  std::vector<class_result> started() const {
    std::vector<class_result> all;
    for (const row& r : rows_) all.push_back(r.started);
    return all;
  }

 private:
  struct row {
    arrival_ring arrivals;
    std::uint32_t need = 0, in_service = 0;
    class_result started;
  };
  static std::uint64_t bit(std::size_t c) { return std::uint64_t{1} << c; }

  fast_workload& jobs_;
  std::vector<row> rows_;
  std::vector<std::uint64_t> fitting_;  // by free cores
  fast_heap pending_;
  ticks now_ = 0;
};

/// Adaptive Quickswap of bare_loop.h, which never looks at a class of which nobody waits.
struct fast_adaptive_quickswap {
  bool draining = false;

  void operator()(fast_state& s) {
    if (draining) {
      if (s.waiting == 0) return;
      const std::uint32_t largest = fast_state::first_of(s.waiting);
      if ((s.fitting() >> largest & 1) == 0) return;
      s.start(largest);
      draining = false;
    }
    while ((s.waiting & s.fitting()) != 0) s.start(fast_state::first_of(s.waiting & s.fitting()));
    draining = s.waiting != 0 && (s.waiting & s.in_service) == 0;
  }
};

/// @param jobs completions in all
/// @param warm_up completions before those that begin to count
template <class Policy>
std::vector<class_result> run_fast(Policy decide, fast_workload& arrivals, const std::vector<std::uint32_t>& needs,
                                   std::uint32_t k, std::uint64_t jobs, std::uint64_t warm_up) {
  fast_state s(needs, k, arrivals);
  ticks next = arrivals.next_arrival();
  s.advance(decide, warm_up, next);
  s.forget();
  s.advance(decide, jobs - warm_up, next);
  return s.started();
}

}  // namespace muster::bare
