#include "tests/oracles/multiserver_queue.h"

#include <numeric>

#include <gtest/gtest.h>

// The exact solutions of the multi-server queue against each other: the paper's equations, on several ways, and a
// Markov chain that knows the dynamics only.

namespace muster {
namespace {

using oracle::multiserver_queue;

// Servers 1 and 2 are private to a class each, server 3 is shared (Figure 1).
multiserver_queue three_servers(double rate) { return {{1.0, 1.0, 1.0}, {{0, 2}, {1, 2}}, {rate, rate}}; }
// Class 1 may use both servers, class 2 one of them (Figure 2).
multiserver_queue two_servers(double rate) { return {{1.0, 1.0}, {{0, 1}, {1}}, {rate, rate}}; }
multiserver_queue uneven() { return {{0.5, 2.0, 1.25}, {{0}, {0, 1}, {1, 2}}, {0.06, 0.2, 0.25}}; }

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance) << "class " << i;
}

void expect_product_form(const multiserver_queue& queue, int max_jobs) {
  for (const double interruptions : {0.0, 1.0, 5.0}) {
    const auto solved = solve_multiserver_chain(queue, interruptions, max_jobs);
    ASSERT_LT(solved.lost_share, 1e-8) << "the chain is cut too early to be a judge";
    EXPECT_LT(solved.distance_from_product_form, 1e-10) << interruptions << " interruptions per job";
    expect_near(solved.mean_in_system, means_by_states(queue, max_jobs), 1e-9);
    expect_near(solved.mean_in_system, means_by_active_classes(queue), 1e-6);
  }
}

TEST(multiserver_chain, has_the_product_form_with_and_without_interruptions_on_three_servers) {
  expect_product_form(three_servers(0.38), 15);
}

TEST(multiserver_chain, has_the_product_form_with_and_without_interruptions_on_two_servers) {
  expect_product_form(two_servers(0.24), 15);
}

TEST(multiserver_chain, has_the_product_form_with_and_without_interruptions_on_uneven_servers) {
  expect_product_form(uneven(), 11);
}

TEST(active_classes, agree_with_the_sum_over_states_under_heavier_load) {
  expect_near(means_by_active_classes(three_servers(1.0)), means_by_states(three_servers(1.0), 120), 1e-9);
  expect_near(means_by_active_classes(two_servers(0.6)), means_by_states(two_servers(0.6), 120), 1e-9);
}

TEST(active_classes, give_the_closed_form_of_the_paper_for_three_servers) {
  // Equations 10 and 11 with mu_1 = mu_2 = mu_3 = 1, lambda_1 = lambda_2 and rho = 0.8.
  const double lambda = 1.2, mu = 3.0, rho = 0.8, rho_1 = lambda / 2.0;
  const double gamma = 1.0 / (1.0 / (mu * (1.0 - rho)) + 0.5 / (mu - 4.0 * rho_1 + rho_1 * rho_1));
  expect_near(means_by_active_classes(three_servers(lambda)), {lambda / gamma, lambda / gamma}, 1e-12);
}

TEST(active_classes, give_the_closed_form_of_the_paper_for_two_servers) {
  // Equations 10 and 11 with mu_1 = mu_3 = 1, mu_2 = 0, lambda_1 = lambda_2 and rho = 0.7.
  const double lambda = 0.7, mu = 2.0, rho = 0.7, rho_1 = lambda / 2.0, rho_2 = lambda;
  const double below = mu - 2.0 * rho_1 - rho_2 + rho_1 * rho_2;
  const double gamma_1 = mu * (1.0 - rho);
  const double gamma_2 = 1.0 / (1.0 / (mu * (1.0 - rho)) + (1.0 - rho_1) / (1.0 - rho_2) / below);
  expect_near(means_by_active_classes(two_servers(lambda)), {lambda / gamma_1, lambda / gamma_2}, 1e-12);
}

TEST(active_classes, of_one_server_are_m_m_1) {
  expect_near(means_by_active_classes(multiserver_queue{{2.0}, {{0}}, {1.4}}), {0.7 / 0.3}, 1e-12);
}

TEST(active_classes, refuse_what_is_not_stable) {
  EXPECT_NEAR(three_servers(1.5).load(), 1.0, 1e-12);
  EXPECT_THROW(means_by_active_classes(three_servers(1.5)), std::invalid_argument);
}

TEST(random_assignment, agrees_with_active_classes_where_these_are_few) {
  // Every pair of five servers is a class.
  multiserver_queue pairs{std::vector<double>(5, 1.0), {}, std::vector<double>(10, 0.4)};
  for (std::uint32_t a = 0; a < 5; ++a)
    for (std::uint32_t b = a + 1; b < 5; ++b) pairs.servers_of.push_back({a, b});
  const auto means = means_by_active_classes(pairs);
  EXPECT_NEAR(oracle::mean_under_random_assignment(5, 2, 4.0), std::accumulate(means.begin(), means.end(), 0.0), 1e-9);
}

TEST(random_assignment, agrees_with_the_closed_form_of_gardner_et_al) {
  // "Redundancy-d: the power of d choices for redundancy", Theorem 1, as a mean number of jobs.
  const unsigned servers = 100;
  const double rate = 90.0;
  for (const unsigned drawn : {2U, 3U}) {
    double mean = 0.0;
    for (unsigned i = drawn; i <= servers; ++i) {
      double ratio = 1.0;  // C(servers - 1, drawn - 1) / C(i - 1, drawn - 1)
      for (unsigned j = 1; j < drawn; ++j) ratio *= static_cast<double>(servers - j) / (i - j);
      mean += rate / (servers * ratio - rate);
    }
    EXPECT_NEAR(oracle::mean_under_random_assignment(servers, drawn, rate), mean, 1e-9);
  }
}

}  // namespace
}  // namespace muster
