#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "muster/policies/slotted/job_order.h"

namespace muster {

/// The next unit of each job that has got cores in the slot being planned, in the order of a job_order.
///
/// The ranks of a job's units seldom fall, so that most units are inserted behind all others: they form a sorted run,
/// where inserting and taking are cheap. The others are in a heap.
class unit_queue {
 public:
  struct unit : job_order::place {
    std::size_t share;  ///< number of the job in the policy
  };

  bool empty() const { return run_is_over() && others_.empty(); }
  const unit& first() const { return first_is_in_run() ? run_[taken_] : others_.front(); }
  unit take_first() {
    if (first_is_in_run()) return run_[taken_++];
    std::pop_heap(others_.begin(), others_.end(), is_later);
    const unit u = others_.back();
    others_.pop_back();
    return u;
  }
  void insert(const unit& u) {
    if (run_is_over()) {
      run_.clear();
      taken_ = 0;
    } else if (u < run_.back()) {
      others_.push_back(u);
      std::push_heap(others_.begin(), others_.end(), is_later);
      return;
    }
    run_.push_back(u);
  }
  void clear() {
    run_.clear();
    taken_ = 0;
    others_.clear();
  }

 private:
  static bool is_later(const unit& a, const unit& b) { return b < a; }
  bool run_is_over() const { return taken_ == run_.size(); }
  bool first_is_in_run() const { return !run_is_over() && (others_.empty() || run_[taken_] < others_.front()); }

  std::vector<unit> run_;
  std::size_t taken_ = 0;  // units at the front of the run that have been taken
  std::vector<unit> others_;
};

}  // namespace muster
