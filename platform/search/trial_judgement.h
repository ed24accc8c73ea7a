#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "platform/metrics/sample.h"
#include "platform/search/best_search.h"

namespace muster {

/// Judges the trials of a search: which meet the constraints, which are worse than others, and which are in front.
class trial_judgement {
 public:
  /// @param terms,result outlive it
  trial_judgement(const search_terms& terms, search_result& result) : terms_(terms), result_(result) {}

  /// Forgets the judgements of trials of n replications. Rounds of one look go by the same replications: the last of
  /// them counts.
  void forget(std::uint32_t n) {
    for (trial& t : result_.tried) {
      if (t.replications() < n) continue;
      if (!t.is_excluded()) t.answer = trial::verdict::left;
      std::fill(t.meets.begin(), t.meets.end(), 0);
    }
  }
  /// Judges the trials. All that were measured count, so that the share of a statement does not depend on what is
  /// found. @return whether any was measured
  bool judge_all() {
    std::size_t measured = 0;
    for (const trial& t : result_.tried) measured += t.is_excluded() ? 0 : 1;
    if (measured == 0) return false;
    const std::size_t others = measured - 1, pairs = terms_.objectives.size() > 1 ? measured * others : others;
    result_.statements = std::max<std::size_t>(1, measured * terms_.constraints.size() + pairs);
    const double alpha = result_.error_of_a_statement();
    for (trial& t : result_.tried)
      if (t.is_left()) judge_constraints(t, alpha);
    find_front();
    for (std::size_t i = 0; i < result_.tried.size(); ++i) drop_if_worse(i, alpha);
    return true;
  }
  /// Brings those back that were dropped for none, and judges them by the replications that they have: the best of them
  /// may replace the one that is no candidate any more. @return whether any was brought back
  bool bring_back() {
    std::size_t rounds = 0;
    for (bool any = true; any && rounds < result_.tried.size(); rounds += any ? 1 : 0) {
      std::vector<std::size_t> back;
      for (std::size_t i = 0; i < result_.tried.size(); ++i)
        if (is_dropped_for_none(i)) back.push_back(i);
      for (const std::size_t i : back) result_.tried[i].answer = trial::verdict::left;
      any = !back.empty();
      if (any) judge_all();
    }
    return rounds > 0;
  }

 private:
  void drop_if_worse(std::size_t i, double alpha) {
    trial& t = result_.tried[i];
    if (!t.is_left()) return;
    const auto better = std::find_if(result_.front.begin(), result_.front.end(), [&](std::size_t f) {
      return is_better(result_.tried[f], t, terms_.objectives, alpha);
    });
    if (better == result_.front.end()) return;
    t.answer = trial::verdict::worse;
    dropped_for_[i] = *better;
  }
  // Whether a trial was dropped for one that is no candidate any more: more replications of that one leave it open
  // whether it meets the constraints, or tell that it does not, or it cannot be measured. One that was dropped itself
  // for a better one still counts.
  bool is_dropped_for_none(std::size_t i) const {
    if (result_.tried[i].answer != trial::verdict::worse) return false;
    const trial& better = result_.tried[dropped_for_.at(i)];
    return better.answer != trial::verdict::worse && !(better.is_left() && better.meets_all());
  }
  void judge_constraints(trial& t, double alpha) const {
    for (std::size_t k = 0; k < t.meets.size(); ++k) {
      const search_constraint& bound = terms_.constraints[k];
      if (const int known = judge(bound, t.found[bound.series], alpha); known != 0) t.meets[k] = known;
      if (t.meets[k] < 0) t.answer = trial::verdict::violating;
    }
  }
  void find_front() {
    result_.front.clear();
    std::vector<std::size_t> fit;
    for (std::size_t i = 0; i < result_.tried.size(); ++i)
      if (result_.tried[i].is_left() && result_.tried[i].meets_all()) fit.push_back(i);
    for (const std::size_t i : fit)
      if (std::none_of(fit.begin(), fit.end(), [&](std::size_t other) {
            return excels(result_.tried[other], result_.tried[i], terms_.objectives);
          }))
        result_.front.push_back(i);
    const auto first_objective = [&](std::size_t i) {
      const double mean = mean_of(result_.tried[i].found[terms_.objectives.front().series]);
      return terms_.objectives.front().maximize ? -mean : mean;
    };
    std::sort(result_.front.begin(), result_.front.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(first_objective(a), a) < std::pair(first_objective(b), b);
    });
    if (terms_.objectives.size() == 1 && result_.front.size() > 1) result_.front.resize(1);
  }

  const search_terms& terms_;
  search_result& result_;
  std::map<std::size_t, std::size_t> dropped_for_;  // of a trial that is worse: the better one
};

}  // namespace muster
