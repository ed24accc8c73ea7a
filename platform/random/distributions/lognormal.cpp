#include <cmath>

#include <boost/random/lognormal_distribution.hpp>

#include "platform/random/checked_values.h"
#include "platform/random/distribution_entry.h"

namespace muster {

extern const distribution_entry lognormal_distribution{
    "lognormal",
    "its logarithm is normal with mean mu and deviation sigma",
    {{mean_parameter, {"scv", "> 0"}}, {{"mu", "", under_scaling::plus_logarithm}, {"sigma", "> 0"}}},
    [](const checked_values& given) -> probability_law {
      const bool by_moments = given.has("scv");
      const double sigma = by_moments ? std::sqrt(std::log1p(given.above("scv"))) : given.above("sigma");
      const double half = sigma * sigma / 2.0;
      const double mu = by_moments ? std::log(given.above("mean")) - half : given.number("mu");
      const double mean = by_moments ? given.above("mean") : std::exp(mu + half);
      const double scv = by_moments ? given.above("scv") : std::expm1(2.0 * half);
      return {mean, scv * mean * mean, any_sampler(boost::random::lognormal_distribution<double>{mu, sigma}), true};
    }};

}  // namespace muster
