#include "platform/search/crossover.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "platform/random/random_stream.h"
#include "tests/refusal.h"

namespace muster {
namespace {

/// Two variants whose expected difference is a function of the value. A replication brings noise to both, some to their
/// difference at all values, and some to it at each.
struct two_variants {
  std::function<double(double)> difference;
  double shared = 0.0, own = 0.0;
  std::uint64_t seed = 1;
  std::set<std::pair<double, std::uint32_t>> seen{};

  search_model model() {
    return {1, [](const search_values&) { return ""; },
            [this](const std::vector<trial_replication>& trials) {
              std::vector<trial_outcome> outcomes;
              for (const trial_replication& t : trials) {
                seen.insert({t.values.front(), t.replication});
                random_stream of_jobs(seed, t.replication, "test", "jobs");
                random_stream at_value(seed, t.replication, "test", std::to_string(t.values.front()));
                std::normal_distribution<double> normal;
                const double jobs = 100.0 + 10.0 * normal(of_jobs), common = normal(of_jobs);
                const double apart = difference(t.values.front()) + shared * common + own * normal(at_value);
                outcomes.push_back({{t.variant == 0 ? jobs + apart : jobs}, {}});
              }
              return outcomes;
            }};
  }
};

const auto nobody = [](const crossover_result&) {};

crossover_result search(const std::string& range, const crossover_terms& terms, two_variants both) {
  return find_crossings(search_range(range), terms, both.model(), nobody);
}

double curved(double x) { return std::exp(2.0 * (x - 0.37)) - 1.0; }

TEST(crossover_search, finds_the_crossing_of_a_curve_within_the_precision) {
  const auto found = search("0.0:1.0", {10, 4000, 0.01}, {curved, 0.1, 0.05});
  ASSERT_EQ(found.crossings.size(), 1u);
  const crossing& c = found.crossings.front();
  EXPECT_NEAR(c.value, 0.37, 0.02);
  EXPECT_LE(c.low, c.value);
  EXPECT_LE(c.value, c.high);
  EXPECT_EQ(c.side_below, -1);
  EXPECT_TRUE(c.precise);
  EXPECT_LE(c.half_width, 0.01);
  EXPECT_DOUBLE_EQ(c.half_width, (c.high - c.low) / 2.0);
}

// Each search judges for itself how many replications it takes. Of 1000 independent ones 95 % would have a standard
// error of 0.7 %; the limits are those of `run --precision`.
TEST(crossover_search, intervals_cover_the_crossing_in_92_to_98_of_100_searches) {
  int covered = 0, precise = 0;
  constexpr int searches = 1000;
  for (std::uint64_t seed = 1; seed <= searches; ++seed) {
    const auto found = search("0.0:1.0", {8, 3000, 0.025}, {curved, 0.1, 0.1, seed});
    ASSERT_EQ(found.crossings.size(), 1u) << seed;
    covered += found.crossings.front().low <= 0.37 && 0.37 <= found.crossings.front().high;
    precise += found.crossings.front().precise;
  }
  EXPECT_GE(precise, 0.99 * searches);
  EXPECT_GE(covered, 0.93 * searches);
  EXPECT_LE(covered, 0.97 * searches);
}

TEST(crossover_search, of_integers_it_is_the_first_one_at_which_the_other_has_less) {
  for (const double zero : {3.2, 3.9, 4.0}) {
    const auto found = search("0:9", {10, 4000, 0.02}, {[=](double x) { return zero - 1e-9 - x; }, 0.05, 0.02});
    ASSERT_EQ(found.crossings.size(), 1u) << zero;
    const crossing& c = found.crossings.front();
    EXPECT_LE(c.low, 4.0) << zero;
    EXPECT_GE(c.high, 4.0) << zero;
    EXPECT_EQ(c.value, 4.0) << zero;
    EXPECT_EQ(c.side_below, 1);
  }
}

TEST(crossover_search, intervals_of_integers_cover_the_first_one) {
  int covered = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const auto found = search("0:11", {6, 2000, 0.02}, {[](double x) { return x - 4.6; }, 0.8, 0.8, seed});
    ASSERT_EQ(found.crossings.size(), 1u) << seed;
    covered += found.crossings.front().low <= 5.0 && 5.0 <= found.crossings.front().high;
  }
  EXPECT_GE(covered, 368);  // 92 %; an interval of integers covers more than its 95 %
}

TEST(crossover_search, goes_by_the_logarithm_where_the_range_spans_decades) {
  const auto found = search("0.001:10.0", {10, 4000, 0.01}, {[](double x) { return std::log(x / 0.05); }, 0.1, 0.05});
  ASSERT_EQ(found.crossings.size(), 1u);
  const crossing& c = found.crossings.front();
  EXPECT_NEAR(std::log(c.value / 0.05) / std::log(1e4), 0.0, 0.015);
  EXPECT_TRUE(c.precise);
  EXPECT_LE(std::log(c.high / c.low) / std::log(1e4), 0.02);
}

TEST(crossover_search, lists_every_crossing_by_value) {
  const auto found =
      search("0.0:1.0", {10, 20000, 0.01}, {[](double x) { return std::sin(9.0 * x - 1.0); }, 0.1, 0.05});
  const std::vector<double> zeros{1.0 / 9.0, (M_PI + 1.0) / 9.0, (2.0 * M_PI + 1.0) / 9.0};
  ASSERT_EQ(found.crossings.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(found.crossings[i].value, zeros[i], 0.02) << i;
    EXPECT_EQ(found.crossings[i].side_below, i % 2 == 0 ? -1 : 1) << i;
    EXPECT_TRUE(found.crossings[i].precise) << i;
  }
}

// The scan knows the sides at 0.333 and 0.778 at the latest: between them lie three changes.
TEST(crossover_search, narrowing_tells_crossings_apart_that_the_scan_has_taken_as_one) {
  const auto truth = [](double x) {
    if (x < 0.3) return -5.0;
    if (x > 0.8) return 5.0;
    return 0.25 * std::cos((x - 0.3) / 0.5 * 3.0 * M_PI + M_PI);
  };
  const auto found = search("0.0:1.0", {4, 40000, 0.01}, {truth, 0.0, 0.3, 2});
  ASSERT_EQ(found.changes.size(), 1u);
  EXPECT_EQ(found.crossings.size(), 3u);
}

TEST(crossover_search, finds_none_where_one_has_less_everywhere) {
  const auto found = search("0.0:1.0", {10, 1000, 0.01}, {[](double x) { return -1.0 - x; }, 0.1, 0.1});
  EXPECT_TRUE(found.crossings.empty());
  EXPECT_EQ(found.scanned.size(), 10u);
  for (const paired_point& p : found.scanned) EXPECT_EQ(p.side, -1) << p.value;
  EXPECT_EQ(found.spent, 100u) << "a first look was enough";
}

TEST(crossover_search, ends_at_the_first_look_where_both_find_the_same) {
  const auto found = search("0.0:1.0", {10, 1000, 0.01}, {[](double) { return 0.0; }});
  EXPECT_TRUE(found.crossings.empty());
  EXPECT_TRUE(found.no_difference);
  EXPECT_EQ(found.spent, 100u);
}

// Of 300 searches without any difference at most 5 % may see one: more than 29 have a probability below 1 in 1000.
TEST(crossover_search, seldom_sees_a_difference_where_there_is_none) {
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto found = search("0.0:1.0", {8, 1000, 0.01}, {[](double) { return 0.0; }, 0.0, 1.0, seed});
    wrong += std::any_of(found.scanned.begin(), found.scanned.end(), [](const paired_point& p) { return p.side != 0; });
  }
  EXPECT_LE(wrong, 29);
}

TEST(crossover_search, doubles_replications_only_where_the_side_is_not_known) {
  const auto found =
      search("0.0:1.0", {8, 100000, 0.01}, {[](double x) { return x < 0.5 ? 100.0 : 0.0; }, 0.0, 1.0, 3});
  EXPECT_TRUE(found.crossings.empty());
  for (const paired_point& p : found.scanned) EXPECT_EQ(p.first.size(), p.value < 0.5 ? 4u : 128u) << p.value;
}

TEST(crossover_search, keeps_within_the_budget_and_says_that_it_was_not_enough) {
  for (const std::size_t budget : {150U, 233U, 600U}) {
    const auto found = search("0.0:1.0", {6, budget, 0.001}, {curved, 0.1, 0.1});
    EXPECT_LE(found.spent, budget);
    ASSERT_EQ(found.crossings.size(), 1u);
    EXPECT_FALSE(found.crossings.front().precise);
    EXPECT_LE(found.crossings.front().low, 0.37) << budget;
    EXPECT_GE(found.crossings.front().high, 0.37) << budget;
  }
}

TEST(crossover_search, a_budget_below_a_first_look_is_an_error) {
  EXPECT_EQ(refusal<std::invalid_argument>([] {
              search("0.0:1.0", {10, 99, 0.01}, {curved, 0.1, 0.1});
            }),
            "expected at least 100: a first look takes 10 values, 5 replications of both policies at each");
}

TEST(crossover_search, counts_what_it_spends_and_runs_no_replication_of_a_value_twice) {
  two_variants both{curved, 0.2, 0.1};
  const search_model model = both.model();
  const auto found = find_crossings(search_range("0.0:1.0"), {6, 3000, 0.01}, model, nobody);
  EXPECT_EQ(found.spent, 2 * both.seen.size());
}

TEST(crossover_search, narrows_down_with_replications_that_the_scan_has_not_seen) {
  two_variants both{curved, 0.2, 0.1};
  const search_model model = both.model();
  const crossover_terms terms{6, 3000, 0.01};
  std::set<std::pair<double, std::uint32_t>> by_scan;
  find_crossings(search_range("0.0:1.0"), terms, model, [&](const crossover_result& so_far) {
    if (so_far.crossings.empty()) by_scan = both.seen;
  });
  for (const auto& [value, replication] : by_scan) EXPECT_LT(replication, end_of_scan(terms));
  std::size_t later = 0;
  for (const auto& one : both.seen)
    if (by_scan.count(one) == 0) {
      EXPECT_GE(one.second, end_of_scan(terms));
      ++later;
    }
  EXPECT_GT(later, 20u);
}

// The sign changes at 0.68; from 0.7 on nothing can be measured, and the last value of the first grid before is 0.667.
TEST(crossover_search, reaches_up_to_the_border_of_what_can_be_measured) {
  two_variants both{[](double x) { return 50.0 * (x - 0.68); }, 0.01, 0.01};
  search_model model = both.model();
  const auto run = model.run;
  const auto search_it = [&] { return find_crossings(search_range("0.0:1.0"), {6, 3000, 0.01}, model, nobody); };
  const auto expect_crossing = [](const crossover_result& found) {
    ASSERT_EQ(found.crossings.size(), 1u);
    EXPECT_NEAR(found.crossings.front().value, 0.68, 0.01);
    for (const paired_point& p : found.scanned) EXPECT_EQ(p.excluded(), p.value > 0.7) << p.value;
  };
  model.refuse = [](const search_values& v) { return v.front() > 0.7 ? "unstable" : ""; };
  expect_crossing(search_it());
  model.refuse = [](const search_values&) { return ""; };
  model.run = [&](const std::vector<trial_replication>& trials) {
    auto outcomes = run(trials);
    for (std::size_t i = 0; i < trials.size(); ++i)
      if (trials[i].values.front() > 0.7 && trials[i].variant == 1) outcomes[i] = {{}, "starves"};
    return outcomes;
  };
  expect_crossing(search_it());
}

TEST(crossover_search, values_left_out_within_a_change_of_sign_leave_the_interval_to_the_others) {
  two_variants both{[](double x) { return x - 0.5; }, 0.05, 0.02};
  search_model model = both.model();
  model.refuse = [](const search_values& v) { return v.front() > 0.46 && v.front() < 0.54 ? "hole" : ""; };
  const auto found = find_crossings(search_range("0.0:1.0"), {6, 3000, 0.01}, model, nobody);
  ASSERT_EQ(found.crossings.size(), 1u);
  EXPECT_LE(found.crossings.front().low, 0.5);
  EXPECT_GE(found.crossings.front().high, 0.5);
}

}  // namespace
}  // namespace muster
