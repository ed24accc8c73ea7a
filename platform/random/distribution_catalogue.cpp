#include "platform/random/distribution.h"

namespace muster {

const std::vector<distribution_entry>& distribution_catalogue() {
  static const distribution_parameter mean{"mean", "> 0"};
  static const distribution_parameter scv{"scv", "> 0"};
  static const distribution_parameter shape{"shape", "> 0"};
  static const distribution_parameter shape_with_mean{"shape", "> 1 (else the mean is infinite)"};
  static const distribution_parameter scale{"scale", "> 0"};
  static const distribution_parameter phase_mean{"phase_mean", "> 0"};
  static const distribution_parameter two_counts{"phases", "from 1 to 10000, two of them", true, true};
  static const distribution_parameter two_probabilities{"probabilities", "> 0 that add up to 1, two of them", true};
  static const distribution_parameter most{"most", "from 1 to 10000", false, true};
  static const distribution_parameter exponent{"exponent", "> 0"};
  static const std::vector<distribution_entry> all{
      {"exponential", "memoryless", {{mean}, {{"rate", "> 0"}}}},
      {"deterministic", "always the same", {{{"value", "> 0"}}, {mean}}},
      {"uniform", "all values between two ends alike", {{{"low", ">= 0"}, {"high", "> low"}}}},
      {"erlang", "sum of exponential phases that are alike", {{{"phases", "from 1 to 10000", false, true}, mean}}},
      {"hyperexponential",
       "one of several exponential branches, drawn by probability; mean and scv give two branches of equal load",
       {{{"probabilities", "> 0 that add up to 1", true}, {"means", "> 0, one for each probability", true}},
        {mean, {"scv", "> 1"}}}},
      {"lognormal",
       "its logarithm is normal with mean mu and deviation sigma",
       {{mean, scv}, {{"mu", ""}, {"sigma", "> 0"}}}},
      {"pareto", "P(X > x) = (scale / x)^shape from scale on", {{shape_with_mean, scale}, {shape_with_mean, mean}}},
      {"bounded_pareto",
       "pareto with scale low, given that it is at most high",
       {{shape, {"low", "> 0"}, {"high", "> low"}}}},
      {"weibull", "P(X > x) = exp(-(x / scale)^shape)", {{shape, scale}, {shape, mean}}},
      {"bimodal_phases",
       "sum of exponential phases; of two numbers of them one is drawn by probability",
       {{two_counts, two_probabilities, phase_mean}, {two_counts, two_probabilities, mean}}},
      {"zipf_phases",
       "sum of exponential phases; k of them, up to most, are drawn with a probability in proportion to 1 / k^exponent",
       {{most, exponent, phase_mean}, {most, exponent, mean}}},
  };
  return all;
}

}  // namespace muster
