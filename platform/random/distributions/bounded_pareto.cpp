#include <cmath>

#include "platform/random/checked_values.h"
#include "platform/random/distribution_entry.h"
#include "platform/random/pareto_sampler.h"

namespace muster {

extern const distribution_entry bounded_pareto_distribution{
    "bounded_pareto",
    "pareto with scale low, given that it is at most high",
    {{{"shape", "> 0"}, {"low", "> 0", under_scaling::multiplied}, {"high", "> low", under_scaling::multiplied}}},
    [](const checked_values& given) -> probability_law {
      const double shape = given.above("shape");
      const double low = given.above("low");
      const double high = given.above("high", low);
      // The n-th moment is low^n g(shape - n) / g(shape), g(s) the integral of exp(-s t) over t in (0, log(high /
      // low)).
      const double span = std::log1p((high - low) / low);
      const auto g = [span](double s) { return s == 0.0 ? span : -std::expm1(-s * span) / s; };
      const double mean = g(shape - 1.0) / g(shape);
      const double second_moment = g(shape - 2.0) / g(shape);
      return {low * mean, low * low * (second_moment - mean * mean),
              any_sampler(pareto_sampler{shape, low, high, std::exp(-shape * span)}), true};
    }};

}  // namespace muster
