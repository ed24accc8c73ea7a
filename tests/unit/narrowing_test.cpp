#include "platform/search/narrowing.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

#include "platform/command_line/tune_text.h"
#include "platform/random/random_stream.h"

namespace muster {
namespace {

using verdict = candidate::verdict;

std::string refusal_of(const std::string& range) {
  try {
    const search_range read(range);
    return "";
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
}

/// A function of the value with noise that replications of the same number share, and some of their own.
struct noisy_function {
  std::function<double(double)> truth;
  double own = 0.0;
  std::uint64_t seed = 1;
  std::map<double, std::size_t> runs{};

  tuned_model model() {
    return {[](double) { return ""; },
            [this](const std::vector<trial>& trials) {
              std::vector<trial_outcome> outcomes;
              for (const trial& t : trials) {
                ++runs[t.value];
                random_stream shared(seed, t.replication, "test", "shared");
                random_stream alone(seed, t.replication, "test", std::to_string(t.value));
                std::normal_distribution<double> common, private_noise;
                outcomes.push_back({truth(t.value) + 100.0 * common(shared) + own * private_noise(alone), {}});
              }
              return outcomes;
            }};
  }
};

narrowing_result narrow(const std::string& range, const narrowing_terms& terms, noisy_function f) {
  return narrow(search_range(range), terms, f.model(), [](const narrowing_result&) {});
}

double best_of(const narrowing_result& found) { return found.candidates[found.best].value; }

TEST(search_range, begins_with_all_of_few_integers_and_with_ten_values_of_many) {
  EXPECT_EQ(search_range("3:6").coarse(), (std::vector<double>{3, 4, 5, 6}));
  EXPECT_EQ(search_range("0:31").coarse(), (std::vector<double>{0, 3, 7, 10, 14, 17, 21, 24, 28, 31}));
  EXPECT_EQ(search_range("0.0:0.9").coarse(), (std::vector<double>{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}));
}

TEST(search_range, steps_are_geometric_beyond_a_decade_above_zero) {
  EXPECT_EQ(search_range("1:512").coarse(), (std::vector<double>{1, 2, 4, 8, 16, 32, 64, 128, 256, 512}));
  EXPECT_EQ(*search_range("0.1:10.0").between(0.1, 10.0), 1.0);
  EXPECT_EQ(*search_range("0.0:10.0").between(0.0, 10.0), 5.0);
}

TEST(search_range, halves_gaps_down_to_neighbouring_integers_or_one_percent) {
  const search_range integers("0:31");
  EXPECT_EQ(integers.between(3, 5), 4.0);
  EXPECT_FALSE(integers.between(3, 4));
  EXPECT_EQ(search_range("1:1000").between(1, 3), 2.0);
  EXPECT_TRUE(search_range("0.0:1.0").between(0.5, 0.52));
  EXPECT_FALSE(search_range("0.0:1.0").between(0.5, 0.509));
}

TEST(search_range, with_a_step_has_no_other_values) {
  const search_range integers("4:31:8"), reals("0.5:2.0:0.1");
  EXPECT_EQ(integers.coarse(), (std::vector<double>{4, 12, 20, 28}));
  EXPECT_EQ(integers.high(), 28.0);
  EXPECT_EQ(integers.text(12), "12");
  EXPECT_EQ(integers.between(4, 20), 12.0);
  EXPECT_FALSE(integers.between(4, 12));
  EXPECT_EQ(reals.coarse().size(), 10u);
  EXPECT_EQ(reals.steps(), 15u);
  EXPECT_EQ(reals.after(3), 0.8) << "not 0.8000000000000000444";
  EXPECT_EQ(reals.text(reals.after(5)), "1.0");
  EXPECT_FALSE(reals.between(0.5, 0.6));
  EXPECT_EQ(search_range("1:1000:3").coarse().back(), 1000.0);
  for (const double value : search_range("1:1000:3").coarse()) EXPECT_EQ(std::fmod(value, 3.0), 1.0) << value;
  EXPECT_EQ(search_range("1:1000:3").between(1, 7), 4.0);
  EXPECT_EQ(search_range("0:9").steps(), 9u);
  EXPECT_EQ(search_range("0.0:9").steps(), 0u);
}

TEST(search_range, values_of_real_ranges_read_back_as_real_numbers) {
  EXPECT_EQ(search_range("0:31").text(7), "7");
  EXPECT_EQ(search_range("0.0:31").text(7), "7.0");
  EXPECT_EQ(search_range("0.0:31").text(0.25), "0.25");
}

TEST(search_range, of_a_list_has_each_of_its_values_and_no_other) {
  const search_range policies("fcfs, msf,{ name = \"msfq\", threshold = 2 }");
  EXPECT_TRUE(policies.is_list());
  EXPECT_EQ(policies.coarse(), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(policies.text(1), "msf");
  EXPECT_EQ(policies.text(2), "{ name = \"msfq\", threshold = 2 }");
  EXPECT_EQ(policies.words(), "among fcfs, msf, { name = \"msfq\", threshold = 2 }");
  EXPECT_EQ(policies.between(0, 1), std::nullopt);
  std::string many = "0";
  for (int n = 1; n < 30; ++n) many += "," + std::to_string(n);
  EXPECT_EQ(search_range(many).coarse().size(), 30U);
  EXPECT_EQ(search_range("0:31").words(), "from 0 to 31");
}

TEST(search_range, says_what_is_wrong_with_a_list) {
  EXPECT_EQ(refusal_of("fcfs,msf,fcfs"), "the value 'fcfs' is listed twice");
  EXPECT_EQ(refusal_of("fcfs,"), "expected a value between commas, such as fcfs,msf,first_fit");
}

TEST(search_range, says_what_is_wrong_with_a_range) {
  EXPECT_EQ(refusal_of("5"), "expected LOW:HIGH, such as 0:31 or 0.1:10.0, found '5'");
  EXPECT_EQ(refusal_of("a:b"), "expected LOW:HIGH, such as 0:31 or 0.1:10.0, found 'a'");
  EXPECT_EQ(refusal_of("1:"), "expected LOW:HIGH, such as 0:31 or 0.1:10.0, found ''");
  EXPECT_EQ(refusal_of("0:1e999"), "expected LOW:HIGH, such as 0:31 or 0.1:10.0, found '1e999'");
  for (const std::string step : {"0", "-1", "10", "x", ""})
    EXPECT_EQ(
        refusal_of("0:9:" + step),
        "expected LOW:HIGH:STEP with a STEP above 0 and at most HIGH - LOW, such as 0:30:5, found '" + step + "'");
  EXPECT_EQ(refusal_of("3:3"), "the range is empty: expected LOW below HIGH");
  EXPECT_EQ(refusal_of("4:3"), "the range is empty: expected LOW below HIGH");
}

TEST(narrowing, finds_the_best_real_number_within_one_percent_of_the_range) {
  for (const double at : {0.0, 1.7, 3.3, 9.99, 10.0}) {
    const auto found = narrow("0.0:10.0", {false, 16, 1000}, {[at](double v) { return (v - at) * (v - at); }, 0.0, 1});
    EXPECT_NEAR(best_of(found), at, 0.1) << at;
    EXPECT_LT(found.spent, 500U);
    EXPECT_FALSE(found.budget_spent);
  }
}

TEST(narrowing, finds_the_greatest_where_that_is_sought) {
  const auto found = narrow("1:1000", {true, 8, 1000}, {[](double v) { return -std::abs(v - 333); }, 0.0, 1});
  EXPECT_EQ(best_of(found), 333);
}

TEST(narrowing, shared_noise_does_not_hide_a_small_difference) {
  const auto found = narrow("0:31", {false, 8, 400}, {[](double v) { return std::abs(v - 22) * 0.1; }, 0.01, 1});
  EXPECT_EQ(best_of(found), 22);
  for (const candidate& c : found.candidates) EXPECT_EQ(c.answer == verdict::left, c.value == 22) << c.value;
}

// Nothing to choose between: nobody's trials are more than the most, and all are reported as equals.
TEST(narrowing, reports_those_that_cannot_be_told_apart) {
  const auto found = narrow("0:9", {false, 16, 1000}, {[](double v) { return v < 5 ? 0.0 : 100.0; }, 1.0, 3});
  for (const candidate& c : found.candidates) {
    EXPECT_EQ(c.answer == verdict::left, c.value < 5) << c.value;
    EXPECT_EQ(c.found.size(), c.value < 5 ? 16U : 4U) << c.value;
  }
  EXPECT_EQ(found.spent, 5 * 16U + 5 * 4U);
}

// The first is as good as any. Of 400 searches at most 5 % may drop it: more than 37 have a probability below 1 in
// 10,000.
TEST(narrowing, seldom_drops_a_value_that_is_the_best) {
  int dropped = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const auto found = narrow("0:11", {false, 16, 1000}, {[](double v) { return v == 0 ? 0.0 : 0.001; }, 1.0, seed});
    if (found.candidates.front().answer == verdict::worse) ++dropped;
  }
  EXPECT_LE(dropped, 37);
}

TEST(narrowing, every_value_has_the_same_replications_and_none_is_run_twice) {
  noisy_function f{[](double v) { return std::abs(v - 40); }, 5.0, 7};
  const auto found = narrow(search_range("0:99"), {false, 20, 2000}, f.model(), [](const narrowing_result&) {});
  std::size_t spent = 0;
  for (const candidate& c : found.candidates) {
    EXPECT_EQ(f.runs[c.value], c.found.size());
    spent += c.found.size();
  }
  EXPECT_EQ(spent, found.spent);
}

TEST(narrowing, ends_at_the_first_look_where_all_find_the_same) {
  const auto found = narrow("0.0:10.0", {false, 16, 1000}, {[](double) { return 7.0; }, 0.0, 1});
  EXPECT_TRUE(found.no_effect);
  EXPECT_FALSE(found.budget_spent);
  EXPECT_EQ(found.candidates.size(), 10u);
  EXPECT_EQ(found.spent, 10 * 4u);
  const auto nearly = narrow("0.0:10.0", {false, 16, 1000}, {[](double v) { return v < 9.9 ? 7.0 : 7.01; }, 0.0, 1});
  EXPECT_FALSE(nearly.no_effect);
}

TEST(narrowing, a_single_value_that_can_be_measured_is_no_parameter_without_effect) {
  noisy_function f{[](double) { return 7.0; }, 0.0, 1};
  tuned_model model = f.model();
  model.refuse = [](double v) { return v > 0.0 ? "unstable" : ""; };
  EXPECT_FALSE(narrow(search_range("0:9"), {false, 8, 1000}, model, [](const narrowing_result&) {}).no_effect);
}

// 12 values; looks at 4, 8 and 16 replications.
TEST(narrowing, counts_the_comparisons_for_which_each_is_corrected) {
  const auto found = narrow("0:11", {false, 16, 1000}, {[](double v) { return v; }, 1.0, 1});
  EXPECT_EQ(found.candidates.size(), 12u);
  EXPECT_EQ(found.looks, 3u);
  EXPECT_EQ(found.comparisons(), 33u);
}

TEST(narrowing, keeps_within_the_budget_and_says_that_it_was_spent) {
  for (const std::size_t budget : {50U, 51U, 77U}) {
    const auto found = narrow("0.0:1.0", {false, 10, budget}, {[](double v) { return v; }, 10.0, 5});
    EXPECT_LE(found.spent, budget);
    EXPECT_TRUE(found.budget_spent);
    for (const candidate& c : found.candidates) EXPECT_FALSE(c.found.empty());
  }
}

TEST(narrowing, a_budget_below_a_first_look_is_an_error) {
  try {
    narrow("0.0:1.0", {false, 10, 49}, {[](double v) { return v; }, 1.0, 5});
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "expected at least 50: a first look takes 10 values of 5 replications each");
  }
}

TEST(narrowing, leaves_out_values_that_cannot_be_measured_and_searches_up_to_them) {
  noisy_function f{[](double v) { return -v; }, 0.0, 1};
  tuned_model model = f.model();
  model.refuse = [](double v) { return v > 5.0 ? "unstable" : ""; };
  const auto run = model.run;
  model.run = [&](const std::vector<trial>& trials) {
    auto outcomes = run(trials);
    for (std::size_t i = 0; i < trials.size(); ++i)
      if (trials[i].value < 1.0 && trials[i].replication == 2) outcomes[i] = {{}, "fault"};
    return outcomes;
  };
  const auto found = narrow(search_range("0.0:10.0"), {false, 8, 1000}, model, [](const narrowing_result&) {});
  EXPECT_NEAR(best_of(found), 5.0, 0.1);
  EXPECT_LE(best_of(found), 5.0);
  for (const candidate& c : found.candidates) {
    EXPECT_EQ(c.answer == verdict::excluded, c.value > 5.0 || c.value < 1.0) << c.value;
    EXPECT_EQ(c.why, c.value > 5.0 ? "unstable" : c.value < 1.0 ? "fault" : "") << c.value;
  }
}

// Where the best is one apart, a candidate whose trials differ from the best's by 1 + d and 1 - d in turn. Over n of
// them t is sqrt(n - 1) / d with n - 1 degrees of freedom; with d = sqrt(3) / t that is t over the first 4, and
// sqrt(7 / 3) t over 8.
narrowing_result with_t_of(double t, const std::string& range, std::uint32_t replications, bool maximize = false) {
  const tuned_model model{[](double) { return ""; },
                          [&](const std::vector<trial>& trials) {
                            std::vector<trial_outcome> outcomes;
                            for (const trial& asked : trials) {
                              const double apart = 1.0 + (asked.replication % 2 == 0 ? 1 : -1) * std::sqrt(3.0) / t;
                              const double worse = asked.value == 0 ? 0.0 : apart;
                              outcomes.push_back({maximize ? -worse : worse, {}});
                            }
                            return outcomes;
                          }};
  return narrow(search_range(range), {maximize, replications, 1000}, model, [](const narrowing_result&) {});
}

std::vector<verdict> verdicts(const narrowing_result& found) {
  std::vector<verdict> all;
  for (const candidate& c : found.candidates) all.push_back(c.answer);
  return all;
}

// One-sided, 3 degrees of freedom: 2.353 at 5 %, 3.182 at 2.5 %, 3.740 at 5/3 %, 4.541 at 1 %.
TEST(narrowing, corrects_for_the_candidates_beside_the_best) {
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
TEST(narrowing, corrects_for_the_number_of_looks) {
  EXPECT_EQ(with_t_of(3.1, "0:1", 8).candidates[1].found.size(), 8u) << "dropped at the second look only";
  EXPECT_EQ(with_t_of(3.3, "0:1", 8).candidates[1].found.size(), 4u);
  EXPECT_EQ(with_t_of(3.7, "0:1", 16).candidates[1].found.size(), 8u);
  EXPECT_EQ(with_t_of(3.8, "0:1", 16).candidates[1].found.size(), 4u);
  // 2.365 at 2.5 % with 7 degrees of freedom.
  EXPECT_EQ(with_t_of(2.3 * std::sqrt(3.0 / 7.0), "0:1", 8).candidates[1].answer, verdict::left);
  EXPECT_EQ(with_t_of(2.4 * std::sqrt(3.0 / 7.0), "0:1", 8).candidates[1].answer, verdict::worse);
}

TEST(tune_text, tells_values_that_cannot_be_told_apart_from_those_that_are_worse_or_excluded) {
  study s;
  s.points.resize(1);
  const search_range range("1:4");
  const tuning_question asked{s, "k", range, {{{"response_time"}, {}}, {}}};
  narrowing_result found;
  found.candidates = {
      {1, {3.0, 3.5}}, {2, {2.0, 4.0}}, {3, {8.0, 9.5}, verdict::worse}, {4, {}, verdict::excluded, "?"}};
  found.best = 1;
  const auto expect = [&](const std::string& text, const std::string& words) {
    EXPECT_NE(text.find(words), std::string::npos) << words << '\n' << text;
  };
  expect(tuning_text(asked, 0, found).text(), "\ncannot be told apart from it: 1\n");
  expect(tuning_progress(asked, found), ": 2 of 4 values left, the best so far k = 2\n");
  found.candidates[0].answer = verdict::worse;
  expect(tuning_text(asked, 0, found).text(), "\nall others tried are worse\n");
  for (candidate& c : found.candidates)
    if (c.answer == verdict::worse) c.answer = verdict::excluded;
  expect(tuning_text(asked, 0, found).text(), "\nno other value tried is a candidate\n");
  for (const std::size_t n : {0, 2}) found.candidates[n] = {found.candidates[n].value, {2.0, 4.0}};
  found.no_effect = true;
  expect(tuning_text(asked, 0, found).text(), "\nk has no effect on response_time: 3 values give the same ");
}

}  // namespace
}  // namespace muster
