#include <cmath>

#include <gtest/gtest.h>

#include "muster/policies/algorithms/linear_equations.h"
#include "platform/metrics/sample.h"
#include "tests/scenario/drawn_arrivals.h"

namespace muster {
namespace {

scenario with_states(const std::string& rates, const std::string& stay, const std::string& text = sample) {
  return first_point(text, {"arrivals.process=modulated", "arrivals.rates=" + rates, "arrivals.stay=" + stay});
}

double dispersion_of(const scenario& model) { return model.arrivals.entry->dispersion(model.arrivals); }

/// Two states between which arrivals change: their rates are known, and the covariance of the rate at two times a
/// distance t apart is variance exp(-t / relaxation).
struct two_states {
  double mean, variance, relaxation;

  two_states(double fast, double slow, double in_fast, double in_slow)
      : mean((fast * in_fast + slow * in_slow) / (in_fast + in_slow)),
        variance((fast - slow) * (fast - slow) * in_fast * in_slow / ((in_fast + in_slow) * (in_fast + in_slow))),
        relaxation(in_fast * in_slow / (in_fast + in_slow)) {}

  // The variance of the number of arrivals in a time.
  double of_count(double time) const {
    return mean * time + 2.0 * variance * relaxation * (time - relaxation * (1.0 - std::exp(-time / relaxation)));
  }
};

// States of 2 s and 1 s at rates 3 and 15, whose mean is 7: 5,000 spans of 20 s each. The mean is within five standard
// deviations, by the variance in the long run. That of the variance is some 2 / n of its square.
TEST(modulated, has_the_mean_and_the_variance_of_the_number_of_arrivals_in_a_span) {
  constexpr std::size_t spans = 5'000;
  const scenario model = with_states("[1, 5]", "[\"2 s\", \"1 s\"]");
  const two_states known{15.0, 3.0, 1.0, 2.0};
  const std::vector<double> counts = counts_of_arrivals(model, 20.0, spans);
  EXPECT_EQ(known.mean, 7.0);
  EXPECT_NEAR(mean_of(counts), 140.0, 5.0 * std::sqrt(140.0 * dispersion_of(model) / spans));
  EXPECT_NEAR(variance_of(counts) / known.of_count(20.0), 1.0, 5.0 * std::sqrt(2.2 / spans));
}

// Rate of each of 2,000 replications in their first half second: the states begin in equilibrium.
TEST(modulated, begins_in_equilibrium) {
  constexpr std::uint32_t replications = 2'000;
  const scenario model = with_states("[1, 5]", "[2, 1]");
  std::vector<double> counts;
  for (std::uint32_t r = 0; r < replications; ++r) counts.push_back(counts_of_arrivals(model, 0.5, 1, r).front());
  const double variance = two_states{15.0, 3.0, 1.0, 2.0}.of_count(0.5);
  EXPECT_NEAR(mean_of(counts), 3.5, 5.0 * std::sqrt(variance / replications));
  EXPECT_NEAR(variance_of(counts) / variance, 1.0, 5.0 * std::sqrt(4.0 / replications));
}

/// 1 + 2 / mean * sum_ij p_i a_i D_ij a_j, for the deviation matrix D = (P - Q)^-1 - P of the generator Q, whose rows
/// of P are the shares p of time, and the rates a.
double dispersion_by_deviation_matrix(const std::vector<double>& rates, const std::vector<double>& stay) {
  const std::size_t n = rates.size();
  double cycle = 0.0, mean = 0.0, sum = 0.0;
  for (const double time : stay) cycle += time;
  matrix equations(n, n), right(n, 1);
  for (std::size_t i = 0; i < n; ++i) mean += rates[i] * stay[i] / cycle;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) equations(i, j) = stay[j] / cycle;
    equations(i, i) += 1.0 / stay[i];
    equations(i, (i + 1) % n) -= 1.0 / stay[i];
    right(i, 0) = rates[i];
  }
  const matrix solved = solve(equations, right);
  for (std::size_t i = 0; i < n; ++i) sum += stay[i] / cycle * rates[i] * (solved(i, 0) - mean);
  return 1.0 + 2.0 * sum / mean;
}

TEST(modulated, has_the_dispersion_of_the_chain_of_its_states) {
  const two_states known{15.0, 3.0, 1.0, 2.0};
  EXPECT_NEAR(dispersion_of(with_states("[1, 5]", "[2, 1]")), 1.0 + 2.0 * known.variance * known.relaxation / 7.0,
              1e-12);
  EXPECT_NEAR(dispersion_of(with_states("[3, 3]", "[2, 1]")), 1.0, 1e-12);
  EXPECT_NEAR(dispersion_of(with_states("[1, 5, 0, 2]", "[2, 1, 3, 0.5]")),
              dispersion_by_deviation_matrix({7.0 * 1.0 * 6.5 / 8.0, 7.0 * 5.0 * 6.5 / 8.0, 0.0, 7.0 * 2.0 * 6.5 / 8.0},
                                             {2.0, 1.0, 3.0, 0.5}),
              1e-9);
}

TEST(modulated, has_the_jobs_of_poisson_arrivals_at_other_times) {
  const auto poisson = drawn_jobs(first_point(sample, {}), 5'000);
  const auto modulated = drawn_jobs(with_states("[0, 5]", "[2, 1]"), 5'000);
  ticks before = 0;
  for (std::size_t i = 0; i < poisson.size(); ++i) {
    ASSERT_EQ(modulated[i].type, poisson[i].type);
    ASSERT_EQ(modulated[i].size, poisson[i].size);
    ASSERT_GE(modulated[i].arrival, before);
    before = modulated[i].arrival;
  }
}

TEST(modulated, is_reported_where_its_keys_are_wrong) {
  const std::string states = with("rate = 7.0", "process = \"modulated\"\nrate = 7.0");
  const auto said_of = [&](const std::string& rates, const std::string& stay) {
    return complaints(states, {"arrivals.rates=" + rates, "arrivals.stay=" + stay});
  };
  EXPECT_EQ(complaints(states, {"arrivals.rates=[1, 2]"}),
            "f.toml:14:1: arrivals.stay: missing; expected an array of numbers");
  EXPECT_EQ(said_of("[1]", "[1]"),
            "--set arrivals.stay=[1]:1:15: arrivals.stay: expected from 2 to 100 numbers, found 1");
  EXPECT_EQ(said_of("[1, 2, 3]", "[1, 2]"),
            "--set arrivals.stay=[1, 2]:1:15: arrivals.stay: expected as many times as there are rates, 3, found 2");
  EXPECT_EQ(said_of("[0, 0]", "[1, 2]"),
            "--set arrivals.rates=[0, 0]:1:16: arrivals.rates: expected at least one rate > 0, found none");
  EXPECT_EQ(said_of("[1, 2]", "[1, 0]"),
            "--set arrivals.stay=[1, 0]:1:19: arrivals.stay: expected a number > 0, found 0");
  EXPECT_EQ(
      said_of("[1, 2]", "[\"1 us\", \"1 us\"]"),
      "--set arrivals.stay=[\"1 us\", \"1 us\"]:1:15: arrivals.stay: between arrivals there are 7.14e+04 cycles of "
      "the states on average; expected at most 10000");
  EXPECT_EQ(complaints(sample, {"arrivals.stay=[1, 2]"}),
            "--set arrivals.stay=[1, 2]:1:15: arrivals.stay: has no effect with process 'poisson'; expected process "
            "'modulated'");
}

}  // namespace
}  // namespace muster
