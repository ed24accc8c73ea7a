#pragma once

#include <cstddef>
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

}  // namespace muster
