#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "platform/search/best_search.h"

namespace muster {

/// Judges the trials of a search: which meet the constraints, which are worse than others, and which are in front.
class trial_judgement {
 public:
  /// @param terms,result outlive it
  trial_judgement(const search_terms& terms, search_result& result) : terms_(terms), result_(result) {}

  /// Forgets the judgements of trials of n replications. Rounds of one look go by the same replications: the last of
  /// them counts.
  void forget(std::uint32_t n);
  /// Judges the trials. All that were measured count, so that the share of a statement does not depend on what is
  /// found. @return whether any was measured
  bool judge_all();
  /// Brings those back that were dropped for none, and judges them by the replications that they have: the best of them
  /// may replace the one that is no candidate any more. @return whether any was brought back
  bool bring_back();

 private:
  void drop_if_worse(std::size_t i, double alpha);
  bool is_dropped_for_none(std::size_t i) const;
  void judge_constraints(trial& t, double alpha) const;
  void find_front();

  const search_terms& terms_;
  search_result& result_;
  std::map<std::size_t, std::size_t> dropped_for_;  // of a trial that is worse: the better one
};

}  // namespace muster
