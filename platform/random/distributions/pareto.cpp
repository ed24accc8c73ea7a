#include <limits>

#include "platform/random/checked_values.h"
#include "platform/random/distribution_entry.h"
#include "platform/random/pareto_sampler.h"

namespace muster {

namespace {

const distribution_parameter shape_above_one{"shape", "> 1 (else the mean is infinite)"};

}  // namespace

extern const distribution_entry pareto_distribution{
    "pareto",
    "P(X > x) = (scale / x)^shape from scale on",
    {{shape_above_one, {"scale", "> 0", under_scaling::multiplied}}, {shape_above_one, mean_parameter}},
    [](const checked_values& given) -> probability_law {
      constexpr double infinite = std::numeric_limits<double>::infinity();
      const double shape = given.above("shape", 1.0);
      const double scale = given.has("scale") ? given.above("scale") : given.above("mean") * ((shape - 1.0) / shape);
      const double mean = given.has("scale") ? scale * (shape / (shape - 1.0)) : given.above("mean");
      const double variance = shape > 2.0 ? mean * mean / (shape * (shape - 2.0)) : infinite;
      return {scale > 0.0 ? mean : 0.0,
              variance,
              any_sampler(pareto_sampler{shape, scale, infinite, 0.0}),
              true,
              false,
              shape};
    }};

}  // namespace muster
