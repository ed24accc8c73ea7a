#include <cmath>
#include <string>

#include <boost/random/hyperexponential_distribution.hpp>

#include "platform/random/checked_values.h"
#include "platform/random/distribution_entry.h"

namespace muster {

namespace {

using branches = boost::random::hyperexponential_distribution<double>;

// Both branches carry half the mean.
probability_law two_branches(double mean, double scv) {
  // rare is 1 - likely, without the cancellation where scv is large.
  const double skew = std::sqrt((scv - 1.0) / (scv + 1.0));
  const double likely = (1.0 + skew) / 2.0;
  const double rare = 1.0 / ((scv + 1.0) * (1.0 + skew));
  const std::vector<double> rates{2.0 * likely / mean, 2.0 * rare / mean};
  const std::vector<double> odds{likely, rare};
  return with_small_times({mean, scv * mean * mean, any_sampler(branches{odds, rates})});
}

}  // namespace

extern const distribution_entry hyperexponential_distribution{
    "hyperexponential",
    "one of several exponential branches, drawn by probability; mean and scv give two branches of equal load",
    {{{"probabilities", "> 0 that add up to 1", under_scaling::unchanged, true},
      {"means", "> 0, one for each probability", under_scaling::multiplied, true}},
     {mean_parameter, {"scv", "> 1"}}},
    [](const checked_values& given) -> probability_law {
      if (given.has("scv")) {
        const double mean = given.above("mean");
        return two_branches(mean, given.above("scv", 1.0));
      }
      const std::vector<double> odds = given.probabilities();
      const std::vector<double>& means = given.list_above_zero("means");
      if (means.size() != odds.size()) given.refuse("means", std::to_string(means.size()) + " numbers");
      std::vector<double> rates;
      double mean = 0.0, second_moment = 0.0;
      for (std::size_t i = 0; i < odds.size(); ++i) {
        rates.push_back(1.0 / means[i]);
        mean += odds[i] * means[i];
        second_moment += odds[i] * 2.0 * means[i] * means[i];
      }
      return with_small_times({mean, second_moment - mean * mean, any_sampler(branches{odds, rates})});
    }};

}  // namespace muster
