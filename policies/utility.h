#pragma once

#include <cstddef>
#include <vector>

namespace muster {

/// Sums of utilities, exact enough that the order of the additions does not show when the sum is rounded to a double.
#if __LDBL_MANT_DIG__ >= 113
using utility_sum = long double;
#else
__extension__ typedef __float128 utility_sum;
#endif

/// The utility of a slotted job as a function of its completed units of work. Source: ISPEED paper, Section II.
///
/// The utility never decreases, and is 0 before the first unit.
class utility {
 public:
  /// @param gains of the units in their order, the paper's marginal utility gains; at least one, each >= 0, their
  /// sum finite
  /// @throws std::invalid_argument
  explicit utility(std::vector<double> gains);

  /// Units of the whole job (the paper's W).
  unsigned units() const { return static_cast<unsigned>(gains_.size()); }
  /// The utility of that many units. @param done at most units()
  utility_sum of(unsigned done) const { return sums_[done]; }
  /// The utility that the next unit adds. @param done units before it, less than units()
  double gain(unsigned done) const { return gains_[done]; }
  /// The largest mean gain over any number of the next units: the slope at `done` of the least concave function that
  /// is nowhere below the remaining utility. Equals gain() where no gain grows from there on. @param done less than
  /// units()
  double steepest(unsigned done) const { return steepest_[done]; }

  /// Whether no unit adds more than the one before.
  bool concave() const;
  /// The shape parameter of equation 3: 0 if concave; infinite if a unit without gain comes before one with some.
  double alpha() const;

 private:
  std::vector<double> gains_, steepest_;
  std::vector<utility_sum> sums_;
};

}  // namespace muster
