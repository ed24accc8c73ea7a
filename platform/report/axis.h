#pragma once

#include <string>
#include <vector>

namespace muster {

/// One axis of a figure.
struct axis {
  struct tick {
    double value;
    std::string text;
  };
  bool logarithmic = false;
  double low = 0.0, high = 1.0;
  std::vector<tick> ticks;

  /// @return 0 at `low`, 1 at `high`; what is not above 0 lies infinitely low on a logarithmic axis
  double at(double value) const;
};

/// Whether the values are all above zero and span more than a decade and a half.
bool wants_logarithm(const std::vector<double>& values);

/// An axis with room for the values, at least one, all finite; above zero if it is to be logarithmic.
axis axis_over(const std::vector<double>& values, bool logarithmic);

/// An axis with a tick for each category, at 0, 1, 2 ...
axis axis_of_categories(const std::vector<std::string>& names);

}  // namespace muster
