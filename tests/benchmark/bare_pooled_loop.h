#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "muster/modules/server/interruption_timer.h"
#include "muster/modules/source/job_source.h"

namespace muster::bare {

/// Pending events, at most one for each of those that are numbered: a binary heap that knows where everybody stands.
class agenda {
 public:
  struct entry {
    std::uint64_t at, rank;
    std::uint32_t who;

    bool operator<(const entry& other) const { return at != other.at ? at < other.at : rank < other.rank; }
  };

  bool empty() const { return heap_.empty(); }
  const entry& top() const { return heap_[0]; }

  /// Sets the event of `e.who`, or moves it.
  void set(const entry& e) {
    if (e.who >= place_.size()) place_.resize(e.who + 1U, nowhere);
    std::size_t at = place_[e.who];
    if (at == nowhere) {
      at = heap_.size();
      heap_.push_back(e);
    }
    settle(at, e);
  }

  void remove(std::uint32_t who) {
    const std::size_t at = place_[who];
    place_[who] = nowhere;
    const entry last = heap_.back();
    heap_.pop_back();
    if (at < heap_.size()) settle(at, last);
  }

 private:
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  void put(std::size_t at, const entry& e) {
    heap_[at] = e;
    place_[e.who] = static_cast<std::uint32_t>(at);
  }

  void settle(std::size_t at, const entry& e) {
    for (; at > 0 && e < heap_[(at - 1) / 2]; at = (at - 1) / 2) put(at, heap_[(at - 1) / 2]);
    for (std::size_t child = 2 * at + 1; child < heap_.size(); child = 2 * at + 1) {
      if (child + 1 < heap_.size() && heap_[child + 1] < heap_[child]) ++child;
      if (!(heap_[child] < e)) break;
      put(at, heap_[child]);
      at = child;
    }
    put(at, e);
  }

  std::vector<entry> heap_;
  std::vector<std::uint32_t> place_;
};

/// Algorithm 1 of the balanced fairness paper as a plain event loop: no SystemC, no cores, no policy. Each server of
/// capacity 1 has a queue of the jobs that may use it and serves its head, so that nothing is ever searched.
class pooled_loop {
 public:
  struct result {
    std::uint64_t completed = 0;
    tick_sum response = 0;
  };

  /// @param drawn servers of each job
  /// @param timers of the servers; null: none
  pooled_loop(std::uint32_t servers, std::uint32_t drawn, interruption_timer* timers)
      : drawn_(drawn), timers_(timers), queues_(servers) {}

  /// @param jobs completions in all
  /// @param warm_up completions that are not counted
  template <class Workload>
  result run(Workload& arrivals, std::uint64_t jobs, std::uint64_t warm_up) {
    result found;
    job_request next;
    arrivals.next(next);
    for (std::uint64_t completed = 0, arrived = 0; completed < jobs;) {
      if (pending_.empty() || next.arrival < pending_.top().at) {
        now_ = next.arrival;
        arrive(next, arrived++);
        arrivals.next(next);
        continue;
      }
      const agenda::entry event = pending_.top();
      now_ = event.at;
      if (event.who < queues_.size()) {
        const std::uint32_t interrupted = places_[queues_[event.who].head].job;
        release(interrupted, true);
        continue;
      }
      const auto done = event.who - static_cast<std::uint32_t>(queues_.size());
      if (++completed > warm_up) {
        ++found.completed;
        found.response += now_ - jobs_[done].arrival;
      }
      release(done, false);
      idle_.push_back(done);
    }
    return found;
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::uint64_t after_completions = std::uint64_t{1} << 63;

  struct job {
    std::uint64_t number = 0, arrival = 0, since = 0;
    double remaining = 0.0, rate = 0.0;
  };
  /// A job in the queue of one of its servers; the n-th place of job j is number j * drawn + n.
  struct place {
    std::uint32_t job = 0, server = 0, ahead = none, behind = none;
  };
  struct queue {
    std::uint32_t head = none, tail = none;
  };

  void arrive(const job_request& request, std::uint64_t number) {
    if (idle_.empty()) {
      idle_.push_back(static_cast<std::uint32_t>(jobs_.size()));
      jobs_.emplace_back();
      places_.resize(places_.size() + drawn_);
    }
    const std::uint32_t j = idle_.back();
    idle_.pop_back();
    jobs_[j] = {number, request.arrival, now_, static_cast<double>(request.size), 0.0};
    for (std::uint32_t n = 0; n < drawn_; ++n) {
      const std::uint32_t p = j * drawn_ + n;
      places_[p].job = j;
      places_[p].server = static_cast<std::uint32_t>(request.servers[n]);
      append(p);
      if (places_[p].ahead == none) join(places_[p].server);
    }
  }

  /// The job leaves its servers, and its queues or for their ends; its servers go to those who then stand first.
  void release(std::uint32_t j, bool comes_back) {
    settle(jobs_[j]);
    jobs_[j].rate = 0.0;
    pending_.remove(static_cast<std::uint32_t>(queues_.size()) + j);
    freed_.clear();
    for (std::uint32_t p = j * drawn_; p < (j + 1) * drawn_; ++p) {
      const std::uint32_t s = places_[p].server;
      if (queues_[s].head == p) {
        freed_.push_back(s);
        if (timers_) pending_.remove(s);
      }
      unlink(p);
      if (comes_back) append(p);
    }
    for (const std::uint32_t s : freed_)
      if (queues_[s].head != none) join(s);
  }

  /// The server begins to work on the head of its queue.
  void join(std::uint32_t s) {
    const std::uint32_t j = places_[queues_[s].head].job;
    job& served = jobs_[j];
    settle(served);
    served.rate += 1.0;
    const auto left = static_cast<std::uint64_t>(std::llround(served.remaining / served.rate));
    pending_.set({now_ + left, served.number, static_cast<std::uint32_t>(queues_.size()) + j});
    if (timers_) pending_.set({now_ + timers_->next(s), after_completions + served.number, s});
  }

  void settle(job& j) const {
    j.remaining = std::max(0.0, j.remaining - j.rate * static_cast<double>(now_ - j.since));
    j.since = now_;
  }

  void append(std::uint32_t p) {
    queue& q = queues_[places_[p].server];
    places_[p].ahead = q.tail;
    places_[p].behind = none;
    (q.tail == none ? q.head : places_[q.tail].behind) = p;
    q.tail = p;
  }

  void unlink(std::uint32_t p) {
    const place& left = places_[p];
    queue& q = queues_[left.server];
    (left.ahead == none ? q.head : places_[left.ahead].behind) = left.behind;
    (left.behind == none ? q.tail : places_[left.behind].ahead) = left.ahead;
  }

  std::uint32_t drawn_;
  interruption_timer* timers_;
  std::vector<queue> queues_;  // by server
  std::vector<job> jobs_;
  std::vector<place> places_;
  std::vector<std::uint32_t> idle_, freed_;
  agenda pending_;  // interruptions by server, then completions by job
  std::uint64_t now_ = 0;
};

}  // namespace muster::bare
