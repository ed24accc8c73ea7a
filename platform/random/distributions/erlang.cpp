#include <boost/random/gamma_distribution.hpp>

#include "platform/random/checked_values.h"
#include "platform/random/distribution_entry.h"
#include "platform/random/phase_sum.h"

namespace muster {

extern const distribution_entry erlang_distribution{
    "erlang",
    "sum of exponential phases that are alike",
    {{{"phases", "from 1 to 10000", under_scaling::unchanged, false, true}, mean_parameter}},
    [](const checked_values& given) -> probability_law {
      const double phases = given.count("phases");
      const double mean = given.above("mean");
      return with_small_times(
          {mean, mean * mean / phases, any_sampler(boost::random::gamma_distribution<double>{phases, mean / phases})},
          are_small_sums(phases));
    }};

}  // namespace muster
