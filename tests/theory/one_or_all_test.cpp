#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "muster/policies/algorithms/linear_equations.h"
#include "platform/theory/one_or_all/one_or_all_means.h"
#include "tests/oracles/quickswap_chains.h"

namespace muster {
namespace {

/// Figure 3's workload: k = 32, 90 % light jobs, sizes of mean 1.
one_or_all figure_3(double rate, std::size_t threshold = 31) {
  return {32, threshold, true, 0.9 * rate, 0.1 * rate, 1.0, 1.0};
}

double rate_of_load(double load) { return load / (0.9 / 32.0 + 0.1); }

double all_jobs(double light, double heavy) { return 0.9 * light + 0.1 * heavy; }

double exact_response(const one_or_all& model) {
  const one_or_all_means means = solve_one_or_all(model).means;
  return all_jobs(means.light_response, means.heavy_response);
}

TEST(power_series, of_a_busy_period_has_its_moments) {
  const double arrivals = 0.6, completions = 1.5, load = arrivals / completions;
  const power_series s = busy_period(series_s(), arrivals, completions);
  EXPECT_NEAR(s.at(0), 1.0, 1e-15);
  EXPECT_NEAR(moments_of(s).first, 1.0 / (completions - arrivals), 1e-14);
  EXPECT_NEAR(moments_of(s).second, 2.0 / (completions * completions * std::pow(1.0 - load, 3)), 1e-13);
  // E(B^3) = E(S^3) / (1 - load)^4 + 3 lambda E(S^2)^2 / (1 - load)^5.
  const double cubes = 6.0 / std::pow(completions, 3) / std::pow(1.0 - load, 4) +
                       3.0 * arrivals * 4.0 / std::pow(completions, 4) / std::pow(1.0 - load, 5);
  EXPECT_NEAR(-6.0 * s.at(3), cubes, 1e-12);
}

class exact_msfq : public testing::TestWithParam<std::tuple<int, bool>> {};

// The chain of the oracle is cut far out and solved to 1e-12: another state space, another method.
TEST_P(exact_msfq, agrees_with_the_chain_of_all_states) {
  const auto [threshold, always] = GetParam();
  const double light = 1.1, heavy = 0.25, mu_light = 0.8, mu_heavy = 1.3;
  const auto chain = oracle::msfq(4, threshold, light, heavy, mu_light, mu_heavy,
                                  always ? oracle::msfq_drain::always : oracle::msfq_drain::if_heavy_waits);
  const exact_one_or_all found =
      solve_one_or_all({4, static_cast<std::size_t>(threshold), always, light, heavy, mu_light, mu_heavy});
  ASSERT_LT(std::max(chain.classes[0].lost_share, chain.classes[1].lost_share), 1e-12);
  EXPECT_LE(found.error_bound, 1e-10);
  EXPECT_NEAR(found.means.light_response, chain.classes[0].mean_response_time, 1e-8);
  EXPECT_NEAR(found.means.heavy_response, chain.classes[1].mean_response_time, 1e-8);
  EXPECT_NEAR(found.means.light_jobs, chain.classes[0].mean_in_system, 1e-8);
  for (std::size_t phase = 0; phase <= 4; ++phase)
    EXPECT_NEAR(found.means.phase_share[phase], chain.phase_share[phase], 1e-8) << phase;
  for (std::size_t phase = 1; phase <= (always ? 4 : 2); ++phase)
    EXPECT_NEAR(found.means.phase_duration[phase], chain.phase_duration[phase], 1e-8) << phase;
}

INSTANTIATE_TEST_SUITE_P(every_threshold_and_drain, exact_msfq,
                         testing::Combine(testing::Values(0, 1, 2, 3), testing::Bool()), [](const auto& given) {
                           return fmt::format("threshold_{}_{}", std::get<0>(given.param),
                                              std::get<1>(given.param) ? "always" : "if_heavy_waits");
                         });

TEST(exact_one_or_all, of_threshold_0_is_msf_with_either_drain) {
  const auto chain = oracle::msf(3, {{1, 1.0, 1.0, 150}, {3, 0.3, 1.0, 100}});
  for (const bool always : {true, false}) {
    const one_or_all_means means = solve_one_or_all({3, 0, always, 1.0, 0.3, 1.0, 1.0}).means;
    EXPECT_NEAR(means.light_response, chain.classes[0].mean_response_time, 1e-8);
    EXPECT_NEAR(means.heavy_response, chain.classes[1].mean_response_time, 1e-8);
  }
  const double drains = exact_response(figure_3(7.0, 0));
  one_or_all waits = figure_3(7.0, 0);
  waits.drains_always = false;
  EXPECT_NEAR(exact_response(waits), drains, 1e-9 * drains);
}

// What the drain and the beginning of a light period do not touch: work and in-service jobs by Little's law.
TEST(exact_one_or_all, keeps_the_identities_of_any_policy_at_every_load) {
  for (const std::size_t cores : {2, 32, 64})
    for (const double load : {0.1, 0.6, 0.95})
      for (const bool always : {true, false}) {
        const double rate = load / (0.9 / static_cast<double>(cores) + 0.1);
        const one_or_all model{cores, cores / 2, always, 0.9 * rate, 0.1 * rate, 1.0, 1.0};
        const exact_one_or_all found = solve_one_or_all(model);
        const std::string at = fmt::format("{} cores, load {}, drains always: {}", cores, load, always);
        EXPECT_LE(found.error_bound, 1e-9) << at;
        EXPECT_NEAR(found.means.phase_share[1], model.heavy_load(), 1e-9) << at;
        double all = 0.0;
        for (const double share : found.means.phase_share) all += share;
        EXPECT_NEAR(all, 1.0, 1e-12) << at;
        for (const double p : found.start.few) EXPECT_GE(p, -1e-12) << at;
        EXPECT_GT(found.means.light_response, 1.0) << at;
      }
}

// Of MSF at rate 7 response times agree with so few terms that E(W) does not: the equation between the nodes tells.
TEST(exact_one_or_all, stops_at_the_tolerance_and_keeps_within_its_bound) {
  for (const one_or_all& model : {figure_3(6.0), figure_3(7.0, 0)}) {
    const exact_one_or_all best = solve_one_or_all(model, 0.0);  // as many terms as it ever takes
    std::size_t terms = best.terms;
    for (const double tolerance : {1e-2, 1e-5, 1e-8, 1e-10}) {
      const exact_one_or_all found = solve_one_or_all(model, tolerance);
      EXPECT_LE(found.error_bound, tolerance);
      EXPECT_LE(std::abs(found.means.light_response / best.means.light_response - 1.0), found.error_bound + 1e-13);
      EXPECT_LE(std::abs(found.means.heavy_response / best.means.heavy_response - 1.0), found.error_bound + 1e-13);
      EXPECT_LE(std::abs(found.means.started_light / best.means.started_light - 1.0), found.error_bound + 1e-12);
      terms = std::min(terms, found.terms);
    }
    EXPECT_LT(terms, best.terms) << "the tolerance has no effect";
  }
}

/// First-step equations of M/M/k from `to` + 1 light jobs to `most`. @param arrive whether light jobs are let in
matrix first_steps(const one_or_all& model, std::size_t to, std::size_t most, bool arrive) {
  const std::size_t n = most - to;
  matrix equations = boost::numeric::ublas::zero_matrix<double>(n, n);
  for (std::size_t row = 0; row < n; ++row) {
    const std::size_t jobs = to + 1 + row;
    const double die = static_cast<double>(std::min(jobs, model.cores)) * model.light_completions;
    const double come = arrive && jobs < most ? model.light_arrivals : 0.0;
    equations(row, row) = die + come;
    if (row > 0) equations(row, row - 1) = -die;
    if (come > 0.0) equations(row, row + 1) = -come;
  }
  return equations;
}

/// First two moments of the time from `from` light jobs to `to`, by equations for all numbers of jobs up to one that is
/// never reached.
time_moments naive_descent(const one_or_all& model, std::size_t from, std::size_t to, bool arrive) {
  const std::size_t most = from + (arrive ? 150 : 0);
  const matrix equations = first_steps(model, to, most, arrive);
  const matrix ones = boost::numeric::ublas::scalar_matrix<double>(most - to, 1, 1.0);
  const matrix first = solve(equations, ones);
  const matrix second = solve(equations, 2.0 * first);
  return {first(from - to - 1, 0), second(from - to - 1, 0)};
}

TEST(section_5, lemmas_7_and_8_have_the_moments_of_first_step_equations) {
  for (const std::size_t threshold : {0, 5, 20, 30, 31}) {
    const one_or_all model = figure_3(6.0, threshold);
    const section_5 found = analyse_as_printed(model);
    const auto expect = [&](const time_moments& moments, const time_moments& naive) {
      EXPECT_NEAR(moments.first, naive.first, 1e-10 * naive.first) << threshold;
      EXPECT_NEAR(moments.second, naive.second, 1e-10 * naive.second) << threshold;
    };
    if (threshold < 31) expect(found.phases[3], naive_descent(model, 31, threshold, true));
    if (threshold > 0) expect(found.phases[4], naive_descent(model, threshold, 0, false));
  }
}

TEST(section_5, lemma_4_is_the_mean_over_the_time_spent_with_each_number_of_jobs) {
  for (const std::size_t threshold : {0, 5, 20, 30}) {
    const one_or_all model{32, threshold, true, 20.0, 0.1, 0.9, 1.0};
    const std::size_t most = 400;
    matrix start = boost::numeric::ublas::zero_matrix<double>(1, most - threshold);
    start(0, 31 - threshold - 1) = 1.0;
    const matrix times = solve_left(first_steps(model, threshold, most, true), start);
    double time = 0.0, responses = 0.0;
    for (std::size_t jobs = threshold + 1; jobs <= most; ++jobs) {
      const double spent = times(0, jobs - threshold - 1);
      const double ahead = jobs < 32 ? 0.0 : static_cast<double>(jobs) - 31.0;  // that must leave before it starts
      time += spent;
      responses += spent * (1.0 / 0.9 + ahead / (32.0 * 0.9));
    }
    EXPECT_NEAR(analyse_as_printed(model).light_in_3, responses / time, 1e-10) << threshold;
  }
}

// At rate 7.5 MSF has never fewer than 32 light jobs when they get their turn: Section 5.2's assumption holds, so that
// the lemmas must give the chain's values, each of them.
TEST(section_5, lemmas_are_exact_where_no_phase_is_skipped) {
  const one_or_all model = figure_3(7.5, 0);
  const section_5 found = analyse_as_printed(model);
  const exact_one_or_all exact = solve_one_or_all(model, 1e-12);
  const one_or_all_means& means = exact.means;
  ASSERT_GT(means.many[0], 1.0 - 1e-9);
  for (std::size_t phase = 1; phase <= 3; ++phase) {
    EXPECT_NEAR(found.phase_share[phase], means.phase_share[phase], 1e-9) << phase;
    EXPECT_NEAR(found.phases[phase].first / means.phase_duration[phase], 1.0, 1e-9) << phase;
  }
  EXPECT_NEAR(found.heavy_at_1.first / means.started_heavy, 1.0, 1e-9);
  EXPECT_NEAR(found.light_at_2.first / means.started_light, 1.0, 1e-9);
  EXPECT_NEAR(found.light_at_2.second / (means.started_light_pairs + means.started_light), 1.0, 1e-9);
  // Lemmas 2 and 3 of heavy jobs.
  EXPECT_NEAR(found.heavy_response / means.heavy_response, 1.0, 1e-9);
  // Lemma 3 makes a light job wait for all those ahead of it: for k - 1 too many, at k mu_1, nearly all of them.
  const double too_long = (found.phase_share[1] + found.phase_share[4]) * 31.0 / 32.0;
  EXPECT_NEAR(found.light_response - too_long, means.light_response, 0.01 * too_long);
}

// H_4 + H_1 of Lemma 6: longer drains make longer phases 1, so that its variance is not the sum of theirs.
TEST(section_5, lemma_6_keeps_the_correlation_of_phases_4_and_1) {
  const section_5 found = analyse_as_printed(figure_3(7.0));
  const time_moments& joint = found.drain_and_heavy;
  EXPECT_NEAR(joint.first, found.phases[4].first + found.phases[1].first, 1e-10 * joint.first);
  // A drain that is longer by x brings 0.7 x heavy jobs more, and each makes phase 1 longer by 1 / (1 - 0.7).
  const double covariance = 0.7 / 0.3 * found.phases[4].variance();
  ASSERT_GT(covariance, 1.0);
  EXPECT_NEAR(joint.variance(), found.phases[4].variance() + found.phases[1].variance() + 2.0 * covariance, 1e-8);
}

TEST(section_5, as_printed_misses_by_1_percent_at_rate_7_5_and_by_18_at_rate_4) {
  const auto error = [](double rate) {
    const section_5 printed = analyse_as_printed(figure_3(rate));
    return 100.0 * (all_jobs(printed.light_response, printed.heavy_response) / exact_response(figure_3(rate)) - 1.0);
  };
  EXPECT_NEAR(error(7.5), 1.0, 0.1);
  EXPECT_NEAR(error(4.0), 18.2, 0.1);
}

TEST(section_5, as_printed_knows_its_domain) {
  EXPECT_FALSE(analyse_as_printed(figure_3(4.0)).in_domain);
  EXPECT_LT(analyse_as_printed(figure_3(4.0)).light_at_2.first, 31.0);
  EXPECT_TRUE(analyse_as_printed(figure_3(7.5)).in_domain);
}

TEST(corrected_analysis, is_within_2_percent_at_loads_from_0_6_to_0_95) {
  for (const double load : {0.6, 0.7, 0.8, 0.9, 0.95})
    for (const std::size_t threshold : {0, 8, 16, 24, 31}) {
      const one_or_all model = figure_3(rate_of_load(load), threshold);
      const corrected_analysis found = analyse_corrected(model);
      ASSERT_TRUE(found.converged);
      const one_or_all_means exact = solve_one_or_all(model).means;
      const std::string at = fmt::format("load {}, threshold {}", load, threshold);
      EXPECT_NEAR(all_jobs(found.means.light_response, found.means.heavy_response) /
                      all_jobs(exact.light_response, exact.heavy_response),
                  1.0, 0.02)
          << at;
      EXPECT_NEAR(found.means.light_response / exact.light_response, 1.0, 0.02) << at;
      EXPECT_NEAR(found.means.heavy_response / exact.heavy_response, 1.0, 0.02) << at;
    }
}

TEST(corrected_analysis, is_exact_where_no_phase_is_skipped) {
  const one_or_all model = figure_3(7.5, 0);
  const double exact = exact_response(model);
  const one_or_all_means found = analyse_corrected(model).means;
  EXPECT_NEAR(all_jobs(found.light_response, found.heavy_response), exact, 1e-6 * exact);
}

// At these loads the analysis takes the next threshold for the best.
TEST(best_threshold, is_that_of_all_exact_solutions) {
  for (const auto& [light_share, load] : {std::pair{0.8, 0.6}, {0.9, 0.9}}) {
    const double rate = load / (light_share / 8.0 + 1.0 - light_share);
    one_or_all model{8, 0, true, light_share * rate, (1.0 - light_share) * rate, 1.0, 1.0};
    std::vector<double> values;
    for (model.threshold = 0; model.threshold < model.cores; ++model.threshold) {
      const one_or_all_means means = solve_one_or_all(model, 1e-12).means;
      values.push_back(means.light_jobs + means.heavy_jobs);
    }
    const auto best = static_cast<std::size_t>(std::min_element(values.begin(), values.end()) - values.begin());
    model.threshold = 3;
    EXPECT_EQ(best_threshold(model), best) << load;
    EXPECT_EQ(best_threshold(model), best) << load;  // it remembers
  }
}

// Few cores, where the analysis is wrong by more than its usual error, low loads, where thresholds hardly differ, and
// high ones, where solutions of few terms are far off.
TEST(best_threshold, is_that_of_solving_for_each_threshold) {
  std::minstd_rand random(7);
  const auto uniform = [&] { return static_cast<double>(random()) / static_cast<double>(std::minstd_rand::max()); };
  for (int n = 0; n < 12; ++n) {
    one_or_all model;
    model.cores = 2 + random() % 11;
    model.drains_always = n % 3 > 0;
    model.heavy_completions = std::exp(4.0 * (uniform() - 0.5));
    const double load = 0.05 + 0.87 * uniform(), light = load * uniform();
    model.light_arrivals = light * static_cast<double>(model.cores);
    model.heavy_arrivals = (load - light) * model.heavy_completions;
    std::vector<double> values;
    for (model.threshold = 0; model.threshold < model.cores; ++model.threshold) {
      const one_or_all_means means = solve_one_or_all(model, 1e-9).means;
      values.push_back(means.light_jobs + means.heavy_jobs);
    }
    const double least = *std::min_element(values.begin(), values.end());
    EXPECT_LE(values[best_threshold(model)], least * (1.0 + 1e-5)) << "system " << n;
  }
}

}  // namespace
}  // namespace muster
