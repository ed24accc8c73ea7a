#include "platform/random/checked_values.h"
#include "platform/random/distribution_entry.h"

namespace muster {

namespace {

probability_law exponential_law(const checked_values& given) {
  const double rate = given.has("rate") ? given.above("rate") : 1.0 / given.above("mean");
  const double mean = given.has("rate") ? 1.0 / rate : given.above("mean");
  return {mean, mean * mean, boost::random::exponential_distribution<double>{rate}};
}

}  // namespace

extern const distribution_entry exponential_distribution{
    "exponential", "memoryless", {{mean_parameter}, {{"rate", "> 0", under_scaling::divided}}}, exponential_law};

}  // namespace muster
