#include "platform/search/exploration.h"

#include <cmath>
#include <map>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

#include "platform/random/random_stream.h"
#include "platform/search/combination_order.h"
#include "platform/search/deciding_budget.h"
#include "platform/search/key_effects.h"

namespace muster {
namespace {

using verdict = combination::verdict;
using numbers = std::vector<double>;

/// Functions of the values, with noise that replications of the same number share, and some of their own. The first
/// number of a replication has no noise.
struct noisy_functions {
  std::vector<std::function<double(const numbers&)>> truth;
  std::vector<grid_axis> axes;
  double shared = 10.0, own = 0.01;
  std::uint64_t seed = 1;
  std::size_t runs = 0;

  numbers values(const grid_place& place) const {
    numbers all;
    for (std::size_t k = 0; k < axes.size(); ++k) all.push_back(axes[k].value(place[k]));
    return all;
  }

  explored_model model() {
    return {
        truth.size(), [](const grid_place&) { return ""; },
        [this](const std::vector<explored_model::trial>& trials) {
          std::vector<explored_model::outcome> outcomes;
          for (const explored_model::trial& t : trials) {
            ++runs;
            std::string name;
            for (const std::size_t p : t.place) name += std::to_string(p) + ",";
            random_stream common(seed, t.replication, "test", "shared"), alone(seed, t.replication, "test", name);
            std::normal_distribution<double> together, private_noise;
            outcomes.emplace_back();
            for (std::size_t s = 0; s < truth.size(); ++s)
              outcomes.back().found.push_back(truth[s](values(t.place)) +
                                              (s == 0 ? 0.0 : shared * together(common) + own * private_noise(alone)));
          }
          return outcomes;
        }};
  }
};

exploration_result explore(const exploration_terms& terms, noisy_functions& f) {
  return explore(f.axes, terms, f.model(), [](const exploration_result&) {});
}

std::vector<grid_axis> axes_of(const std::vector<std::string>& ranges) {
  std::vector<grid_axis> axes;
  for (const std::string& r : ranges) axes.emplace_back(search_range(r));
  return axes;
}

combination of(std::vector<std::vector<double>> found) { return {{0}, std::move(found), verdict::left, {}, {}}; }

TEST(grid_axis, has_every_integer_and_real_numbers_in_96_steps) {
  const grid_axis integers(search_range("3:40")), reals(search_range("0.0:0.96"));
  EXPECT_EQ(integers.extent().last, 37u);
  EXPECT_EQ(integers.value(37), 40.0);
  EXPECT_EQ(reals.extent().last, 96u);
  EXPECT_DOUBLE_EQ(reals.value(7), 0.07);
}

TEST(search_grid, is_coarse_at_first_and_finer_around_a_place) {
  search_grid grid({{20}, {2}}, 5);
  EXPECT_EQ(grid.coarse().size(), 5u * 3u);
  EXPECT_EQ(grid.coarse().back(), (grid_place{20, 2}));
  EXPECT_EQ(grid.halvings(), 3u);  // 5, 3, 2, 1
  grid.halve();
  EXPECT_EQ(grid.around({20, 0}), (std::vector<grid_place>{{20, 1}, {17, 0}, {17, 1}}));
}

TEST(search_grid, has_all_places_of_a_list_at_first_and_none_beside_another) {
  search_grid grid({{20}, {9, true}}, 3);
  EXPECT_EQ(grid.coarse().size(), 3u * 10u);
  EXPECT_EQ(grid.around({10, 4}), (std::vector<grid_place>{{0, 4}, {20, 4}}));
}

TEST(judgement_of_a_bound, takes_rounded_sums_for_the_same_value) {
  EXPECT_EQ(judge({0, true, 94.9}, {94.9, 94.9 + 1.5e-14, 94.9}, 1e-3), 1);
  EXPECT_EQ(judge({0, false, 94.9}, {94.9 - 1.5e-14, 94.9, 94.9}, 1e-3), 1);
}

TEST(judgement_of_a_bound, is_certain_where_nothing_varies) {
  EXPECT_EQ(judge({0, true, 3.0}, {3.0, 3.0}, 1e-9), 1);
  EXPECT_EQ(judge({0, true, 3.0}, {3.1, 3.1}, 1e-9), -1);
  EXPECT_EQ(judge({0, false, 3.0}, {3.1, 3.1}, 1e-9), 1);
}

TEST(judgement_of_a_bound, is_open_as_long_as_chance_could_explain_it) {
  EXPECT_EQ(judge({0, true, 3.0}, {1.0, 1.1, 1.2, 1.3}, 1e-3), 1);
  EXPECT_EQ(judge({0, false, 3.0}, {1.0, 1.1, 1.2, 1.3}, 1e-3), -1);
  EXPECT_EQ(judge({0, true, 3.0}, {1.0, 2.0, 3.0, 4.0}, 1e-3), 0);
}

TEST(better_combination, differs_surely_in_each_objective_that_is_not_the_same) {
  const combination a = of({{1, 1, 1}, {2.0, 5.0, 9.0}}), b = of({{1, 1, 1}, {3.01, 6.0, 10.02}}),
                    c = of({{2, 2, 2}, {2.0, 5.0, 8.9}});
  const std::vector<search_objective> both{{0, false}, {1, false}};
  EXPECT_TRUE(is_better(a, b, both, 1e-3));
  EXPECT_FALSE(is_better(b, a, both, 1e-3));
  EXPECT_FALSE(is_better(a, c, both, 1e-3));
  EXPECT_FALSE(is_better(a, a, both, 0.5));
  EXPECT_TRUE(is_better(b, a, {{1, true}}, 1e-3));
}

// Cost x + y; 1 / x + 1 / y must be at most 0.3: (6, 8), (7, 7) and (8, 6) are the least that meet it, all at 14.
TEST(exploration, finds_the_cheapest_that_meets_a_bound) {
  noisy_functions f{
      {[](const numbers& v) { return v[0] + 1.01 * v[1]; }, [](const numbers& v) { return 1.0 / v[0] + 1.0 / v[1]; }},
      axes_of({"1:40", "1:40"})};
  f.shared = 0.002;
  f.own = 0.0;
  const auto found = explore({{{0, false}}, {{1, true, 0.3}}, 10, 2000}, f);
  ASSERT_EQ(found.front.size(), 1u);
  EXPECT_EQ(f.values(found.tried[found.front.front()].place), (numbers{8, 6}));
  EXPECT_EQ(found.spent, f.runs);
  EXPECT_LE(found.spent, 2000u);
}

// A bound of 16 and means from 4 to 60 with a standard deviation of 8: all but those beside the bound can be told, and
// the budget for it is there or named.
TEST(exploration, decides_of_nearly_all_combinations_whether_they_meet_a_bound) {
  noisy_functions f{{[](const numbers& v) { return 3.0 * v[0] + 5.9 * v[1]; },
                     [](const numbers& v) { return 1400.0 / (4.0 * v[0] + 8.0 * v[1] + 1.0); }},
                    axes_of({"0:60", "0:60"})};
  f.shared = 8.0;
  f.own = 1.0;
  const exploration_terms terms{{{0, false}}, {{1, true, 16.0}}, 10, 1000};
  const auto found = explore(terms, f);
  ASSERT_EQ(found.front.size(), 1u);
  std::size_t open = 0;
  for (const combination& c : found.tried) {
    if (c.answer != verdict::left || c.meets_all()) continue;
    ++open;
    EXPECT_LT(std::abs(f.truth[1](f.values(c.place)) - 16.0), 28.0) << "60 against 16 must be decided";
  }
  const deciding_budget needed = budget_to_decide(found, terms);
  EXPECT_EQ(needed.open, open);
  if (open == 0) return;
  EXPECT_GT(needed.budget, terms.budget / 2);
  EXPECT_GE(needed.replications, terms.replications);
}

TEST(deciding_budget, is_that_with_which_the_bound_is_told) {
  const std::vector<double> values{15.0, 17.0, 19.0, 21.0};
  exploration_result found;
  found.tried = {of({values}), of({{1.0, 1.1, 1.2, 1.3}})};
  found.tried[0].meets = {0};
  found.tried[1].meets = {1};
  found.spent = 8;
  found.rounds = found.statements = 1;
  const exploration_terms terms{{{0, false}}, {{0, true, 16.0}}, 4, 8};
  const deciding_budget needed = budget_to_decide(found, terms);
  EXPECT_EQ(needed.open, 1u);
  EXPECT_EQ(needed.decided, 1u);
  EXPECT_GT(needed.replications, 6u);  // 2 / (2.58 / sqrt(n)) is above the quantile of Student's t
  EXPECT_LT(needed.replications, 12u);
  EXPECT_EQ(needed.budget, 8u + 2u * (needed.replications - 4u));
}

TEST(exploration, keeps_what_may_meet_a_bound_and_recommends_nothing_that_may_not) {
  noisy_functions f{{[](const numbers& v) { return v[0]; }, [](const numbers&) { return 1.0; }}, axes_of({"1:5"})};
  const auto found = explore({{{0, false}}, {{1, true, 1.0}}, 10, 1000}, f);
  EXPECT_TRUE(found.front.empty());
  for (const combination& c : found.tried) {
    EXPECT_EQ(c.answer, verdict::left);
    EXPECT_EQ(c.meets, std::vector<int>{0});
  }
}

// x and (x - 10)^2: up to 10 each gains in one and loses in the other.
TEST(exploration, finds_the_whole_front_of_two_objectives) {
  noisy_functions f{{[](const numbers& v) { return v[0]; }, [](const numbers& v) { return std::pow(v[0] - 10.0, 2); }},
                    axes_of({"1:24"})};
  const auto found = explore({{{0, false}, {1, false}}, {}, 10, 2000}, f);
  numbers front;
  for (const std::size_t i : found.front) front.push_back(f.values(found.tried[i].place).front());
  EXPECT_EQ(front, (numbers{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

// Nothing differs: whatever is dropped is dropped wrongly.
TEST(exploration, drops_something_wrongly_less_often_than_it_says) {
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    noisy_functions f{{[](const numbers&) { return 0.0; }, [](const numbers&) { return 1.0; }}, axes_of({"1:5"})};
    f.own = 10.0;
    f.seed = seed;
    const auto found = explore({{{1, false}}, {{1, true, 1.0}}, 10, 1000}, f);
    for (const combination& c : found.tried)
      if (c.answer != verdict::left) {
        ++wrong;
        break;
      }
  }
  EXPECT_LE(wrong, 20);  // 10 are allowed on average
}

TEST(exploration, needs_a_budget_for_the_ends_of_all_ranges) {
  noisy_functions f{{[](const numbers& v) { return v[0]; }}, axes_of({"1:40", "1:40"})};
  try {
    explore({{{0, false}}, {}, 10, 19}, f);
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "expected at least 20: a first look takes 4 combinations of 5 replications each");
  }
}

TEST(effects_of_keys, are_the_shares_of_variance_of_an_additive_function) {
  noisy_functions f{{[](const numbers& v) { return 3.0 * v[0] + v[1]; }}, axes_of({"1:7", "1:7"})};
  const auto found = explore({{{0, false}}, {}, 4, 2000}, f);
  EXPECT_NEAR(shares_of_variance(found, 0, 0).front(), 0.9, 1e-9);
  EXPECT_NEAR(shares_of_variance(found, 1, 0).front(), 0.1, 1e-9);
}

TEST(effects_of_keys, are_none_where_nothing_varies) {
  noisy_functions f{{[](const numbers&) { return 3.0; }}, axes_of({"1:7"})};
  EXPECT_TRUE(shares_of_variance(explore({{{0, false}}, {}, 4, 2000}, f), 0, 0).empty());
}

}  // namespace
}  // namespace muster
