#include <algorithm>
#include <string>

#include <boost/random/gamma_distribution.hpp>

#include "platform/random/checked_values.h"
#include "platform/random/distribution_entry.h"
#include "platform/random/phase_sum.h"

namespace muster {

namespace {

// Draws a sum of exponential phases: from a gamma law of one of two shapes.
struct bimodal_sampler {
  double first_probability;
  boost::random::gamma_distribution<double> first, second;
  template <class Bits>
  double operator()(Bits& bits) {
    return uniform_number(bits) < first_probability ? first(bits) : second(bits);
  }
};

const distribution_parameter two_counts{"phases", "from 1 to 10000, two of them", under_scaling::unchanged, true, true};
const distribution_parameter two_probabilities{"probabilities", "> 0 that add up to 1, two of them",
                                               under_scaling::unchanged, true};

}  // namespace

extern const distribution_entry bimodal_phases_distribution{
    "bimodal_phases",
    "sum of exponential phases; of two numbers of them one is drawn by probability",
    {{two_counts, two_probabilities, {"phase_mean", "> 0", under_scaling::multiplied}},
     {two_counts, two_probabilities, mean_parameter}},
    [](const checked_values& given) -> probability_law {
      const std::vector<double> counts = given.counts("phases", 2);
      const std::vector<double> odds = given.probabilities();
      if (odds.size() != 2) given.refuse("probabilities", std::to_string(odds.size()) + " numbers");
      const double apart = counts[0] - counts[1];
      const double mean_count = odds[0] * counts[0] + odds[1] * counts[1];
      const double phase = mean_of_phase(given, mean_count);
      using sum = boost::random::gamma_distribution<double>;
      return sum_of_phases(given, mean_count, odds[0] * odds[1] * apart * apart, std::min(counts[0], counts[1]), phase,
                           any_sampler(bimodal_sampler{odds[0], sum{counts[0], phase}, sum{counts[1], phase}}));
    }};

}  // namespace muster
