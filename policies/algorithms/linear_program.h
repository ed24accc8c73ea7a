#pragma once

#include <cstddef>
#include <vector>

namespace muster {

/// A linear program over variables >= 0: the largest weighted sum of them under bounds of rows, which are weighted sums
/// too. Clp's simplex method finds the basis of an optimal vertex, without output. The values are computed from that
/// basis alone, to rounding, so that they do not depend on the tolerances of the method.
///
/// It is for small programs, of hundreds of rows and thousands of variables; each call of maximise() begins anew.
class linear_program {
 public:
  enum class relation { at_most, equal, at_least };
  enum class outcome { optimal, infeasible, unbounded };

  /// A variable's factor in a row.
  struct entry {
    std::size_t row = 0;
    double factor = 0.0;
  };

  struct solution {
    outcome status = outcome::infeasible;
    /// @name Values of an optimal solution
    /// @{
    double value = 0.0;
    std::vector<double> variables;
    /// The dual value of each row: the growth of the value for each unit that is added to the row's bound.
    std::vector<double> prices;
    /// @}
  };

  /// @param bound of the row's sum; finite
  /// @return number of the row, from 0 on
  /// @throws std::invalid_argument if the bound is not finite
  std::size_t add_row(relation to_bound, double bound);
  /// @param weight in the sum to be maximised; finite
  /// @param entries in rows that exist, each row at most once; factors are finite
  /// @return number of the variable, from 0 on
  /// @throws std::invalid_argument for other weights or entries
  std::size_t add_variable(double weight, std::vector<entry> entries);

  std::size_t rows() const { return rows_.size(); }
  std::size_t variables() const { return variables_.size(); }

  /// @throws std::runtime_error if the solver finds no result
  solution maximise() const;

 private:
  /// The vertex with these variables, the others being 0, and with these rows at their bounds.
  solution vertex(const std::vector<std::size_t>& basic, const std::vector<std::size_t>& tight) const;

  struct row {
    relation to_bound;
    double bound;
  };
  struct variable {
    double weight;
    std::vector<entry> entries;
  };

  std::vector<row> rows_;
  std::vector<variable> variables_;
};

}  // namespace muster
