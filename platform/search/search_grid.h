#pragma once

#include <cstddef>
#include <vector>

#include "platform/search/search_range.h"

namespace muster {

/// The places of an axis: from 0 to the last one.
struct axis_extent {
  std::size_t last = 0;
  bool is_list = false;  ///< they have no order: none lies beside another, and a coarse grid has all of them
};

/// The values of a key that a search over several keys may try: every integer of its range, every step where a step is
/// given, every value of a list, or real numbers in steps of a 96th of it.
class grid_axis {
 public:
  explicit grid_axis(const search_range& range) : range_(range) {}

  axis_extent extent() const;
  /// The value at a place.
  double value(std::size_t place) const;
  const search_range& range() const { return range_; }

 private:
  search_range range_;
};

/// Places on all axes: a combination of values.
using grid_place = std::vector<std::size_t>;

/// Combinations of places on several axes, coarse at first and then finer around some of them.
class search_grid {
 public:
  /// @param most places of an axis in the coarse grid that has an order; at least 2
  search_grid(std::vector<axis_extent> axes, std::size_t most);

  /// All combinations of places in steps of the coarse grid, the ends included.
  std::vector<grid_place> coarse() const;
  /// How often halve() finds a step to halve.
  std::size_t halvings() const;
  /// Halves the steps of all axes.
  void halve();
  /// The combinations at a distance of one step, or none, on each axis that has an order; not the place itself.
  std::vector<grid_place> around(const grid_place& place) const;

 private:
  std::vector<axis_extent> axes_;
  std::vector<std::size_t> step_;
};

}  // namespace muster
