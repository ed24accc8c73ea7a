#include "platform/experiment/stopping_rules.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "tests/experiment/single_class.h"

namespace muster {
namespace {

/// Replications are added as replication_plan does it. @return replications of each, and whether any is undecided
std::pair<std::vector<std::size_t>, bool> run(const comparison_rule& rule, const scenario& model,
                                              std::vector<std::function<double(double)>> policies,
                                              std::mt19937_64& bits) {
  std::normal_distribution<double> normal;
  std::vector<std::vector<replication_result>> found(policies.size());
  std::vector<bool> undecided(policies.size(), true);
  const std::uint32_t limit = model.run.precision->most_replications;
  std::vector<double> of_jobs;
  for (std::uint32_t n = model.run.first_look();; n = precision_spec::next_look(n, limit)) {
    while (of_jobs.size() < n) of_jobs.push_back(normal(bits));
    for (std::size_t p = 0; p < policies.size(); ++p)
      while (undecided[p] && found[p].size() < n)
        found[p].push_back(with_response_time(policies[p](of_jobs[found[p].size()]) + 0.01 * normal(bits)));
    std::vector<const std::vector<replication_result>*> seen;
    for (const auto& of_policy : found) seen.push_back(&of_policy);
    undecided = rule.undecided(seen);
    const bool any = std::any_of(undecided.begin(), undecided.end(), [](bool open) { return open; });
    if (any && n < limit) continue;
    std::vector<std::size_t> counts;
    for (const auto& of_policy : found) counts.push_back(of_policy.size());
    return {counts, any};
  }
}

// What the documentation says of the error rates, over all looks. Policies that are equal vary by 1 % each beside what
// the jobs bring to all of them, and the margin is so small that they are never called equal.
TEST(comparison_rule, tells_equal_policies_apart_in_one_run_of_twenty_at_most) {
  const scenario model = single_class(1, 0.5, "jobs = 100\nequal_within = 0.00001\nmost_replications = 100");
  const comparison_rule rule(model, 3);
  std::mt19937_64 bits(1);
  const auto equal = [](double of_jobs) { return 1.0 + 0.1 * of_jobs; };
  int wrong = 0;
  constexpr int runs = 400;
  for (int i = 0; i < runs; ++i) {
    const auto counts = run(rule, model, {equal, equal, equal}, bits).first;
    wrong += counts != std::vector<std::size_t>{100, 100, 100};
  }
  EXPECT_LE(wrong, runs / 20 + 13) << "three standard deviations of a binomial count above 5 %";
}

TEST(comparison_rule, calls_policies_at_the_margin_equal_in_one_run_of_twenty_at_most) {
  const scenario model = single_class(1, 0.5, "jobs = 100\nequal_within = 0.01\nmost_replications = 60");
  const comparison_rule rule(model, 2);
  std::mt19937_64 bits(2);
  int equal = 0;
  constexpr int runs = 400;
  for (int i = 0; i < runs; ++i) {
    // Told apart after some replications; equal only by chance, as they lie 1 % of the smaller apart.
    std::normal_distribution<double> normal;
    std::vector<replication_result> a, b;
    for (std::uint32_t n = model.run.first_look(); n <= 60; n = precision_spec::next_look(n, 60U)) {
      while (a.size() < n) {
        a.push_back(with_response_time(1.0 + 0.03 * normal(bits)));
        b.push_back(with_response_time(1.01 + 0.03 * normal(bits)));
      }
      if (!rule.undecided({&a, &b})[0]) {
        double difference = 0.0;
        for (std::size_t r = 0; r < a.size(); ++r)
          difference += b[r].measurements[0].value - a[r].measurements[0].value;
        equal += std::abs(difference) / static_cast<double>(a.size()) < 0.005;
        break;
      }
      if (n == 60) break;
    }
  }
  EXPECT_LE(equal, runs / 20 + 13);
}

TEST(comparison_rule, replications_go_to_those_that_are_close) {
  const scenario model = single_class(1, 0.5, "jobs = 100\nequal_within = 0.01\nmost_replications = 1000");
  const comparison_rule rule(model, 3);
  std::mt19937_64 bits(3);
  const auto mean = [](double m) { return [m](double of_jobs) { return m + 0.1 * of_jobs; }; };
  const auto [counts, any] = run(rule, model, {mean(1.0), mean(1.004), mean(1.5)}, bits);
  EXPECT_FALSE(any);
  EXPECT_EQ(counts[2], 10u);
  EXPECT_EQ(counts[0], counts[1]);
  EXPECT_GT(counts[0], 10u);
}

TEST(comparison_rule, policies_that_cannot_be_judged_are_not_pursued) {
  const scenario model = single_class(1, 0.5, "jobs = 100\nequal_within = 0.01");
  const comparison_rule rule(model, 2);
  std::vector<replication_result> sound, biased, empty(10);
  for (int r = 0; r < 10; ++r) {
    sound.push_back(with_response_time(1.0 + 0.1 * (r % 2)));
    biased.push_back(with_response_time(1.0 + 0.1 * (r % 3), caution::biased));
  }
  EXPECT_EQ(rule.undecided({&sound, &biased}), (std::vector<bool>{false, false}));
  EXPECT_EQ(rule.undecided({&sound, &empty}), (std::vector<bool>{false, false}));
  for (replication_result& r : biased) r.measurements[0].marks = {};
  EXPECT_EQ(rule.undecided({&sound, &biased}), (std::vector<bool>{true, true}));
}

}  // namespace
}  // namespace muster
