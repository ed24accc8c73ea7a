#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "platform/search/trial.h"

namespace muster {

/// What a search goes by.
struct search_terms {
  std::vector<search_objective> objectives{};  ///< at least one
  std::vector<search_constraint> constraints{};
  std::uint32_t replications = 10;  ///< of a trial at most; at least 2
  std::size_t budget = 1000;        ///< replications in all
};

/// What a search has found.
struct search_result {
  std::vector<trial> tried{};  ///< in the order of trying: the coarse grid first
  std::size_t coarse = 0;      ///< how many of them are of the coarse grid
  /// The front: trials left that are known to meet all constraints and that no other of them excels, by the means, in
  /// the order of the first objective. Of one objective it is the best. Empty: none is known to meet them.
  std::vector<std::size_t> front{};
  std::size_t spent = 0;      ///< replications
  bool budget_spent = false;  ///< more would have been tried
  bool no_effect = false;     ///< the search ended because all trials found the same, to the last digit
  std::size_t looks = 0;      ///< judgements by which trials are dropped: each has its share of the 5 %
  /// Statements among which the last judgement has shared it: which constraints are met, which trial is better.
  std::size_t statements = 0;
  std::vector<std::string>
      short_windows{};  ///< what is to be known of trials whose windows are too short, a sentence each
  std::map<search_values, std::string> short_trials{};  ///< what is to be known of each of these trials

  /// Whether a trial is of the front.
  bool in_front(const trial& t) const {
    return std::any_of(front.begin(), front.end(), [&](std::size_t f) { return &tried[f] == &t; });
  }
  /// The probability of an error that each statement of a look may have, so that all together have 5 %.
  double error_of_a_statement() const { return 0.05 / static_cast<double>(looks) / static_cast<double>(statements); }
};

/// How many replications of each trial a search looks at first: as many as are left when the most are halved, and
/// halved again, to no fewer than 4.
std::uint32_t first_look(std::uint32_t most);

/// Seeks the best combination of values under constraints, or of several objectives the front: the combinations that no
/// other one excels in all of them.
///
/// All trials have the same jobs. The coarse grid has up to 10 values of one axis, up to 7 of each of several, fewer if
/// half of the budget does not allow them, and first_look() replications of each. Where all of them find the same
/// numbers, to the last digit, and there is no constraint, the search ends there. Else the gaps of the grid are halved,
/// and the combinations beside those left are added, the best first, except beside those that a test of their own calls
/// violating or worse; where no trial seems to meet the constraints, also beside those dropped. In turn the
/// replications of those left are doubled, up to their most; then the gaps are halved down to the finest, and
/// combinations beside those left are added three times more. New trials have as many replications as the others left.
/// A round of these may take a quarter of the budget that is left, the last three an equal share.
///
/// At each number of replications, a look, it is judged by t-tests, paired where trials are compared, which constraints
/// are met or violated, and which trials are worse than one that meets all of them; violating and worse ones are
/// dropped. Where more replications leave open whether a trial meets the constraints, or tell that it does not, those
/// dropped for it come back: what they have found is judged first, and those left get more replications. With a
/// probability of 95 % all that is said of constraints is right, and of those tried neither the best nor any of the
/// front is dropped: the error is shared out equally among the looks, and in each among the constraints of each trial
/// and the comparisons (of one objective of the best with each other trial, of several of all pairs). A number that
/// does not vary over the replications is compared as it is. The best between trials that seem to be worse is not
/// found.
///
/// @param report called after each round, with what there is so far
/// @return every trial is excluded if none could be measured
/// @throws std::invalid_argument if the budget does not allow a first look
search_result seek_best(const search_space& space, const search_terms& terms, const search_model& model,
                        const std::function<void(const search_result&)>& report);

}  // namespace muster
