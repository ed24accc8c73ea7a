#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platform/search/search_grid.h"

namespace muster {

/// A number of a replication that should be small, or great.
struct search_objective {
  std::size_t series = 0;  ///< its place among the numbers of a replication
  bool maximize = false;
};

/// A bound that the expectation of a number of a replication must meet.
struct search_constraint {
  std::size_t series = 0;
  bool at_most = true;  ///< else at least
  double bound = 0.0;
};

/// A combination of values that was tried.
struct combination {
  enum class verdict {
    left,       ///< none of the others
    worse,      ///< another one, which meets all constraints, is better: of several objectives in each that differs
    violating,  ///< a constraint is violated
    excluded    ///< cannot be tried, measured or recommended
  };

  grid_place place;
  std::vector<std::vector<double>> found{};  ///< by series, by replication
  verdict answer = verdict::left;
  std::string why{};         ///< it was excluded
  std::vector<int> meets{};  ///< by constraint: 1 met, -1 violated, 0 not known

  std::size_t replications() const { return found.front().size(); }
  /// Whether all constraints are known to be met.
  bool meets_all() const;
};

/// What is explored.
struct explored_model {
  struct trial {
    grid_place place;
    std::uint32_t replication = 0;
  };
  struct outcome {
    std::vector<double> found;  ///< by series; empty: nothing that the combination could be judged by
    std::string why{};          ///< there is nothing
  };

  std::size_t series = 1;  ///< numbers of a replication
  /// Why a combination cannot be tried; empty if it can.
  std::function<std::string(const grid_place&)> refuse;
  /// The outcomes of trials, in their order; replications of the same number see the same jobs.
  std::function<std::vector<outcome>(const std::vector<trial>&)> run;
};

struct exploration_terms {
  std::vector<search_objective> objectives{};  ///< at least one
  std::vector<search_constraint> constraints{};
  std::uint32_t replications = 10;  ///< of a combination at most; at least 2
  std::size_t budget = 1000;        ///< replications in all
};

struct exploration_result {
  std::vector<combination> tried;  ///< in the order of trying: the coarse grid first
  std::size_t coarse = 0;          ///< how many of them are of the coarse grid
  /// Of those left that are known to meet all constraints, those that no other of them excels, by the means, in the
  /// order of the first objective: of one objective the best. Empty: none is known to.
  std::vector<std::size_t> front;
  std::size_t spent = 0;      ///< replications
  bool budget_spent = false;  ///< more would have been tried
  std::size_t rounds = 0;     ///< of judgement, at most: each has its share of the 5 %
  /// Statements among which the last round has shared it: which constraints are met, which combination is better.
  std::size_t statements = 0;

  /// The probability of an error that each statement of a round may have, so that all together have 5 %.
  double error_of_a_statement() const { return 0.05 / static_cast<double>(rounds) / static_cast<double>(statements); }
};

/// Seeks the best combination of values of several keys under constraints, or of several objectives the front: the
/// combinations that no other one excels in all of them.
///
/// All combinations have the same jobs. The coarse grid has up to 7 values of each key, fewer if the budget does not
/// allow them, and few replications of each (first_look()). Then the steps are halved, down to those of grid_axis, and
/// the combinations one step around those left are added, and in the finest steps so three times more: those around the
/// best first, as far as three quarters of the budget go, under constraints a half. Those that a test of their own
/// calls violating are not looked around, unless none of those left seems to meet the constraints: then so are those
/// around the others that are nearest to it. Then the replications of those left are doubled, up to their
/// most: of the best first, as far as the budget goes.
///
/// After each of these rounds it is judged by t-tests, paired where combinations are compared, which constraints are
/// met or violated, and which combinations are worse than one that meets all of them; violating and worse ones are
/// dropped. With a probability of 95 % all that is said of constraints is right, and of those tried neither the best
/// nor any of the front is dropped: the error is shared out equally among the rounds, and in each among the constraints
/// of each combination and the comparisons (of one objective of the best with each other combination, of several of all
/// pairs). A number that does not vary over the replications is compared as it is. The best between combinations that
/// were dropped is not found.
///
/// @param axes of the keys
/// @param told after each round, with what there is so far
/// @return every combination is excluded if none could be measured
/// @throws std::invalid_argument if the budget does not allow a first look
exploration_result explore(const std::vector<grid_axis>& axes, const exploration_terms& terms,
                           const explored_model& model, const std::function<void(const exploration_result&)>& told);

}  // namespace muster
