#pragma once

#include <cstddef>
#include <vector>

#include "platform/experiment/search_range.h"

namespace muster {

/// The values of a key that a search over several keys may try: every integer of its range, every step
/// where a step is given, or real numbers in steps of a 96th of it.
class grid_axis {
 public:
  explicit grid_axis(const search_range& range) : range_(range) {}

  /// The last place; the first one is 0.
  std::size_t last() const;
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
  /// @param last place of each axis
  /// @param most places of an axis in the coarse grid; at least 2
  search_grid(std::vector<std::size_t> last, std::size_t most);

  /// All combinations of places in steps of the coarse grid, the ends included.
  std::vector<grid_place> coarse() const;
  /// How often halve() finds a step to halve.
  std::size_t halvings() const;
  /// Halves the steps of all axes.
  void halve();
  /// The combinations at a distance of one step, or none, on each axis; not the place itself.
  std::vector<grid_place> around(const grid_place& place) const;

 private:
  std::vector<std::size_t> last_, step_;
};

}  // namespace muster
