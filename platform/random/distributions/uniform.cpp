#include <boost/random/uniform_real_distribution.hpp>

#include "platform/random/checked_values.h"
#include "platform/random/distribution_entry.h"

namespace muster {

extern const distribution_entry uniform_distribution{
    "uniform",
    "all values between two ends alike",
    {{{"low", ">= 0", under_scaling::multiplied}, {"high", "> low", under_scaling::multiplied}}},
    [](const checked_values& given) -> probability_law {
      const double low = given.at_least("low", 0.0);
      const double high = given.above("high", low);
      const double width = high - low;
      return with_small_times({low + width / 2.0, width * width / 12.0,
                               any_sampler(boost::random::uniform_real_distribution<double>{low, high})},
                              low == 0.0);
    }};

}  // namespace muster
