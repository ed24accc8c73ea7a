#pragma once

#include <cstdint>
#include <vector>

#include "muster/modules/source/job_source.h"

namespace muster::bare {

/// What the loop finds for each class, summed over the completions after the warm-up.
struct class_result {
  std::uint64_t completed = 0;
  tick_sum response = 0;
};

/// First come, first served queue of arrival and size.
class fifo {
 public:
  struct entry {
    std::uint64_t arrival, size;
  };

  bool empty() const { return first_ == last_; }
  const entry& front() const { return ring_[first_ & (ring_.size() - 1)]; }
  void pop() { ++first_; }
  void push(const entry& e) {
    if (last_ - first_ == ring_.size()) grow();
    ring_[last_++ & (ring_.size() - 1)] = e;
  }

 private:
  void grow() {
    std::vector<entry> larger(ring_.size() * 2);
    for (std::uint64_t i = first_; i < last_; ++i) larger[i & (larger.size() - 1)] = ring_[i & (ring_.size() - 1)];
    ring_.swap(larger);
  }

  std::vector<entry> ring_ = std::vector<entry>(64);
  std::uint64_t first_ = 0, last_ = 0;
};

/// Pending completions: a binary heap whose top is replaced in place when a completion starts another job.
class completions {
 public:
  struct entry {
    std::uint64_t at, arrival;
    std::uint32_t type;
  };

  bool empty() const { return size() == 0; }
  std::uint64_t next() const { return heap_[0].at; }
  const entry& top() const { return heap_[0]; }
  /// Marks the top as gone.
  void pop() { hole_ = true; }

  void push(const entry& e) {
    if (hole_) {
      hole_ = false;
      sink(e);
      return;
    }
    std::size_t at = heap_.size();
    heap_.push_back(e);
    while (at > 0 && e.at < heap_[(at - 1) / 2].at) {
      heap_[at] = heap_[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    heap_[at] = e;
  }

  /// Closes the gap that pop() has left, if nothing was pushed since.
  void settle() {
    if (!hole_) return;
    hole_ = false;
    const entry last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(last);
  }

 private:
  std::size_t size() const { return heap_.size() - (hole_ ? 1 : 0); }

  void sink(const entry& e) {
    const std::size_t n = heap_.size();
    std::size_t at = 0;
    for (std::size_t child = 1; child < n; child = 2 * at + 1) {
      if (child + 1 < n && heap_[child + 1].at < heap_[child].at) ++child;
      if (e.at <= heap_[child].at) break;
      heap_[at] = heap_[child];
      at = child;
    }
    heap_[at] = e;
  }

  std::vector<entry> heap_;
  bool hole_ = false;
};

/// Counts that the policies below decide on. Classes in descending order of need.
struct state {
  std::vector<std::uint32_t> need;
  std::vector<fifo> waiting;
  std::vector<std::uint32_t> in_service;
  std::uint32_t k = 0, free = 0;
  std::uint32_t running = 0;
  std::uint64_t now = 0;
  completions pending;

  bool waits(std::uint32_t c) const { return !waiting[c].empty(); }

  void start(std::uint32_t c) {
    const fifo::entry e = waiting[c].front();
    waiting[c].pop();
    free -= need[c];
    ++in_service[c];
    ++running;
    pending.push({now + e.size, e.arrival, c});
  }
};

/// MSFQ, written from Section 4.2 for two classes: 0 heavy, 1 light; draining always.
struct msfq {
  std::uint32_t threshold;
  bool light_period = false, draining = false;

  template <class State>
  void operator()(State& s) {
    if (s.running == 0) {
      draining = false;
      light_period = !s.waits(0);
      if (!light_period) s.start(0);
    }
    if (!light_period || draining) return;
    while (s.free > 0 && s.waits(1)) s.start(1);
    draining = s.running > 0 && s.running <= threshold;
  }
};

/// Adaptive Quickswap, written from Section 4.4.
struct adaptive_quickswap {
  bool draining = false;

  void operator()(state& s) {
    const auto classes = static_cast<std::uint32_t>(s.need.size());
    if (draining) {
      std::uint32_t largest = 0;
      while (largest < classes && s.waiting[largest].empty()) ++largest;
      if (largest == classes || s.need[largest] > s.free) return;
      s.start(largest);
      draining = false;
    }
    bool someone_waits = false, served_class_waits = false;
    for (std::uint32_t c = 0; c < classes; ++c) {
      while (s.need[c] <= s.free && !s.waiting[c].empty()) s.start(c);
      if (s.waiting[c].empty()) continue;
      someone_waits = true;
      served_class_waits |= s.in_service[c] > 0;
    }
    draining = someone_waits && !served_class_waits;
  }
};

/// A multiserver-job queue as a plain event loop: no SystemC, no servers, no cores.
/// @param jobs completions in all
/// @param warm_up completions that are not counted
template <class Policy, class Workload>
std::vector<class_result> run(Policy decide, Workload& arrivals, const std::vector<std::uint32_t>& needs,
                              std::uint32_t k, std::uint64_t jobs, std::uint64_t warm_up) {
  state s;
  s.need = needs;
  s.waiting.resize(needs.size());
  s.in_service.resize(needs.size());
  s.k = s.free = k;
  std::vector<class_result> results(needs.size());
  job_request next;
  arrivals.next(next);
  for (std::uint64_t completed = 0; completed < jobs;) {
    if (s.pending.empty() || next.arrival < s.pending.next()) {
      s.now = next.arrival;
      s.waiting[static_cast<std::size_t>(next.type)].push({next.arrival, next.size});
      arrivals.next(next);
      decide(s);
      continue;
    }
    const completions::entry done = s.pending.top();
    s.pending.pop();
    s.now = done.at;
    s.free += s.need[done.type];
    --s.in_service[done.type];
    --s.running;
    if (++completed > warm_up) {
      ++results[done.type].completed;
      results[done.type].response += done.at - done.arrival;
    }
    decide(s);
    s.pending.settle();
  }
  return results;
}

}  // namespace muster::bare
