#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "platform/search/search_range.h"

namespace muster {

/// A key of a scenario, and the values of the key among which a search goes.
struct search_axis {
  std::string key;
  search_range range;
};

/// A value of each axis.
using search_values = std::vector<double>;

/// The combinations of values among which a search goes: one value of each axis.
class search_space {
 public:
  /// @param axes at least one
  explicit search_space(std::vector<search_axis> axes) : axes_(std::move(axes)) {}

  const std::vector<search_axis>& axes() const { return axes_; }
  /// The keys of all axes.
  std::vector<std::string> keys() const;
  /// Each value as a TOML value.
  std::vector<std::string> texts(const search_values& values) const;
  /// All values as TOML values, parted by a comma.
  std::string text(const search_values& values) const;
  /// "KEY = VALUE" of each axis.
  std::string assignments(const search_values& values, const char* between = ", ") const;
  /// What a combination is called: "value" where there is one axis, else "combination".
  const char* noun() const { return axes_.size() == 1 ? "value" : "combination"; }

 private:
  std::vector<search_axis> axes_;
};

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
