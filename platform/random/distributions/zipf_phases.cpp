#include <algorithm>
#include <cmath>

#include <boost/random/gamma_distribution.hpp>

#include "platform/random/checked_values.h"
#include "platform/random/distribution_entry.h"
#include "platform/random/phase_sum.h"

namespace muster {

namespace {

// Draws a sum of exponential phases: from a gamma law of a shape from 1 to `most`.
struct zipf_sampler {
  double most, exponent, phase_mean;
  std::vector<double> up_to;  // sums of the weights; made at the first draw, as most distributions have none
  template <class Bits>
  double operator()(Bits& bits) {
    if (up_to.empty()) {
      for (double k = 1.0; k <= most; k += 1.0)
        up_to.push_back((up_to.empty() ? 0.0 : up_to.back()) + std::pow(k, -exponent));
    }
    const auto drawn = std::upper_bound(up_to.begin(), up_to.end(), uniform_number(bits) * up_to.back());
    const auto count = static_cast<double>(std::min(drawn, up_to.end() - 1) - up_to.begin()) + 1.0;
    return boost::random::gamma_distribution<double>{count, phase_mean}(bits);
  }
};

const distribution_parameter most_phases{"most", "from 1 to 10000", under_scaling::unchanged, false, true};
const distribution_parameter zipf_exponent{"exponent", "> 0"};

}  // namespace

extern const distribution_entry zipf_phases_distribution{
    "zipf_phases",
    "sum of exponential phases; k of them, up to most, are drawn with a probability in proportion to 1 / k^exponent",
    {{most_phases, zipf_exponent, {"phase_mean", "> 0", under_scaling::multiplied}},
     {most_phases, zipf_exponent, mean_parameter}},
    [](const checked_values& given) -> probability_law {
      const double most = given.count("most");
      const double exponent = given.above("exponent");
      double total = 0.0, mean_count = 0.0, variance = 0.0;
      // The rarest numbers come first, so that they are not lost in the sum of the others.
      for (double k = most; k >= 1.0; k -= 1.0) {
        const double weight = std::pow(k, -exponent);
        total += weight;
        mean_count += k * weight;
      }
      mean_count /= total;
      for (double k = most; k >= 1.0; k -= 1.0)
        variance += (k - mean_count) * (k - mean_count) * std::pow(k, -exponent) / total;
      const double phase = mean_of_phase(given, mean_count);
      probability_law law =
          sum_of_phases(given, mean_count, variance, 1.0, phase, any_sampler(zipf_sampler{most, exponent, phase, {}}));
      law.heavy_tail = true;
      return law;
    }};

}  // namespace muster
