#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platform/search/search_range.h"

namespace muster {

/// A value that was tried.
struct candidate {
  enum class verdict {
    left,     ///< cannot be told apart from the best
    worse,    ///< significantly
    excluded  ///< cannot be tried, measured or recommended
  };

  double value = 0.0;
  std::vector<double> found{};  ///< by replication
  verdict answer = verdict::left;
  std::string why{};  ///< it was excluded
};

/// One replication of a candidate.
struct trial {
  double value = 0.0;
  std::uint32_t replication = 0;
  std::size_t variant = 0;  ///< of the scenario, where a search holds several against each other
};

/// What a trial has found, or why it has found nothing that its value could be judged by.
struct trial_outcome {
  std::optional<double> found;
  std::string why{};
};

/// What is tuned.
struct tuned_model {
  /// Why a value cannot be tried; empty if it can.
  std::function<std::string(double)> refuse;
  /// The outcomes of trials, in their order; replications of the same number see the same jobs.
  std::function<std::vector<trial_outcome>(const std::vector<trial>&)> run;
};

struct narrowing_terms {
  bool maximize = false;
  std::uint32_t replications = 10;  ///< of a candidate at most; at least 2
  std::size_t budget = 200;         ///< replications in all
};

struct narrowing_result {
  std::vector<candidate> candidates;  ///< by value
  std::size_t best = 0;               ///< its place
  std::size_t spent = 0;              ///< replications
  bool budget_spent = false;          ///< the search ended for that reason
  bool no_effect = false;             ///< it ended because all found the same, to the last digit
  std::size_t looks = 0;              ///< for which the comparisons are corrected

  /// For how many comparisons each is corrected: of the best with each other value that was tried, at each look.
  std::size_t comparisons() const { return looks * (candidates.size() - 1); }
};

/// How many replications the first look at the candidates takes: as many as are left when the most are halved, and
/// halved again, to no fewer than 4.
std::uint32_t first_look(std::uint32_t most);

/// Seeks the best value of a range by successive narrowing, with common random numbers.
///
/// Coarse grid, few replications. Those that are significantly worse than the best are dropped (one-sided paired t;
/// Bonferroni over the candidates and the looks, so that the best of those tried is dropped with a probability of 5 %
/// at most). The gaps beside those left are halved, and the replications of those left doubled, in turn. It ends when
/// the replications have come to their most and the gaps are exhausted: no integer between, at most 1 % of the range,
/// or (of real numbers, and not beside the best) between two of those left, which cannot be told apart anyway. A dip
/// between two values that were dropped is not seen. Where the first look finds the same numbers at all values, to the
/// last digit, it ends there.
///
/// @param told after each look, with what there is so far
/// @return every candidate is excluded if none could be measured
/// @throws std::invalid_argument if the budget does not allow a first look
narrowing_result narrow(const search_range& range, const narrowing_terms& terms, const tuned_model& model,
                        const std::function<void(const narrowing_result&)>& told);

}  // namespace muster
