#include "platform/random/checked_values.h"
#include "platform/random/distribution_entry.h"

namespace muster {

extern const distribution_entry deterministic_distribution{
    "deterministic",
    "always the same",
    {{{"value", "> 0", under_scaling::multiplied}}, {mean_parameter}},
    [](const checked_values& given) -> probability_law {
      const double value = given.above(given.has("value") ? "value" : "mean");
      return {value, 0.0, any_sampler([value](auto&) { return value; })};
    }};

}  // namespace muster
