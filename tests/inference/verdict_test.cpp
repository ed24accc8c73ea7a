#include "platform/inference/judge.h"

#include <gtest/gtest.h>

#include "platform/command_line/run_text.h"
#include "platform/inference/verdict_sentences.h"
#include "platform/model/study_families.h"

namespace muster {
namespace {

using names = std::vector<std::string>;

estimate response_time(double mean, double half, cautions marks = {}) {
  return {"all", "response_time", mean, mean - half, mean + half, 10, 1000, marks};
}

/// A study of policies, perhaps over rates, with values that are made up: paired differences have a tenth of the
/// intervals' half-widths.
class made_study {
 public:
  explicit made_study(std::vector<std::string> keys) {
    study_.name = "made";
    study_.keys = std::move(keys);
  }

  made_study& point(std::vector<std::string> values, const estimate& found) {
    study_.points.emplace_back().values = std::move(values);
    scenario& model = study_.points.back().model;
    model.unit.name = "ms";
    model.policy.name = "fcfs";
    model.report.metrics = {{"response_time"}};
    all_.measured.push_back({found});
    return *this;
  }

  /// Adds another metric of each point.
  made_study& with(const std::vector<estimate>& found) {
    for (std::size_t p = 0; p < found.size(); ++p) all_.measured[p].push_back(found[p]);
    return *this;
  }
  made_study& where(const metric_bound& bound) {
    for (study::point& p : study_.points) p.model.report.where = {bound};
    return *this;
  }

  verdict judged() {
    for (const std::vector<std::size_t>& family : families_of_policies(study_))
      for (const auto& [a, b] : pairs_within(family)) {
        const estimate &of_a = all_.measured[a][0], &of_b = all_.measured[b][0];
        const double apart = *of_a.mean - *of_b.mean, half = 0.1 * (*of_a.mean - *of_a.ci_low);
        all_.differences.push_back({a, b, {response_time(apart, half)}});
      }
    return judge(study_, all_);
  }
  const study& what() const { return study_; }

 private:
  study study_;
  study_estimates all_;
};

std::vector<std::string> policies(const std::vector<const entrant*>& all) {
  std::vector<std::string> found;
  for (const entrant* c : all) found.push_back(c->policy);
  return found;
}

TEST(verdict, names_the_best_its_equals_and_by_how_much_the_others_are_worse) {
  made_study made({"policy"});
  made.point({"slow"}, response_time(2.0, 0.1)).point({"good"}, response_time(1.0, 0.1));
  made.point({"alike"}, response_time(1.005, 0.1)).point({"bad"}, response_time(1.5, 0.1));
  const verdict v = made.judged();
  ASSERT_EQ(v.metrics.size(), 1u);
  EXPECT_EQ(v.metrics[0].unit, "ms");
  const contest& c = v.metrics[0].by_others.at(0).at(0);
  ASSERT_TRUE(c.best());
  EXPECT_EQ(c.best()->policy, "good");
  EXPECT_EQ(policies(c.of(policy_rank::equal)), (names{"alike"}));
  EXPECT_EQ(policies(c.of(policy_rank::worse)), (names{"bad", "slow"}));
  EXPECT_DOUBLE_EQ(*c.of(policy_rank::worse)[0]->share, 0.5);
  EXPECT_NEAR(*c.of(policy_rank::worse)[0]->share_low, 0.49, 1e-12);
  EXPECT_EQ(sentence_of(c, "ms"),
            "good is best, 1.00 +- 0.10 ms; not told apart from it: alike; next is bad (+50 % (+49 % to +51 %))");
  EXPECT_NE(verdict_text(made.what(), v)
                .text()
                .find("\nresponse_time, ms\n"
                      "best         value  not told apart from it  next\n"
                      "good  1.00 +- 0.10  alike                   "
                      "bad +50 % (+49 % to +51 %)\n"),
            std::string::npos);
}

TEST(verdict, prefers_larger_values_of_a_metric_where_these_are_better) {
  made_study made({"policy"});
  const auto utility = [](double mean) {
    return estimate{"all", "utility", mean, mean - 0.1, mean + 0.1, 10, 1000, {}};
  };
  made.point({"less"}, utility(1.0)).point({"more"}, utility(2.0));
  study s = made.what();
  for (study::point& p : s.points) p.model.report.metrics = {{"utility"}};
  study_estimates all{{{utility(1.0)}, {utility(2.0)}}, {}, {{0, 1, {utility(-1.0)}}}};
  const verdict v = judge(s, all);
  EXPECT_EQ(v.metrics.at(0).by_others[0][0].best()->policy, "more");
  EXPECT_EQ(lead_text(*v.metrics[0].by_others[0][0].of(policy_rank::worse).at(0)), "-50 % (-55 % to -45 %)");
}

TEST(verdict, never_calls_an_estimate_best_that_is_biased_or_unstable) {
  made_study made({"policy"});
  made.point({"starving"}, response_time(0.5, 0.1, caution::biased)).point({"sound"}, response_time(1.0, 0.1));
  made.point({"unstable"}, response_time(0.4, 0.1, caution::unstable));
  made.point({"worse_even_so"}, response_time(3.0, 0.1, caution::biased));
  const verdict v = made.judged();
  const contest& c = v.metrics.at(0).by_others[0][0];
  ASSERT_TRUE(c.best());
  EXPECT_EQ(c.best()->policy, "sound");
  EXPECT_EQ(policies(c.of(policy_rank::unjudged)), (names{"starving"}));
  EXPECT_EQ(policies(c.of(policy_rank::worse)), (names{"unstable", "worse_even_so"}));
  EXPECT_EQ(lead_text(*c.of(policy_rank::worse)[0]), "unstable");
  EXPECT_EQ(lead_text(*c.of(policy_rank::worse)[1]), "at least +200 % (+200 % to +200 %)");
  EXPECT_EQ(v.sentences, (names{"unstable: unstable"}));
  EXPECT_NE(verdict_text(made.what(), v).text().find("starving (biased)\n"), std::string::npos);
}

TEST(verdict, takes_an_overloaded_policy_for_worse_as_it_does_an_unstable_one) {
  made_study made({"policy"});
  made.point({"fast"}, response_time(1.0, 0.1)).point({"slow"}, response_time(0.5, 0.1, caution::overloaded));
  const verdict v = made.judged();
  const contest& c = v.metrics.at(0).by_others[0][0];
  ASSERT_TRUE(c.best());
  EXPECT_EQ(c.best()->policy, "fast");
  EXPECT_EQ(lead_text(*c.of(policy_rank::worse).at(0)), "overloaded");
  EXPECT_EQ(v.sentences, (names{"overloaded: slow"}));
}

estimate waiting_time_of(double mean, double half, cautions marks = {}) {
  return {"all", "waiting_time", mean, mean - half, mean + half, 10, 1000, marks};
}

TEST(verdict, is_among_policies_that_keep_the_bounds_and_says_which_do_not) {
  made_study made({"policy"});
  made.point({"fast"}, response_time(1.0, 0.01)).point({"fair"}, response_time(2.0, 0.01));
  made.point({"perhaps"}, response_time(1.5, 0.01)).point({"worse"}, response_time(9.0, 0.01));
  made.with(
      {waiting_time_of(7.0, 0.5), waiting_time_of(3.0, 0.5), waiting_time_of(4.9, 0.5), waiting_time_of(5.1, 0.5)});
  made.where({{"waiting_time"}, true, 5.0});
  const verdict v = made.judged();
  const contest& c = v.metrics.at(0).by_others[0][0];
  ASSERT_TRUE(c.best());
  EXPECT_EQ(c.best()->policy, "fair");
  EXPECT_EQ(policies(c.of(policy_rank::excluded)), (names{"fast"}));
  EXPECT_EQ(policies(c.of(policy_rank::unjudged)), (names{"perhaps"}));
  EXPECT_EQ(policies(c.of(policy_rank::worse)), (names{"worse"}));
  EXPECT_EQ(sentence_of(c, "ms"),
            "fair is best, 2.000 +- 0.010 ms; next is worse (+350 % (+350 % to +350 %)); not judged: perhaps "
            "(waiting_time 4.90 +- 0.50 may not be <= 5); excluded: fast (waiting_time 7.00 +- 0.50 is not <= 5)");
  const std::string text = verdict_text(made.what(), v).text();
  EXPECT_NE(text.find("made: which policy is best where waiting_time <= 5\n`next`, and what is behind it, is worse by "
                      "more than chance (95 %)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("fast (waiting_time 7.00 +- 0.50 is not <= 5)\n"), std::string::npos) << text;
}

TEST(verdict, names_nobody_where_no_policy_keeps_the_bounds) {
  made_study made({"policy"});
  made.point({"a"}, response_time(1.0, 0.1)).point({"b"}, response_time(2.0, 0.1));
  made.with({waiting_time_of(7.0, 0.5), waiting_time_of(3.0, 0.5, caution::biased)});
  made.where({{"waiting_time"}, true, 5.0});
  const verdict v = made.judged();
  EXPECT_EQ(sentence_of(v.metrics.at(0).by_others[0][0], "ms"),
            "no policy is known to keep all bounds: a (waiting_time 7.00 +- 0.50 is not <= 5), b (waiting_time 3.00 +- "
            "0.50 may not be <= 5)");
}

TEST(verdict, says_at_least_of_biased_estimates_alone) {
  made_study made({"policy"});
  made.point({"sound"}, response_time(1.0, 0.1)).point({"imprecise"}, response_time(3.0, 0.1, caution::imprecise));
  const verdict v = made.judged();
  EXPECT_EQ(lead_text(*v.metrics.at(0).by_others[0][0].of(policy_rank::worse).at(0)), "+200 % (+200 % to +200 %)");
}

// Whether a biased index of fairness is too large or too small is not known.
TEST(verdict, does_not_judge_biased_estimates_of_which_larger_ones_are_better) {
  study s;
  s.keys = {"policy"};
  study_estimates all;
  for (const char* policy : {"sound", "biased"}) {
    const bool biased = all.measured.size() == 1;
    s.points.emplace_back().values = {policy};
    s.points.back().model.report.metrics = {{"fairness_jain"}};
    const double mean = biased ? 0.2 : 0.9;
    all.measured.push_back(
        {{"all", "fairness_jain", mean, mean - 0.01, mean + 0.01, 10, 1000, biased ? caution::biased : cautions{}}});
  }
  all.differences.push_back({0, 1, {{"all", "fairness_jain", 0.7, 0.69, 0.71, 10, 1000}}});
  EXPECT_EQ(policies(judge(s, all).metrics.at(0).by_others[0][0].of(policy_rank::unjudged)), (names{"biased"}));
}

TEST(verdict, has_no_best_where_every_estimate_is_marked) {
  made_study made({"policy"});
  made.point({"a"}, response_time(0.5, 0.1, caution::biased)).point({"b"}, response_time(1.0, 0.1, caution::biased));
  const verdict v = made.judged();
  EXPECT_FALSE(v.metrics.at(0).by_others[0][0].best());
  EXPECT_EQ(sentence_of(v.metrics[0].by_others[0][0], "ms"), "no policy can be called best: every estimate is marked");
}

TEST(verdict, says_where_the_lead_changes_though_rows_between_cannot_tell) {
  made_study made({"arrivals.rate", "policy"});
  const double of_b[] = {1.5, 1.5, 1.001, 0.5, 0.5};
  for (std::size_t i = 0; i < 5; ++i) {
    made.point({std::to_string(i), "a"}, response_time(1.0, 0.1));
    made.point({std::to_string(i), "b"}, response_time(of_b[i], 0.1));
  }
  EXPECT_EQ(made.judged().sentences,
            (names{"response_time: the lead passes from a to b between arrivals.rate = 1 and 3"}));
}

TEST(verdict, says_what_another_key_changes) {
  for (const bool changes : {false, true}) {
    made_study made({"costs", "arrivals.rate", "policy"});
    for (const char* cost : {"0", "0.05"})
      for (const char* rate : {"1", "2"}) {
        const bool dear = std::string(cost) != "0";
        made.point({cost, rate, "a"}, response_time(dear ? 1.2 : 1.0, 0.1));
        made.point({cost, rate, "b"}, response_time(dear && changes ? 1.1 : 2.0, 0.1));
      }
    const verdict v = made.judged();
    EXPECT_EQ(v.key, "arrivals.rate");
    EXPECT_EQ(v.sentences,
              (names{changes ? "costs = 0.05 against costs = 0: the lead changes: response_time from a to b at "
                               "arrivals.rate = 1, response_time from a to b at arrivals.rate = 2; of the best: "
                               "response_time +10 % at arrivals.rate = 2"
                             : "costs = 0.05 against costs = 0: no lead changes; of the best: response_time "
                               "+20 % at arrivals.rate = 2"}));
    const std::string text = verdict_text(made.what(), v).text();
    EXPECT_EQ(text.find("costs = 0.05  ") != text.npos, changes) << text;
  }
}

// Of two policies that are equal one leads by chance; of thirty, one is far from the others by chance.
TEST(verdict, holds_its_error_rate_among_many_policies_that_are_equal) {
  constexpr std::size_t policies = 30, studies = 200;
  std::uint64_t state = 1;
  const auto noise = [&] {  // uniform in -1 .. 1, from Knuth's linear congruential generator
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) / 4503599627370496.0 - 1.0;
  };
  std::size_t wrong = 0;
  for (std::size_t n = 0; n < studies; ++n) {
    study s;
    s.keys = {"policy"};
    study_estimates all;
    std::vector<std::vector<double>> values(policies);
    for (std::size_t p = 0; p < policies; ++p) {
      s.points.emplace_back().values = {"p" + std::to_string(p)};
      s.points.back().model.report.metrics = {{"response_time"}};
      for (int r = 0; r < 10; ++r) values[p].push_back(10.0 + noise() + noise() + noise());
      all.measured.push_back({estimate_of("all", "response_time", values[p], 1000)});
    }
    for (std::size_t a = 0; a < policies; ++a)
      for (std::size_t b = a + 1; b < policies; ++b) {
        std::vector<double> apart;
        for (std::size_t r = 0; r < 10; ++r) apart.push_back(values[a][r] - values[b][r]);
        all.differences.push_back({a, b, {estimate_of("all", "response_time", apart, 1000)}});
      }
    wrong += judge(s, all).metrics.at(0).by_others[0][0].of(policy_rank::worse).empty() ? 0 : 1;
  }
  // 5 % of 200 are 10; more than 20 of these have a probability below 0.002.
  EXPECT_LE(wrong, 20u);
}

// Batch means give each point an interval, and the difference of two points none.
TEST(verdict, compares_intervals_where_differences_have_none) {
  for (const double half : {0.1, 0.9}) {
    study s;
    s.keys = {"policy"};
    study_estimates all;
    for (const double mean : {1.0, 2.0}) {
      s.points.emplace_back().values = {mean < 1.5 ? "good" : "other"};
      s.points.back().model.report.metrics = {{"response_time"}};
      all.measured.push_back({{"all", "response_time", mean, mean - half, mean + half, 1, 1000}});
    }
    all.differences.push_back({0, 1, {{"all", "response_time", -1.0, {}, {}, 1, 1000}}});
    const contest c = judge(s, all).metrics.at(0).by_others[0][0];
    // Two intervals of half-width h tell means apart that differ by more than h sqrt(2): 0.14 and 1.27.
    EXPECT_EQ(policies(c.of(half < 0.5 ? policy_rank::worse : policy_rank::equal)), (names{"other"})) << half;
    EXPECT_EQ(c.ranked.at(1).share, 1.0);
    EXPECT_FALSE(c.ranked[1].share_low);
  }
}

// Differences of means that are skewed have one end further off than the other.
TEST(verdict, goes_by_the_end_of_an_interval_that_lies_towards_no_difference) {
  for (const double share : {0.5, 1.5}) {  // of the distance to zero
    study s;
    s.name = "made";
    s.keys = {"policy"};
    study_estimates all;
    for (const double mean : {1.0, 2.0}) {
      s.points.emplace_back().values = {mean == 1.0 ? "good" : "bad"};
      s.points.back().model.report.metrics = {{"response_time"}};
      all.measured.push_back({response_time(mean, 0.1)});
    }
    estimate apart = response_time(-1.0, 0.0);
    apart.ci_low = -9.0;
    apart.ci_high = -1.0 + share;
    all.differences.push_back({0, 1, {apart}});
    const verdict v = judge(s, all);
    const contest& c = v.metrics.at(0).by_others.at(0).at(0);
    EXPECT_EQ(c.of(policy_rank::worse).size(), share < 1.0 ? 1u : 0u) << share;
  }
}

TEST(verdict, tells_exact_numbers_apart_without_chance) {
  for (const double other : {1.0, 1.001}) {
    made_study made({"policy"});
    made.point({"a"}, response_time(1.0, 0.0)).point({"b"}, response_time(other, 0.0));
    const verdict v = made.judged();
    EXPECT_EQ(policies(v.metrics.at(0).by_others[0][0].of(other > 1.0 ? policy_rank::worse : policy_rank::equal)),
              (names{"b"}));
  }
}

TEST(verdict, gives_no_share_of_a_best_that_is_zero) {
  made_study made({"policy"});
  made.point({"none"}, response_time(0.0, 0.0)).point({"some"}, response_time(1.0, 0.1));
  const verdict v = made.judged();
  const contest& c = v.metrics.at(0).by_others[0][0];
  ASSERT_EQ(policies(c.of(policy_rank::worse)), (names{"some"}));
  EXPECT_EQ(lead_text(*c.of(policy_rank::worse)[0]), "-");
}

TEST(verdict, is_empty_without_policies_to_compare) {
  made_study made({"arrivals.rate"});
  made.point({"1"}, response_time(1.0, 0.1)).point({"2"}, response_time(2.0, 0.1));
  const verdict v = made.judged();
  EXPECT_TRUE(v.metrics.empty());
  EXPECT_EQ(verdict_text(made.what(), v).text(), "");
}

TEST(verdict, judges_by_the_metrics_of_the_report_then_of_the_precision_then_of_the_kind_of_jobs) {
  scenario model;
  model.policy.name = "fcfs";
  const auto texts = [&] {
    std::vector<std::string> all;
    for (const metric_of_class& m : judged_metrics(model)) all.push_back(m.text());
    return all;
  };
  EXPECT_EQ(texts(), (names{"response_time", "weighted_response_time"}));
  model.run.precision = precision_spec{};
  model.run.precision->targets.push_back({{"waiting_time", "small"}, 0.01});
  model.run.precision->targets.push_back({{"utilization", "all"}, 0.01});
  EXPECT_EQ(texts(), (names{"waiting_time[small]"})) << "no value of utilization is better than another";
  model.report.metrics = {{"response_time_p99", "large"}};
  EXPECT_EQ(texts(), (names{"response_time_p99[large]"}));
}

}  // namespace
}  // namespace muster
