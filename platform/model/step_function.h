#pragma once

#include <optional>
#include <vector>

namespace muster {

/// A value over time that is constant from one step to the next, such as a tariff.
struct step_function {
  struct step {
    double from = 0.0;  ///< in units of time
    double value = 0.0;
  };

  std::vector<step> steps;         ///< at least one, each later than the one before; the first also holds before it
  std::optional<double> period{};  ///< after which all comes again, > the last `from`; none: the last value holds on
};

}  // namespace muster
