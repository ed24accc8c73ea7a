#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "bare_pooled_loop.h"
#include "muster/policies/utility.h"

namespace muster::bare {

/// ISPEED without costs as a plain loop over slots: no SystemC, no cores, no policy. As nothing is lost, a unit that is
/// given out is done by the end of its slot, so that no job's rank ever has to be looked at again.
class slotted_loop {
 public:
  struct result {
    std::uint64_t completed = 0;
    tick_sum response = 0;  // of the completed
    utility_sum utility = 0;
  };

  /// @param slot length
  /// @param worth of the jobs of each class
  slotted_loop(unsigned cores, ticks slot, std::vector<const utility*> worth)
      : cores_(cores), slot_(slot), worth_(std::move(worth)) {}

  /// @param jobs that leave in all, complete or not
  template <class Workload>
  result run(Workload& arrivals, std::uint64_t jobs) {
    result found;
    job_request next;
    arrivals.next(next);
    for (std::uint64_t left = 0, arrived = 0;; now_ += slot_) {
      for (const std::uint32_t j : complete_) {
        ++found.completed;
        found.response += now_ - jobs_[j].arrival;
        found.utility += leave(j);
        if (++left == jobs) return found;
      }
      for (complete_.clear(); !deadlines_.empty() && deadlines_.top().at == now_;) {
        found.utility += leave(deadlines_.top().who);
        if (++left == jobs) return found;
      }
      if (ranked_.empty()) now_ = std::max(now_, (next.arrival + slot_ - 1) / slot_ * slot_);
      for (; next.arrival <= now_; arrivals.next(next)) arrive(next, arrived++);
      serve();
    }
  }

 private:
  struct job {
    std::uint64_t number = 0, arrival = 0;
    const utility* worth = nullptr;
    unsigned done = 0;
    bool has_deadline = false;
  };

  void arrive(const job_request& request, std::uint64_t number) {
    if (idle_.empty()) {
      idle_.push_back(static_cast<std::uint32_t>(jobs_.size()));
      jobs_.emplace_back();
    }
    const std::uint32_t j = idle_.back();
    idle_.pop_back();
    const std::uint64_t deadline = *request.deadline;
    jobs_[j] = {number, request.arrival, worth_[static_cast<std::size_t>(request.type)], 0, deadline > 0};
    ranked_.set({rank(jobs_[j]), number, j});
    if (deadline > 0) deadlines_.set({deadline * slot_, number, j});
  }

  void serve() {
    for (unsigned cores = cores_; cores > 0 && !ranked_.empty(); --cores) {
      const std::uint32_t best = ranked_.top().who;
      job& served = jobs_[best];
      if (++served.done < served.worth->units()) {
        ranked_.set({rank(served), served.number, best});
      } else {
        ranked_.remove(best);
        complete_.push_back(best);
      }
    }
    std::sort(complete_.begin(), complete_.end(),
              [this](std::uint32_t a, std::uint32_t b) { return jobs_[a].number < jobs_[b].number; });
  }

  /// @return what the job has earned
  utility_sum leave(std::uint32_t j) {
    const job& left = jobs_[j];
    if (left.has_deadline) deadlines_.remove(j);
    if (left.done < left.worth->units()) ranked_.remove(j);
    idle_.push_back(j);
    return left.worth->of(left.done);
  }

  // The less, the more the next unit adds: bits of numbers >= 0 are in the order of the numbers.
  static std::uint64_t rank(const job& j) {
    const double gain = j.worth->steepest(j.done);
    std::uint64_t bits;
    std::memcpy(&bits, &gain, sizeof bits);
    return ~bits;
  }

  const unsigned cores_;
  const ticks slot_;
  const std::vector<const utility*> worth_;  // by class
  std::vector<job> jobs_;
  std::vector<std::uint32_t> idle_, complete_;
  agenda ranked_, deadlines_;  // by job
  ticks now_ = 0;
};

}  // namespace muster::bare
