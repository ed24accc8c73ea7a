#include <limits>
#include <ostream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "platform/random/distribution.h"
#include "tests/refusal.h"

namespace muster {
namespace {

struct mistake {
  std::string name;
  distribution_values values;
  std::string message;
};
std::ostream& operator<<(std::ostream& out, const mistake& m) { return out << m.message; }

class mistaken_distribution : public testing::TestWithParam<mistake> {};

TEST_P(mistaken_distribution, is_refused_with_this_message) {
  EXPECT_EQ(refusal<std::invalid_argument>([] { distribution::make(GetParam().name, GetParam().values); }),
            GetParam().message);
}

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const std::vector<mistake> mistakes{
    {"exponential", {{"mean", {0.0}}}, "mean: expected a number > 0, found 0"},
    {"exponential", {{"mean", {nan}}}, "mean: expected a number > 0, found nan"},
    {"exponential", {{"mean", {infinite}}}, "mean: expected a number > 0, found inf"},
    {"exponential", {{"mean", {}}}, "mean: expected a number > 0, found 0 numbers"},
    {"exponential", {{"mean", {1.0, 2.0}}}, "mean: expected a number > 0, found 2 numbers"},
    {"exponential", {{"rate", {-2.5}}}, "rate: expected a number > 0, found -2.5"},
    {"deterministic", {{"value", {0.0}}}, "value: expected a number > 0, found 0"},
    {"deterministic", {{"mean", {-1.0}}}, "mean: expected a number > 0, found -1"},
    {"uniform", {{"low", {-1.0}}, {"high", {2.0}}}, "low: expected a number >= 0, found -1"},
    {"uniform", {{"low", {2.0}}, {"high", {2.0}}}, "high: expected a number > low, found 2"},
    {"erlang", {{"phases", {2.5}}, {"mean", {1.0}}}, "phases: expected a whole number from 1 to 10000, found 2.5"},
    {"erlang", {{"phases", {0.0}}, {"mean", {1.0}}}, "phases: expected a whole number from 1 to 10000, found 0"},
    {"erlang",
     {{"phases", {10001.0}}, {"mean", {1.0}}},
     "phases: expected a whole number from 1 to 10000, found 10001"},
    {"erlang", {{"phases", {2.0}}, {"mean", {0.0}}}, "mean: expected a number > 0, found 0"},
    {"coxian",
     {{"means", {1.0, 2.0}}, {"onward", {0.5, 0.5}}},
     "onward: expected numbers > 0 and <= 1, one fewer than means, found 2 numbers"},
    {"coxian",
     {{"means", {1.0, 2.0}}, {"onward", {1.5}}},
     "onward: expected numbers > 0 and <= 1, one fewer than means, found 1.5"},
    {"coxian",
     {{"means", {1.0, -2.0}}, {"onward", {0.5}}},
     "means: expected numbers > 0, one for each phase, found -2"},
    {"hyperexponential", {{"mean", {1.0}}, {"scv", {1.0}}}, "scv: expected a number > 1, found 1"},
    {"hyperexponential", {{"mean", {0.0}}, {"scv", {2.0}}}, "mean: expected a number > 0, found 0"},
    {"hyperexponential",
     {{"probabilities", {0.5, 0.4}}, {"means", {1.0, 2.0}}},
     "probabilities: expected numbers > 0 that add up to 1, found a sum of 0.9"},
    {"hyperexponential",
     {{"probabilities", {1.5, -0.5}}, {"means", {1.0, 2.0}}},
     "probabilities: expected numbers > 0 that add up to 1, found -0.5"},
    {"hyperexponential",
     {{"probabilities", {}}, {"means", {}}},
     "probabilities: expected numbers > 0 that add up to 1, found none"},
    {"hyperexponential",
     {{"probabilities", {0.5, 0.5}}, {"means", {1.0, 2.0, 3.0}}},
     "means: expected numbers > 0, one for each probability, found 3 numbers"},
    {"hyperexponential",
     {{"probabilities", {0.5, 0.5}}, {"means", {1.0, 0.0}}},
     "means: expected numbers > 0, one for each probability, found 0"},
    {"lognormal", {{"mean", {0.0}}, {"scv", {1.0}}}, "mean: expected a number > 0, found 0"},
    {"lognormal", {{"mean", {1.0}}, {"scv", {0.0}}}, "scv: expected a number > 0, found 0"},
    {"lognormal", {{"mu", {-infinite}}, {"sigma", {1.0}}}, "mu: expected a number, found -inf"},
    {"lognormal", {{"mu", {0.0}}, {"sigma", {0.0}}}, "sigma: expected a number > 0, found 0"},
    {"pareto",
     {{"shape", {1.0}}, {"scale", {1.0}}},
     "shape: expected a number > 1 (else the mean is infinite), found 1"},
    {"pareto",
     {{"shape", {-1.0}}, {"mean", {1.0}}},
     "shape: expected a number > 1 (else the mean is infinite), found -1"},
    {"pareto", {{"shape", {2.0}}, {"scale", {0.0}}}, "scale: expected a number > 0, found 0"},
    {"pareto", {{"shape", {2.0}}, {"mean", {0.0}}}, "mean: expected a number > 0, found 0"},
    {"bounded_pareto", {{"shape", {-1.0}}, {"low", {1.0}}, {"high", {2.0}}}, "shape: expected a number > 0, found -1"},
    {"bounded_pareto", {{"shape", {1.0}}, {"low", {0.0}}, {"high", {2.0}}}, "low: expected a number > 0, found 0"},
    {"bounded_pareto", {{"shape", {1.0}}, {"low", {3.0}}, {"high", {2.0}}}, "high: expected a number > low, found 2"},
    {"weibull", {{"shape", {0.0}}, {"scale", {1.0}}}, "shape: expected a number > 0, found 0"},
    {"weibull", {{"shape", {1.0}}, {"scale", {0.0}}}, "scale: expected a number > 0, found 0"},
    {"weibull", {{"shape", {1.0}}, {"mean", {0.0}}}, "mean: expected a number > 0, found 0"},

    {"bimodal_phases",
     {{"phases", {25.0}}, {"probabilities", {0.5, 0.5}}, {"mean", {1.0}}},
     "phases: expected whole numbers from 1 to 10000, two of them, found 1 numbers"},
    {"bimodal_phases",
     {{"phases", {25.0, 0.5}}, {"probabilities", {0.5, 0.5}}, {"mean", {1.0}}},
     "phases: expected whole numbers from 1 to 10000, two of them, found 0.5"},
    {"bimodal_phases",
     {{"phases", {25.0, nan}}, {"probabilities", {0.5, 0.5}}, {"mean", {1.0}}},
     "phases: expected whole numbers from 1 to 10000, two of them, found nan"},
    {"bimodal_phases",
     {{"phases", {25.0, 1.0}}, {"probabilities", {1.0}}, {"mean", {1.0}}},
     "probabilities: expected numbers > 0 that add up to 1, two of them, found 1 numbers"},
    {"bimodal_phases",
     {{"phases", {25.0, 1.0}}, {"probabilities", {0.5, 0.4}}, {"mean", {1.0}}},
     "probabilities: expected numbers > 0 that add up to 1, two of them, found a sum of 0.9"},
    {"bimodal_phases",
     {{"phases", {25.0, 1.0}}, {"probabilities", {0.5, 0.5}}, {"phase_mean", {0.0}}},
     "phase_mean: expected a number > 0, found 0"},
    {"bimodal_phases",
     {{"phases", {25.0, 1.0}}, {"probabilities", {0.5, 0.5}}},
     "bimodal_phases: expected {phases, probabilities, phase_mean} or {phases, probabilities, mean}, found {phases, "
     "probabilities}"},
    {"zipf_phases",
     {{"most", {0.0}}, {"exponent", {2.0}}, {"mean", {1.0}}},
     "most: expected a whole number from 1 to 10000, found 0"},
    {"zipf_phases",
     {{"most", {20.5}}, {"exponent", {2.0}}, {"mean", {1.0}}},
     "most: expected a whole number from 1 to 10000, found 20.5"},
    {"zipf_phases",
     {{"most", {200.0}}, {"exponent", {0.0}}, {"mean", {1.0}}},
     "exponent: expected a number > 0, found 0"},
    {"zipf_phases",
     {{"most", {200.0}}, {"exponent", {2.0}}, {"mean", {-1.0}}},
     "mean: expected a number > 0, found -1"},
    {"zipf_phases",
     {{"most", {200.0}}, {"exponent", {2.0}}, {"phase_mean", {infinite}}},
     "phase_mean: expected a number > 0, found inf"},

    // What double precision cannot hold.
    {"weibull",
     {{"shape", {0.001}}, {"mean", {1.0}}},
     "weibull: these values give a mean that is 0 or infinite in double precision"},
    {"lognormal",
     {{"mu", {0.0}}, {"sigma", {100.0}}},
     "lognormal: these values give a mean that is 0 or infinite in double precision"},
    {"exponential",
     {{"rate", {1e-320}}},
     "exponential: these values give a mean that is 0 or infinite in double precision"},

    // Names and forms.
    {"gauss",
     {},
     "distribution: expected one of bimodal_phases, bounded_pareto, coxian, deterministic, erlang, exponential, "
     "hyperexponential, lognormal, pareto, uniform, weibull, zipf_phases, found gauss"},
    {"exponential", {}, "exponential: expected {mean} or {rate}, found {}"},
    {"exponential", {{"mean", {1.0}}, {"rate", {1.0}}}, "exponential: expected {mean} or {rate}, found {mean, rate}"},
    {"erlang", {{"mean", {1.0}}, {"mean", {1.0}}}, "erlang: expected {phases, mean}, found {mean, mean}"},
    {"weibull",
     {{"shape", {1.0}}, {"Scale", {1.0}}},
     "weibull: expected {shape, scale} or {shape, mean}, found {shape, Scale}"},
};

INSTANTIATE_TEST_SUITE_P(messages, mistaken_distribution, testing::ValuesIn(mistakes));

TEST(mistaken_factor, is_refused_with_this_message) {
  EXPECT_EQ(refusal<std::invalid_argument>([] { distribution{}.scaled(-2.0); }),
            "factor: expected a number > 0, found -2");
}

}  // namespace
}  // namespace muster
