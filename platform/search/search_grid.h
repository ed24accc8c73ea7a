#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "platform/search/search_space.h"

namespace muster {

/// Combinations of the values of a space, coarse at first and then finer around some of them. Of real numbers the gaps
/// are halved down to about a hundredth of the range.
class search_grid {
 public:
  /// @param most values of an axis in the coarse grid, see search_range::coarse(); at least 2
  search_grid(const search_space& space, std::size_t most);

  /// All combinations of the coarse values of each axis.
  std::vector<search_values> coarse() const;
  /// How often halve() finds a gap to halve.
  std::size_t halvings() const;
  /// Halves the gaps between the values of each axis that has an order.
  void halve() { ++level_; }
  /// The combinations of the next values, or the same one, of each axis that has an order; not the combination itself.
  std::vector<search_values> around(const search_values& values) const;

 private:
  std::optional<double> beside(std::size_t axis, double value, bool above) const;

  const search_space& space_;
  std::vector<std::vector<double>> coarse_;  // of each axis
  std::size_t level_ = 0;                    // how often gaps have been halved
};

}  // namespace muster
