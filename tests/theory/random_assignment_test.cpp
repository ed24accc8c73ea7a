#include "platform/theory/pooled/balanced_fairness.h"

#include <gtest/gtest.h>

#include "tests/theory/pooled_scenario.h"

namespace muster {
namespace {

/// The recursion over sets of active classes, with a class of its own for each draw; one rate for each class.
std::vector<double> by_recursion(unsigned servers, double capacity, const std::vector<drawing_class>& classes) {
  std::vector<pooled_class_spec> given;
  for (const drawing_class& c : classes) given.push_back({c.load, {}, 1.0, static_cast<std::uint32_t>(c.drawn)});
  const scenario model = pooled({{"node", servers, 1, capacity}}, given);
  const auto split = make_split_graph(model, most_balanced_classes);
  std::vector<double> rates(classes.size());
  const std::vector<double> of_vertices = balanced_service_rates(split.value());
  for (std::size_t v = 0; v < of_vertices.size(); ++v) rates[(*split)[v].index] = of_vertices[v];
  return rates;
}

void expect_same(unsigned servers, double capacity, const std::vector<drawing_class>& classes) {
  const std::vector<double> found = random_assignment_rates(servers, capacity, classes);
  const std::vector<double> expected = by_recursion(servers, capacity, classes);
  for (std::size_t c = 0; c < classes.size(); ++c) EXPECT_NEAR(found[c], expected[c], 1e-11 * expected[c]) << c;
}

TEST(random_assignment, is_the_recursion_with_a_class_for_each_draw) {
  for (const double share : {0.1, 0.7, 0.99}) {
    expect_same(4, 1.5, {{share * 6.0, 2}});
    expect_same(5, 1.0, {{share * 5.0, 3}});
    expect_same(6, 1.0, {{share * 6.0, 2}});
    expect_same(7, 2.0, {{share * 14.0, 6}});
  }
}

TEST(random_assignment, of_classes_with_different_draws_is_the_recursion_too) {
  expect_same(4, 1.0, {{1.2, 1}, {1.9, 2}});
  expect_same(5, 1.0, {{0.8, 1}, {1.6, 2}, {0.7, 4}, {1.4, 5}});
}

TEST(random_assignment, is_the_formula_of_redundancy_d) {
  // S = 3, d = 2: r_2 = load / 3 / 2, r_3 = load / 3.
  const double load = 2.4, r_2 = load / 6.0, r_3 = load / 3.0;
  const double jobs = load / random_assignment_rates(3, 1.0, {{load, 2}}).front();
  EXPECT_NEAR(jobs, r_2 / (1.0 - r_2) + r_3 / (1.0 - r_3), 1e-12);
}

TEST(random_assignment, of_one_server_each_is_a_queue_for_each_server) {
  EXPECT_NEAR(random_assignment_rates(100, 2.0, {{150.0, 1}}).front(), 2.0 - 1.5, 1e-12);
}

TEST(random_assignment, of_all_servers_is_one_queue) {
  EXPECT_NEAR(random_assignment_rates(100, 2.0, {{150.0, 100}}).front(), 200.0 - 150.0, 1e-10);
}

TEST(random_assignment, stays_finite_for_a_thousand_servers_and_grows_with_the_draws) {
  double before = 0.0;
  for (const std::size_t drawn : {1, 2, 3, 30, 500, 999, 1000}) {
    const double gamma = random_assignment_rates(1000, 1.0, {{990.0, drawn}}).front();
    EXPECT_GT(gamma, before) << drawn;
    EXPECT_LE(gamma, static_cast<double>(drawn)) << drawn;
    before = gamma;
  }
}

TEST(chance_within, is_a_ratio_of_binomials) {
  const std::vector<double> chance = chance_within(5, 2);
  const double expected[] = {0.0, 0.0, 0.1, 0.3, 0.6, 1.0};
  ASSERT_EQ(chance.size(), 6u);
  for (std::size_t b = 0; b < 6; ++b) EXPECT_NEAR(chance[b], expected[b], 1e-15) << b;
}

}  // namespace
}  // namespace muster
