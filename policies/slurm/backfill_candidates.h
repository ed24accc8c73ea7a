#pragma once

#include <vector>

#include "muster/policies/slurm/backfill_plan.h"

namespace muster {

/// The jobs that may start in a backfill pass: those of classes that fit when it begins. A pass is over when none of
/// them is left for which there is room beside what is reserved.
class backfill_candidates {
 public:
  /// @param nodes, search outlive the object
  backfill_candidates(const node_table& nodes, start_search& search, std::size_t classes)
      : nodes_(nodes), search_(search), of_class_(classes), open_(nodes.size()) {}

  /// Forgets all candidates.
  void clear();
  /// Appends a candidate. @param place in the queue, behind that of the candidate before
  void add(const slurm_job& j, std::size_t place);
  /// Completes the list. Called between the last add() and the first any_may_start().
  void close();
  /// Whether there are none.
  bool empty() const { return left_.empty(); }
  /// Whether there may be room for a candidate from a place in the queue on. No call has a lower place than the one
  /// before, and the plan only loses room in between.
  bool any_may_start(std::size_t place, backfill_plan& plan);

 private:
  /// The candidates of a class, in their order.
  struct list {
    struct candidate {
      std::size_t place;
      ticks limit;  ///< the shortest of this one and those behind it
    };
    std::vector<candidate> all{};
    std::size_t next = 0;  ///< the first one that has not been passed
  };

  const node_table& nodes_;
  start_search& search_;
  table<class_id, list> of_class_;
  std::vector<class_id> left_;  // classes that have candidates which may start
  node_set open_;
};

}  // namespace muster
