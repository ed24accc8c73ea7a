#include <algorithm>
#include <string>

#include "platform/random/checked_values.h"
#include "platform/random/distribution_entry.h"
#include "platform/random/phase_sum.h"

namespace muster {

namespace {

struct coxian_sampler {
  std::vector<boost::random::exponential_distribution<double>> phases;
  std::vector<double> onward;  // probability that the next phase follows, for all phases but the last

  template <class Bits>
  double operator()(Bits& bits) {
    double sum = phases.front()(bits);
    for (std::size_t i = 1; i < phases.size() && uniform_number(bits) < onward[i - 1]; ++i) sum += phases[i](bits);
    return sum;
  }
};

}  // namespace

extern const distribution_entry coxian_distribution{
    "coxian",
    "exponential phases one after the other; after each but the last the next one follows with probability onward",
    {{{"means", "> 0, one for each phase", under_scaling::multiplied, true},
      {"onward", "> 0 and <= 1, one fewer than means", under_scaling::unchanged, true}}},
    [](const checked_values& given) -> probability_law {
      const std::vector<double>& means = given.list_above_zero("means");
      const std::vector<double>& onward = given.list_above_zero("onward");
      if (onward.size() + 1 != means.size()) given.refuse("onward", std::to_string(onward.size()) + " numbers");
      for (const double p : onward)
        if (p > 1.0) given.refuse("onward", p);
      coxian_sampler draw{{}, onward};
      for (const double mean : means) draw.phases.emplace_back(1.0 / mean);
      // Moments of the time that is left when a phase begins: that phase, and, if the next one follows, the time that
      // is left when that begins.
      double mean = 0.0, second_moment = 0.0;
      for (std::size_t i = means.size(); i-- > 0;) {
        const double p = i < onward.size() ? onward[i] : 0.0;
        second_moment = 2.0 * means[i] * means[i] + 2.0 * means[i] * p * mean + p * second_moment;
        mean = means[i] + p * mean;
      }
      const auto first_end = std::find_if(onward.begin(), onward.end(), [](double p) { return p < 1.0; });
      return with_small_times({mean, second_moment - mean * mean, any_sampler(draw)},
                              are_small_sums(1.0 + static_cast<double>(first_end - onward.begin())));
    }};

}  // namespace muster
