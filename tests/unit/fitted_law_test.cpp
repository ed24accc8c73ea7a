#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "platform/import/fitted_law.h"
#include "platform/random/distribution.h"
#include "platform/random/random_stream.h"

// Laws fitted to samples of known ones.

namespace muster {
namespace {

std::vector<double> drawn(const std::string& law, const distribution_values& values, std::uint64_t seed) {
  constexpr std::size_t jobs = 2'000;
  distribution draw = distribution::make(law, values);
  random_stream bits(seed, 0, "test", "sample");
  std::vector<double> sample;
  while (sample.size() < jobs) sample.push_back(draw(bits));
  return sample;
}

/// A parameter of the law that is expected, and the standard deviation of its estimate times the square root of the
/// number of values. That of a mean is the law's. That of another parameter is at most 1 / sqrt(I), where I is Fisher's
/// information on it with the mean known, and J / I times the deviation of the mean, where J is that on both.
struct parameter {
  std::string name;
  std::vector<double> values, deviations;
};

// Each law, drawn with twenty seeds, is the one that is taken, and its parameters lie within five deviations.
void expect_found(const std::string& law, const distribution_values& values, const std::vector<parameter>& expected) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<double> sample = drawn(law, values, seed);
    const fitted_law fit = fit_laws(sample).front();
    ASSERT_EQ(fit.name, law) << "seed " << seed;
    // The distribution of Kolmogorov: 1.95 / sqrt(n) is passed once in a thousand where no parameter is fitted.
    EXPECT_LT(fit.distance, 1.95 / std::sqrt(sample.size())) << "seed " << seed;
    for (const parameter& p : expected) {
      const std::vector<double>* found = find_values(fit.values, p.name);
      ASSERT_TRUE(found) << p.name;
      for (std::size_t n = 0; n < p.values.size(); ++n)
        EXPECT_NEAR((*found)[n], p.values[n], 5.0 * p.deviations[n] / std::sqrt(sample.size()))
            << p.name << ", seed " << seed;
    }
  }
}

TEST(fitted_law, of_exponential_times_is_exponential) {
  expect_found("exponential", {{"mean", {3.0}}}, {{"mean", {3.0}, {3.0}}});
}

// The information of the variance v of the logarithm is I = (1 + v / 2) / (2 v^2), and J over I and the relative
// deviation of the mean is v / (1 + v / 2). scv = e^v - 1.
TEST(fitted_law, of_lognormal_times_is_lognormal) {
  const double v = std::log(3.0), of_v = v * std::sqrt(2.0 / (1.0 + v / 2.0)) + v / (1.0 + v / 2.0) * std::sqrt(2.0);
  expect_found("lognormal", {{"mean", {100.0}}, {"scv", {2.0}}},
               {{"mean", {100.0}, {100.0 * std::sqrt(2.0)}}, {"scv", {2.0}, {3.0 * of_v}}});
}

// With scale = mean / gamma(1 + 1 / shape), I = 7.58 and J = 0.5 for the logarithm of the mean, at shape 1/2, whose
// deviation is sqrt(5) times the mean.
TEST(fitted_law, of_weibull_times_is_weibull) {
  expect_found("weibull", {{"shape", {0.5}}, {"mean", {7.0}}},
               {{"mean", {7.0}, {7.0 * std::sqrt(5.0)}},
                {"shape", {0.5}, {1.0 / std::sqrt(7.58) + 0.5 / 7.58 * std::sqrt(5.0)}}});
}

// The information of the shape k of a gamma law is I = trigamma(k) - 1 / k, 0.0616 for k = 3, and J = 0.
TEST(fitted_law, of_erlang_times_is_erlang) {
  expect_found("erlang", {{"phases", {3.0}}, {"mean", {10.0}}},
               {{"mean", {10.0}, {10.0 / std::sqrt(3.0)}}, {"phases", {3.0}, {1.0 / std::sqrt(0.0616)}}});
}

// The shape is mean / (mean - least value), and the least value is hardly uncertain: its deviation is shape (shape - 1)
// over the mean times that of the mean.
TEST(fitted_law, of_pareto_times_is_pareto) {
  const double shape = 2.5, deviation = 5.0 / std::sqrt(shape * (shape - 2.0));
  expect_found("pareto", {{"shape", {shape}}, {"mean", {5.0}}},
               {{"mean", {5.0}, {deviation}}, {"shape", {shape}, {shape * (shape - 1.0) / 5.0 * deviation}}});
}

// With branches that far apart nearly every value tells its branch: deviations are those of a share and of the means of
// the values of each branch, taken twice.
TEST(fitted_law, of_hyperexponential_times_is_hyperexponential) {
  expect_found("hyperexponential", {{"probabilities", {0.7, 0.3}}, {"means", {1.0, 100.0}}},
               {{"probabilities", {0.7, 0.3}, {2.0 * std::sqrt(0.21), 2.0 * std::sqrt(0.21)}},
                {"means", {1.0, 100.0}, {2.0 / std::sqrt(0.7), 200.0 / std::sqrt(0.3)}}});
}

// Worked by hand: log-likelihood -n (log m + 1), and the distances are largest at the last value below the mean or at
// the ends.
TEST(fitted_law, of_few_times_is_exponential_with_the_fit_by_hand) {
  const std::vector<fitted_law> laws = fit_laws({2.0, 4.0, 4.0, 6.0});
  ASSERT_EQ(laws.size(), 1u);
  EXPECT_EQ(laws.front().text(), "{ distribution = \"exponential\", mean = 4 }");
  EXPECT_NEAR(*laws.front().log_likelihood, -4.0 * (std::log(4.0) + 1.0), 1e-12);
  EXPECT_NEAR(*laws.front().aic, 2.0 + 8.0 * (std::log(4.0) + 1.0), 1e-12);
  // At 2, 1 - e^(-1/2) are expected below, and nothing is.
  EXPECT_NEAR(laws.front().distance, 1.0 - std::exp(-0.5), 1e-12);
}

TEST(fitted_law, of_equal_times_is_deterministic_without_a_likelihood) {
  const std::vector<fitted_law> laws = fit_laws({60.0, 60.0, 60.0});
  ASSERT_EQ(laws.size(), 1u);
  EXPECT_EQ(laws.front().text(), "{ distribution = \"deterministic\", value = 60 }");
  EXPECT_FALSE(laws.front().log_likelihood || laws.front().aic);
  EXPECT_EQ(laws.front().distance, 0.0);
}

// Whatever the law, the load that it brings is the sample's.
TEST(fitted_law, has_the_mean_of_the_sample_whichever_it_is) {
  const std::vector<double> sample = drawn("bounded_pareto", {{"shape", {0.6}}, {"low", {1.0}}, {"high", {1e4}}}, 1);
  const std::vector<fitted_law> laws = fit_laws(sample);
  EXPECT_GE(laws.size(), 5u);
  for (const fitted_law& law : laws)
    EXPECT_NEAR(distribution::make(law.name, law.values).mean() / moments_of(sample).mean, 1.0, 1e-5) << law.name;
}

}  // namespace
}  // namespace muster
