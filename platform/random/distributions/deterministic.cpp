#include "platform/random/checked_values.h"
#include "platform/random/distribution_entry.h"

namespace muster {

namespace {

probability_law deterministic_law(const checked_values& given) {
  const double value = given.above(given.has("value") ? "value" : "mean");
  return {value, 0.0, any_sampler([value](auto&) { return value; })};
}

}  // namespace

extern const distribution_entry deterministic_distribution{
    "deterministic",
    "always the same",
    {{{"value", "> 0", under_scaling::multiplied}}, {mean_parameter}},
    deterministic_law};

}  // namespace muster
