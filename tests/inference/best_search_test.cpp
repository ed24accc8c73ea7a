#include "platform/search/best_search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

#include "platform/command_line/search_text.h"
#include "platform/random/random_stream.h"
#include "platform/search/search_findings.h"
#include "tests/refusal.h"

namespace muster {
namespace {

using verdict = trial::verdict;
using numbers = std::vector<double>;

search_space space_of(const std::vector<std::string>& ranges) {
  std::vector<search_axis> axes;
  for (const std::string& r : ranges) axes.push_back({"k" + std::to_string(axes.size()), search_range(r)});
  return search_space(axes);
}

/// Functions of the values, with noise that replications of the same number share, and some of their own. The first of
/// several numbers of a replication has no noise.
struct noisy_functions {
  std::vector<std::function<double(const numbers&)>> truth;
  search_space space;
  double shared = 10.0, own = 0.01;
  std::uint64_t seed = 1;
  std::map<numbers, std::size_t> runs{};

  search_model model() {
    return {truth.size(), [](const search_values&) { return ""; },
            [this](const std::vector<trial_replication>& replications) {
              std::vector<trial_outcome> outcomes;
              for (const trial_replication& r : replications) {
                ++runs[r.values];
                random_stream common(seed, r.replication, "test", "shared"),
                    alone(seed, r.replication, "test", space.text(r.values));
                std::normal_distribution<double> together, private_noise;
                outcomes.emplace_back();
                for (std::size_t s = 0; s < truth.size(); ++s) {
                  const double noise = shared * together(common) + own * private_noise(alone);
                  outcomes.back().found.push_back(truth[s](r.values) + (s == 0 && truth.size() > 1 ? 0.0 : noise));
                }
              }
              return outcomes;
            }};
  }
};

search_result seek(const search_terms& terms, noisy_functions& f) {
  return seek_best(f.space, terms, f.model(), [](const search_result&) {});
}

/// The least of a function of one value.
search_result least(const std::string& range, std::uint32_t replications, std::size_t budget,
                    const std::function<double(double)>& truth, double own, std::uint64_t seed = 1) {
  noisy_functions f{{[&](const numbers& v) { return truth(v.front()); }}, space_of({range}), 100.0, own, seed};
  return seek({{{0, false}}, {}, replications, budget}, f);
}

double best_of(const search_result& result) { return result.tried[result.front.front()].values.front(); }

trial of(std::vector<std::vector<double>> found) { return {{0}, std::move(found), verdict::left, {}, {}}; }

TEST(search_grid, has_every_integer_and_real_numbers_down_to_a_hundredth) {
  const search_space space = space_of({"3:40", "0.0:0.96"});
  search_grid grid(space, 7);
  EXPECT_EQ(grid.coarse().size(), 7u * 7u);
  for (std::size_t n = grid.halvings() + 1; n > 0; --n) grid.halve();
  EXPECT_EQ(grid.around({21, 0.48})[0], (numbers{21, 0.47}));
  EXPECT_EQ(grid.around({21, 0.48}).size(), 8u);
  EXPECT_EQ(grid.around({21, 0.48})[2].front(), 20.0);
}

TEST(search_grid, is_coarse_at_first_and_finer_around_a_place) {
  const search_space space = space_of({"0:20", "0:2"});
  search_grid grid(space, 5);
  EXPECT_EQ(grid.coarse().size(), 5u * 3u);
  EXPECT_EQ(grid.coarse().back(), (numbers{20, 2}));
  EXPECT_EQ(grid.halvings(), 3u);  // 5, 3, 2, 1
  EXPECT_EQ(grid.around({20, 0}), (std::vector<numbers>{{20, 1}, {15, 0}, {15, 1}}));
  grid.halve();
  EXPECT_EQ(grid.around({20, 0}), (std::vector<numbers>{{20, 1}, {18, 0}, {18, 1}}));
}

TEST(search_grid, has_all_values_of_a_list_at_first_and_none_beside_another) {
  const search_space space = space_of({"0:20", "a,b,c,d,e,f,g,h,i,j"});
  search_grid grid(space, 3);
  EXPECT_EQ(grid.coarse().size(), 3u * 10u);
  EXPECT_EQ(grid.around({10, 4}), (std::vector<numbers>{{0, 4}, {20, 4}}));
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
  const trial a = of({{1, 1, 1}, {2.0, 5.0, 9.0}}), b = of({{1, 1, 1}, {3.01, 6.0, 10.02}}),
              c = of({{2, 2, 2}, {2.0, 5.0, 8.9}});
  const std::vector<search_objective> both{{0, false}, {1, false}};
  EXPECT_TRUE(is_better(a, b, both, 1e-3));
  EXPECT_FALSE(is_better(b, a, both, 1e-3));
  EXPECT_FALSE(is_better(a, c, both, 1e-3));
  EXPECT_FALSE(is_better(a, a, both, 0.5));
  EXPECT_TRUE(is_better(b, a, {{1, true}}, 1e-3));
}

// Cost x + y; 1 / x + 1 / y must be at most 0.3: (6, 8), (7, 7) and (8, 6) are the least that meet it, all at 14.
TEST(best_search, finds_the_cheapest_that_meets_a_bound) {
  noisy_functions f{
      {[](const numbers& v) { return v[0] + 1.01 * v[1]; }, [](const numbers& v) { return 1.0 / v[0] + 1.0 / v[1]; }},
      space_of({"1:40", "1:40"})};
  f.shared = 0.002;
  f.own = 0.0;
  const auto result = seek({{{0, false}}, {{1, true, 0.3}}, 10, 2000}, f);
  ASSERT_EQ(result.front.size(), 1u);
  EXPECT_EQ(result.tried[result.front.front()].values, (numbers{8, 6}));
  std::size_t runs = 0;
  for (const auto& [values, n] : f.runs) runs += n;
  EXPECT_EQ(result.spent, runs);
  EXPECT_LE(result.spent, 2000u);
}

// A bound of 16 and means from 4 to 60 with a standard deviation of 8: all but those beside the bound can be told, and
// the budget for it is there or named.
TEST(best_search, decides_of_nearly_all_combinations_whether_they_meet_a_bound) {
  noisy_functions f{{[](const numbers& v) { return 3.0 * v[0] + 5.9 * v[1]; },
                     [](const numbers& v) { return 1400.0 / (4.0 * v[0] + 8.0 * v[1] + 1.0); }},
                    space_of({"0:60", "0:60"})};
  f.shared = 8.0;
  f.own = 1.0;
  const search_terms terms{{{0, false}}, {{1, true, 16.0}}, 10, 1000};
  const auto result = seek(terms, f);
  ASSERT_EQ(result.front.size(), 1u);
  std::size_t open = 0;
  for (const trial& c : result.tried) {
    if (c.answer != verdict::left || c.meets_all()) continue;
    ++open;
    EXPECT_LT(std::abs(f.truth[1](c.values) - 16.0), 28.0) << "60 against 16 must be decided";
  }
  const deciding_budget needed = budget_to_decide(result, terms);
  EXPECT_EQ(needed.open, open);
  if (open == 0) return;
  EXPECT_GT(needed.budget, terms.budget / 2);
  EXPECT_GE(needed.replications, terms.replications);
}

TEST(deciding_budget, is_that_with_which_the_bound_is_told) {
  const std::vector<double> values{15.0, 17.0, 19.0, 21.0};
  search_result result;
  result.tried = {of({values}), of({{1.0, 1.1, 1.2, 1.3}})};
  result.tried[0].meets = {0};
  result.tried[1].meets = {1};
  result.spent = 8;
  result.looks = result.statements = 1;
  const search_terms terms{{{0, false}}, {{0, true, 16.0}}, 4, 8};
  const deciding_budget needed = budget_to_decide(result, terms);
  EXPECT_EQ(needed.open, 1u);
  EXPECT_EQ(needed.decided, 1u);
  EXPECT_GT(needed.replications, 6u);  // 2 / (2.58 / sqrt(n)) is above the quantile of Student's t
  EXPECT_LT(needed.replications, 12u);
  EXPECT_EQ(needed.budget, 8u + 2u * (needed.replications - 4u));
}

TEST(best_search, keeps_what_may_meet_a_bound_and_recommends_nothing_that_may_not) {
  noisy_functions f{{[](const numbers& v) { return v[0]; }, [](const numbers&) { return 1.0; }}, space_of({"1:5"})};
  const auto result = seek({{{0, false}}, {{1, true, 1.0}}, 10, 1000}, f);
  EXPECT_TRUE(result.front.empty());
  for (const trial& c : result.tried) {
    EXPECT_EQ(c.answer, verdict::left);
    EXPECT_EQ(c.meets, std::vector<int>{0});
  }
}

// Cost x, and a bound of 3: of 1 the first 5 replications are about 1, and later ones about 10, so that the last of
// three looks finds what the first one had taken for met violated; the others are always about 1.
search_result where_the_cheapest_violates_the_bound_at_last(std::size_t budget, const std::string& range) {
  const search_model model{
      2, [](const search_values&) { return ""; },
      [](const std::vector<trial_replication>& all) {
        std::vector<trial_outcome> outcomes;
        for (const trial_replication& r : all) {
          const bool late = r.values.front() == 1 && r.replication >= 5;
          outcomes.push_back({{r.values.front(), (late ? 10.0 : 1.0) + 0.01 * (r.replication % 2)}, {}});
        }
        return outcomes;
      }};
  return seek_best(space_of({range}), {{{0, false}}, {{1, true, 3.0}}, 20, budget}, model, [](const search_result&) {});
}

TEST(best_search, brings_back_what_was_dropped_for_one_that_does_not_meet_the_bound_after_all) {
  const auto result = where_the_cheapest_violates_the_bound_at_last(1000, "1:3");
  ASSERT_EQ(result.front.size(), 1u);
  EXPECT_EQ(best_of(result), 2);
  EXPECT_EQ(result.tried[0].answer, verdict::violating);
  EXPECT_EQ(result.tried[1].replications(), 20u);
  EXPECT_EQ(result.tried[2].answer, verdict::worse);
  EXPECT_EQ(result.tried[2].replications(), 5u) << "dropped again, for 2, by what it had found";
  EXPECT_EQ(result.spent, 20u + 20u + 5u);
}

TEST(best_search, judges_what_comes_back_by_what_it_has_where_the_budget_is_spent) {
  const auto result = where_the_cheapest_violates_the_bound_at_last(25, "1:2");
  ASSERT_EQ(result.front.size(), 1u);
  EXPECT_EQ(best_of(result), 2);
  EXPECT_EQ(result.tried[1].replications(), 5u);
  EXPECT_EQ(result.spent, 25u);
  EXPECT_TRUE(result.budget_spent);
}

// Heavy tails, by which the first look may take a bound for met that the second one leaves open.
// Seed 39 is one of these.
TEST(best_search, drops_nothing_that_meets_the_bounds_and_is_cheaper_than_the_best) {
  std::size_t undecided = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const search_model model{
        2, [](const search_values&) { return ""; },
        [&](const std::vector<trial_replication>& all) {
          std::vector<trial_outcome> outcomes;
          for (const trial_replication& r : all) {
            random_stream noise(seed, r.replication, "test", "");
            std::lognormal_distribution<double> tail(0.0, 1.0);
            const double load = 8.0 / (r.values[0] * r.values[1]);
            outcomes.push_back({{r.values[0] * (2.0 + r.values[1]), 1.0 + load * tail(noise)}, {}});
          }
          return outcomes;
        }};
    const auto result = seek_best(space_of({"1:12", "4:16"}), {{{0, false}}, {{1, true, 3.0}}, 10, 1000}, model,
                                  [](const search_result&) {});
    const double best = result.front.empty() ? 1e9 : result.tried[result.front.front()].found[0].front();
    for (const trial& t : result.tried) {
      undecided += t.is_left() && !t.meets_all() ? 1 : 0;
      EXPECT_TRUE(t.answer != verdict::worse || t.found[0].front() > best) << "seed " << seed;
    }
  }
  EXPECT_GT(undecided, 50u) << "else nothing could have been dropped for one of these";
}

// x and (x - 10)^2: up to 10 each gains in one and loses in the other.
TEST(best_search, finds_the_whole_front_of_two_objectives) {
  noisy_functions f{{[](const numbers& v) { return v[0]; }, [](const numbers& v) { return std::pow(v[0] - 10.0, 2); }},
                    space_of({"1:24"})};
  const auto result = seek({{{0, false}, {1, false}}, {}, 10, 2000}, f);
  numbers front;
  for (const std::size_t i : result.front) front.push_back(result.tried[i].values.front());
  EXPECT_EQ(front, (numbers{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

// Nothing differs: whatever is dropped is dropped wrongly.
TEST(best_search, drops_something_wrongly_less_often_than_it_says) {
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    noisy_functions f{{[](const numbers&) { return 0.0; }, [](const numbers&) { return 1.0; }}, space_of({"1:5"})};
    f.own = 10.0;
    f.seed = seed;
    const auto result = seek({{{1, false}}, {{1, true, 1.0}}, 10, 1000}, f);
    for (const trial& c : result.tried)
      if (c.answer != verdict::left) {
        ++wrong;
        break;
      }
  }
  EXPECT_LE(wrong, 20);  // 10 are allowed on average
}

TEST(best_search, needs_a_budget_for_the_ends_of_all_ranges) {
  noisy_functions f{{[](const numbers& v) { return v[0]; }}, space_of({"1:40", "1:40"})};
  EXPECT_EQ(refusal<std::invalid_argument>([&] {
              seek({{{0, false}}, {}, 10, 19}, f);
            }),
            "expected at least 20: a first look takes 4 combinations of 5 replications each");
}

TEST(effects_of_keys, are_the_shares_of_variance_of_an_additive_function) {
  noisy_functions f{{[](const numbers& v) { return 3.0 * v[0] + v[1]; }}, space_of({"1:7", "1:7"}), 0.0, 0.0};
  const auto result = seek({{{0, false}}, {}, 4, 2000}, f);
  EXPECT_NEAR(shares_of_variance(result, 0, 0).front(), 0.9, 1e-9);
  EXPECT_NEAR(shares_of_variance(result, 1, 0).front(), 0.1, 1e-9);
}

TEST(effects_of_keys, are_none_where_nothing_varies) {
  noisy_functions f{{[](const numbers&) { return 3.0; }}, space_of({"1:7"}), 0.0, 0.0};
  EXPECT_TRUE(shares_of_variance(seek({{{0, false}}, {}, 4, 2000}, f), 0, 0).empty());
}

TEST(effects_of_keys, are_none_of_a_key_of_which_one_value_alone_was_measured) {
  search_result result;
  for (const double v : {1.0, 2.0, 3.0}) result.tried.push_back({{7.0, v}, {{v, v + 1.0}}});
  result.tried.push_back({{8.0, 1.0}, {{}}, verdict::excluded, "unstable"});
  result.coarse = 4;
  EXPECT_TRUE(shares_of_variance(result, 0, 0).empty());
  EXPECT_EQ(shares_of_variance(result, 1, 0), (numbers{1.0, 1.0}));
}

TEST(best_search, finds_the_best_real_number_within_one_percent_of_the_range) {
  for (const double at : {0.0, 1.7, 3.3, 9.99, 10.0}) {
    const auto result = least(
        "0.0:10.0", 16, 1000, [at](double v) { return (v - at) * (v - at); }, 0.0);
    EXPECT_NEAR(best_of(result), at, 0.1) << at;
    EXPECT_LT(result.spent, 500u);
    EXPECT_FALSE(result.budget_spent);
  }
}

TEST(best_search, finds_the_greatest_where_that_is_sought) {
  noisy_functions f{{[](const numbers& v) { return -std::abs(v[0] - 333.0); }}, space_of({"1:1000"}), 10.0, 0.0};
  const auto result = seek({{{0, true}}, {}, 8, 1000}, f);
  EXPECT_EQ(best_of(result), 333);
}

TEST(best_search, shared_noise_does_not_hide_a_small_difference) {
  const auto result = least(
      "0:31", 8, 400, [](double v) { return std::abs(v - 22) * 0.1; }, 0.01);
  EXPECT_EQ(best_of(result), 22);
  for (const trial& t : result.tried) EXPECT_EQ(t.is_left(), t.values.front() == 22) << t.values.front();
}

// Nothing to choose between: no trial has more replications than the most, and all are reported as equals.
TEST(best_search, reports_those_that_cannot_be_told_apart) {
  const auto result = least(
      "0:9", 16, 1000, [](double v) { return v < 5 ? 0.0 : 100.0; }, 1.0, 3);
  for (const trial& t : result.tried) {
    EXPECT_EQ(t.is_left(), t.values.front() < 5) << t.values.front();
    EXPECT_EQ(t.replications(), t.values.front() < 5 ? 16u : 4u) << t.values.front();
  }
  EXPECT_EQ(result.spent, 5 * 16u + 5 * 4u);
}

// The first is as good as any. Of 400 searches at most 5 % may drop it: more than 37 have a probability below 1 in
// 10,000.
TEST(best_search, seldom_drops_a_value_that_is_the_best) {
  int dropped = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const auto result = least(
        "0:11", 16, 1000, [](double v) { return v == 0 ? 0.0 : 0.001; }, 1.0, seed);
    if (result.tried.front().answer == verdict::worse) ++dropped;
  }
  EXPECT_LE(dropped, 37);
}

TEST(best_search, no_replication_is_run_twice) {
  noisy_functions f{{[](const numbers& v) { return std::abs(v[0] - 40.0); }}, space_of({"0:99"}), 10.0, 5.0, 7};
  const auto result = seek({{{0, false}}, {}, 20, 2000}, f);
  std::size_t spent = 0;
  for (const trial& t : result.tried) {
    EXPECT_EQ(f.runs[t.values], t.replications());
    spent += t.replications();
  }
  EXPECT_EQ(spent, result.spent);
}

// What a search of one key spends of its usual budget, 20 times the replications, and how far above the least it ends:
// at most what is noted here, the means of 100 searches with much noise.
TEST(best_search, finds_the_least_of_one_key_with_few_replications) {
  double above = 0.0, spent = 0.0;
  constexpr int searches = 100;
  for (std::uint64_t seed = 1; seed <= searches; ++seed) {
    const auto truth = [](double v) { return std::abs(v - 22) * 0.3; };
    const auto result = least("0:31", 10, 200, truth, 1.0, seed);
    above += truth(best_of(result)) / searches;
    spent += static_cast<double>(result.spent) / searches;
  }
  EXPECT_LT(above, 0.25);
  EXPECT_LT(spent, 175.0);
}

TEST(best_search, ends_at_the_first_look_where_all_find_the_same) {
  const auto same = [](double) { return 7.0; };
  const auto result = least("0.0:10.0", 16, 1000, same, 0.0);
  EXPECT_TRUE(result.no_effect);
  EXPECT_FALSE(result.budget_spent);
  EXPECT_EQ(result.tried.size(), 10u);
  EXPECT_EQ(result.spent, 10 * 4u);
  EXPECT_FALSE(least(
                   "0.0:10.0", 16, 1000, [](double v) { return v < 9.9 ? 7.0 : 7.01; }, 0.0)
                   .no_effect);
}

TEST(best_search, a_single_value_that_can_be_measured_is_no_key_without_effect) {
  noisy_functions f{{[](const numbers&) { return 7.0; }}, space_of({"0:9"}), 0.0, 0.0};
  search_model model = f.model();
  model.refuse = [](const search_values& v) { return v.front() > 0.0 ? "unstable" : ""; };
  EXPECT_FALSE(seek_best(f.space, {{{0, false}}, {}, 8, 1000}, model, [](const search_result&) {}).no_effect);
}

// 12 values; looks at 4, 8 and 16 replications.
TEST(best_search, counts_the_statements_for_which_each_is_corrected) {
  const auto result = least(
      "0:11", 16, 1000, [](double v) { return v; }, 1.0);
  EXPECT_EQ(result.tried.size(), 12u);
  EXPECT_EQ(result.looks, 3u);
  EXPECT_EQ(result.statements, 11u);
}

TEST(best_search, keeps_within_the_budget_and_says_that_it_was_spent) {
  for (const std::size_t budget : {50u, 51u, 77u}) {
    const auto result = least(
        "0.0:1.0", 10, budget, [](double v) { return v; }, 10.0, 5);
    EXPECT_LE(result.spent, budget);
    EXPECT_TRUE(result.budget_spent);
    for (const trial& t : result.tried) EXPECT_GT(t.replications(), 0u);
  }
}

TEST(best_search, leaves_out_values_that_cannot_be_measured_and_goes_up_to_them) {
  noisy_functions f{{[](const numbers& v) { return -v[0]; }}, space_of({"0.0:10.0"}), 10.0, 0.0};
  search_model model = f.model();
  model.refuse = [](const search_values& v) { return v.front() > 5.0 ? "unstable" : ""; };
  const auto run = model.run;
  model.run = [&](const std::vector<trial_replication>& replications) {
    auto outcomes = run(replications);
    for (std::size_t i = 0; i < replications.size(); ++i)
      if (replications[i].values.front() < 1.0 && replications[i].replication == 2) outcomes[i] = {{}, "fault"};
    return outcomes;
  };
  const auto result = seek_best(f.space, {{{0, false}}, {}, 8, 1000}, model, [](const search_result&) {});
  EXPECT_NEAR(best_of(result), 5.0, 0.15);
  EXPECT_LE(best_of(result), 5.0);
  for (const trial& t : result.tried) {
    const double v = t.values.front();
    EXPECT_EQ(t.is_excluded(), v > 5.0 || v < 1.0) << v;
    EXPECT_EQ(t.why, v > 5.0 ? "unstable" : v < 1.0 ? "fault" : "") << v;
  }
}

// Where the best is one apart, a trial whose replications differ from the best's by 1 + d and 1 - d in turn. Over n of
// them t is sqrt(n - 1) / d with n - 1 degrees of freedom; with d = sqrt(3) / t that is t over the first 4, and
// sqrt(7 / 3) t over 8.
std::vector<trial> with_t_of(double t, const std::string& range, std::uint32_t replications, bool maximize = false) {
  const search_model model{1, [](const search_values&) { return ""; },
                           [&](const std::vector<trial_replication>& all) {
                             std::vector<trial_outcome> outcomes;
                             for (const trial_replication& r : all) {
                               const double apart = 1.0 + (r.replication % 2 == 0 ? 1 : -1) * std::sqrt(3.0) / t;
                               const double worse = r.values.front() == 0 ? 0.0 : apart;
                               outcomes.push_back({{maximize ? -worse : worse}, {}});
                             }
                             return outcomes;
                           }};
  return seek_best(space_of({range}), {{{0, maximize}}, {}, replications, 1000}, model, [](const search_result&) {})
      .tried;
}

std::vector<verdict> verdicts(const std::vector<trial>& tried) {
  std::vector<verdict> all;
  for (const trial& t : tried) all.push_back(t.answer);
  return all;
}

// One-sided, 3 degrees of freedom: 2.353 at 5 %, 3.182 at 2.5 %, 3.740 at 5/3 %, 4.541 at 1 %.
TEST(best_search, corrects_for_the_trials_beside_the_best) {
  for (const bool maximize : {false, true}) {
    EXPECT_EQ(verdicts(with_t_of(2.3, "0:1", 4, maximize)), (std::vector{verdict::left, verdict::left}));
    EXPECT_EQ(verdicts(with_t_of(2.4, "0:1", 4, maximize)), (std::vector{verdict::left, verdict::worse}));
    EXPECT_EQ(verdicts(with_t_of(3.1, "0:2", 4, maximize)), std::vector(3, verdict::left));
    EXPECT_EQ(verdicts(with_t_of(3.3, "0:2", 4, maximize)),
              (std::vector{verdict::left, verdict::worse, verdict::worse}));
  }
  EXPECT_EQ(verdicts(with_t_of(4.5, "0:5", 4)), std::vector(6, verdict::left));
  EXPECT_EQ(verdicts(with_t_of(4.6, "0:5", 4))[5], verdict::worse);
}

// Two looks, after 4 replications and after 8: 2.5 % at each. Three, after 4, 8 and 16: 5/3 %.
TEST(best_search, corrects_for_the_number_of_looks) {
  EXPECT_EQ(with_t_of(3.1, "0:1", 8)[1].replications(), 8u) << "dropped at the second look only";
  EXPECT_EQ(with_t_of(3.3, "0:1", 8)[1].replications(), 4u);
  EXPECT_EQ(with_t_of(3.7, "0:1", 16)[1].replications(), 8u);
  EXPECT_EQ(with_t_of(3.8, "0:1", 16)[1].replications(), 4u);
  // 2.365 at 2.5 % with 7 degrees of freedom.
  EXPECT_EQ(with_t_of(2.3 * std::sqrt(3.0 / 7.0), "0:1", 8)[1].answer, verdict::left);
  EXPECT_EQ(with_t_of(2.4 * std::sqrt(3.0 / 7.0), "0:1", 8)[1].answer, verdict::worse);
}

TEST(search_text, tells_values_that_cannot_be_told_apart_from_those_that_are_worse_or_excluded) {
  study s;
  s.points.resize(1);
  search_request request(s, search_space({{"k", search_range("1:4")}}), {{"response_time"}});
  request.terms.objectives = {{0, false}};
  search_result result;
  result.tried = {{{1}, {{3.0, 3.5}}},
                  {{2}, {{2.0, 4.0}}},
                  {{3}, {{8.0, 9.5}}, verdict::worse},
                  {{4}, {{}}, verdict::excluded, "?"}};
  result.front = {1};
  result.looks = result.statements = 1;
  const auto expect = [&](const std::string& text, const std::string& words) {
    EXPECT_NE(text.find(words), std::string::npos) << words << '\n' << text;
  };
  const std::string text = search_text(request, result).text();
  expect(text, "\nbest: k = 2\nresponse_time 3 +- ");
  expect(text, "\nof 4 values tried: 1 cannot be told apart from it, 1 worse, 1 excluded\n");
  for (const char* verdict : {" cannot be told apart\n", " best\n", " worse\n", " ?\n"}) expect(text, verdict);
  expect(search_progress(request, result), ": 2 of 4 values left, the best so far k = 2\n");
  for (const std::size_t n : {0, 2}) result.tried[n] = {result.tried[n].values, {{2.0, 4.0}}};
  result.no_effect = true;
  expect(search_text(request, result).text(), "\nk has no effect on response_time: 3 values give the same ");
}

}  // namespace
}  // namespace muster
