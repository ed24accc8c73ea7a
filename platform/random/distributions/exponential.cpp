#include "platform/random/checked_values.h"
#include "platform/random/distribution_entry.h"

namespace muster {

extern const distribution_entry exponential_distribution{
    "exponential",
    "memoryless",
    {{mean_parameter}, {{"rate", "> 0", under_scaling::divided}}},
    [](const checked_values& given) -> probability_law {
      const double rate = given.has("rate") ? given.above("rate") : 1.0 / given.above("mean");
      const double mean = given.has("rate") ? 1.0 / rate : given.above("mean");
      return with_small_times({mean, mean * mean, boost::random::exponential_distribution<double>{rate}});
    }};

}  // namespace muster
