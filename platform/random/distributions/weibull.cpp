#include <cmath>

#include <boost/random/weibull_distribution.hpp>

#include "platform/random/checked_values.h"
#include "platform/random/distribution_entry.h"

namespace muster {

extern const distribution_entry weibull_distribution{
    "weibull",
    "P(X > x) = exp(-(x / scale)^shape)",
    {{{"shape", "> 0"}, {"scale", "> 0", under_scaling::multiplied}}, {{"shape", "> 0"}, mean_parameter}},
    [](const checked_values& given) -> probability_law {
      const double shape = given.above("shape");
      const double first = std::tgamma(1.0 + 1.0 / shape);
      const double scale = given.has("scale") ? given.above("scale") : given.above("mean") / first;
      const double mean = given.has("scale") ? scale * first : given.above("mean");
      const double scv = std::tgamma(1.0 + 2.0 / shape) / first / first - 1.0;
      return with_small_times({scale > 0.0 ? mean : 0.0, scv * mean * mean,
                               any_sampler(boost::random::weibull_distribution<double>{shape, scale}), shape < 1.0},
                              shape <= 2.0);
    }};

}  // namespace muster
