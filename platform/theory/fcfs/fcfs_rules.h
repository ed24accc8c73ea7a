#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "platform/theory/fcfs/fcfs_chain.h"

namespace muster {

/// The state on which the future of FCFS depends, without the number of jobs that wait behind the first: their classes
/// are independent of all else and need not be known before they come first.
struct fcfs_state {
  static constexpr std::size_t no_head = SIZE_MAX;

  std::vector<std::size_t> in_service;  ///< by class
  std::size_t head = no_head;           ///< class of the first job that waits

  bool operator<(const fcfs_state& other) const {
    return std::tie(in_service, head) < std::tie(other.in_service, other.head);
  }
  /// The number of jobs whose classes are known: those in service and the head.
  std::size_t known() const {
    return std::accumulate(in_service.begin(), in_service.end(), std::size_t{head == no_head ? 0u : 1u});
  }
};

using fcfs_outcomes = std::map<fcfs_state, double>;  ///< states with their probabilities, or rates

/// The transitions of FCFS: jobs start in the order of their arrival, and the first one that does not fit is the head.
class fcfs_rules {
 public:
  /// The number of unseen jobs in a queue that never empties.
  static constexpr std::size_t never_empty = SIZE_MAX;

  /// @param classes of a total arrival rate above 0, none of them needing more than `cores`
  fcfs_rules(std::size_t cores, std::vector<fcfs_class> classes) : cores_(cores), classes_(std::move(classes)) {
    for (const fcfs_class& c : classes_) rate_ += c.arrivals;
  }

  double rate() const { return rate_; }
  double share(std::size_t c) const { return classes_[c].arrivals / rate_; }
  fcfs_state empty() const { return {std::vector<std::size_t>(classes_.size()), fcfs_state::no_head}; }
  double completions(const fcfs_state& state) const {
    double sum = 0.0;
    for (std::size_t c = 0; c < classes_.size(); ++c)
      sum += static_cast<double>(state.in_service[c]) * classes_[c].completions;
    return sum;
  }

  fcfs_outcomes after_arrival(const fcfs_state& state) const {
    if (state.head != fcfs_state::no_head) return {{state, rate_}};
    return look(state, 1, rate_);
  }
  /// @param jobs in the system before
  fcfs_outcomes after_completion(const fcfs_state& state, std::size_t jobs) const {
    fcfs_outcomes all;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      if (state.in_service[c] == 0) continue;
      fcfs_state next = state;
      --next.in_service[c];
      const double rate = static_cast<double>(state.in_service[c]) * classes_[c].completions;
      if (next.head != fcfs_state::no_head && fits(next, next.head)) {
        ++next.in_service[next.head];
        next.head = fcfs_state::no_head;
      }
      const bool waits = next.head != fcfs_state::no_head;
      for (const auto& [reached, part] : waits ? fcfs_outcomes{{next, rate}} : look(next, jobs - state.known(), rate))
        all[reached] += part;
    }
    return all;
  }
  /// Lets unseen jobs start one after the other, until one does not fit. Equal states are merged after
  /// each job, so that they remain few. @param unseen jobs behind those that are known
  fcfs_outcomes look(const fcfs_state& from, std::size_t unseen, double rate) const {
    fcfs_outcomes outcomes, front{{from, rate}};
    for (; unseen > 0 && !front.empty(); --unseen) {
      fcfs_outcomes next;
      for (const auto& [state, part] : front)
        for (std::size_t c = 0; c < classes_.size(); ++c) {
          if (classes_[c].arrivals == 0.0) continue;
          fcfs_state seen = state;
          const bool starts = fits(state, c);
          if (starts)
            ++seen.in_service[c];
          else
            seen.head = c;
          (starts ? next : outcomes)[seen] += part * share(c);
        }
      front = std::move(next);
    }
    for (const auto& [state, part] : front) outcomes[state] += part;
    return outcomes;
  }

 private:
  bool fits(const fcfs_state& state, std::size_t c) const {
    std::size_t busy = classes_[c].need;
    for (std::size_t other = 0; other < classes_.size(); ++other)
      busy += state.in_service[other] * classes_[other].need;
    return busy <= cores_;
  }

  std::size_t cores_;
  std::vector<fcfs_class> classes_;
  double rate_ = 0.0;
};

}  // namespace muster
