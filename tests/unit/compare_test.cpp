#include "platform/inference/compare.h"

#include <cmath>

#include <unistd.h>

#include <gtest/gtest.h>

#include "platform/scenario/scenario_file.h"
#include "platform/store/result_directory.h"
#include "platform/store/result_store.h"
#include "tests/refusal.h"

namespace muster {
namespace {

/// Values of one metric by replication; none: the replication has nothing to estimate it from.
using values = std::vector<std::optional<double>>;
/// By class and metric.
using metrics = std::vector<std::pair<std::pair<std::string, std::string>, values>>;

class compare_test : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        std::filesystem::temp_directory_path() / (std::string("muster_") + test->name() + std::to_string(getpid()));
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// Stores a run. @param points what each point has found; empty: it was not finished
  void store(const std::string& name, const std::vector<metrics>& points,
             const std::vector<std::string>& overrides = {}) {
    const study s = read_study(R"(name = "made"
platform.servers = [{ name = "node", cores = 4 }]
classes = [{ name = "light", need = 1, share = 1.0, size = { distribution = "exponential", mean = 1.0 } }]
policy = "fcfs"
arrivals.rate = 1.0
)",
                               "made.toml", overrides);
    const result_directory directory(folder_ / name, s, true);
    result_store results(directory.file("results.sqlite").string(), s);
    for (std::size_t p = 0; p < points.size(); ++p) {
      const std::size_t replications = points[p].empty() ? 0 : points[p].front().second.size();
      for (std::size_t r = 0; r < replications; ++r) {
        replication_result found;
        for (const auto& [metric, of] : points[p])
          found.measurements.push_back({metric.first, metric.second, of[r].has_value(), of[r].value_or(0.0), 10, {}});
        results.add(p, static_cast<std::uint32_t>(r), found, false, {});
      }
    }
  }

  comparison held(const std::string& a, const std::string& b) {
    stored_run first(folder_ / a), second(folder_ / b);
    return compare(first, second);
  }

  std::string refusal_of(const std::string& a, const std::string& b) {
    return refusal<results_error>([&] { held(a, b); });
  }

  std::filesystem::path folder_;
};

const std::pair<std::string, std::string> response{"all", "response_time"}, waiting{"light", "waiting_time"};
const std::string rates = R"(sweep."arrivals.rate"=[1.0, 2.0])";

TEST_F(compare_test, pairs_replications_of_the_same_seed) {
  store("a", {{{response, {1.0, 2.0, 3.0}}}});
  store("b", {{{response, {2.0, 4.0, 6.0}}}});
  const comparison found = held("a", "b");
  ASSERT_EQ(found.compared(), 1U);
  EXPECT_TRUE(found.points.at(0).paired);
  const compared_estimate& e = found.points[0].estimates[0];
  EXPECT_EQ(e.a.mean, 2.0);
  EXPECT_EQ(e.b.mean, 4.0);
  EXPECT_NEAR(*e.p, 1.0 - std::sqrt(12.0 / 14.0), 1e-12);  // t = sqrt(12), two degrees of freedom
  EXPECT_FALSE(e.differs || found.identical);
}

TEST_F(compare_test, takes_replications_of_other_seeds_as_independent) {
  store("a", {{{response, {0.0, 2.0}}}});
  store("b", {{{response, {4.0, 6.0}}}}, {"run.seed=2"});
  const comparison found = held("a", "b");
  EXPECT_FALSE(found.points.at(0).paired);
  EXPECT_NEAR(*found.points[0].estimates.at(0).p, 1.0 - std::sqrt(0.8), 1e-12);  // t = sqrt(8), two degrees of freedom
}

TEST_F(compare_test, judges_all_estimates_together) {
  // 4 +- 0.01 alone has p = 0.0016; with two others that say nothing, three times that.
  store("a", {{{response, {0.0, 0.0, 0.0}}, {waiting, {1.0, 2.0, 3.0}}, {{"all", "slowdown"}, {1.0, 2.0, 3.0}}}});
  store("b", {{{response, {3.8, 4.0, 4.2}}, {waiting, {2.0, 1.0, 3.0}}, {{"all", "slowdown"}, {3.0, 1.0, 2.0}}}});
  const comparison found = held("a", "b");
  const compared_estimate& e = found.points.at(0).estimates.at(0);
  EXPECT_NEAR(*e.p, 3.0 * *e.apart.p, 1e-12);
  EXPECT_TRUE(e.differs);
  EXPECT_EQ(found.differing(), 1U);
}

TEST_F(compare_test, matches_points_by_what_the_sweep_has_put_in) {
  store("a", {{{response, {1.0, 2.0}}}, {{response, {5.0, 6.0}}}}, {rates});
  store("b", {{{response, {5.0, 6.0}}}, {{response, {1.0, 2.0}}}}, {R"(sweep."arrivals.rate"=[2.0, 1.0])"});
  const comparison found = held("a", "b");
  EXPECT_TRUE(found.identical);
  EXPECT_EQ(found.compared(), 2U);
}

TEST_F(compare_test, says_what_only_one_run_has) {
  store("a", {{{response, {1.0, 2.0}}, {waiting, {1.0, 2.0}}}, {{response, {5.0, 6.0}}}}, {rates});
  store("b", {{{response, {1.0, 2.0}}}, {{response, {5.0, 6.0}}}}, {R"(sweep."arrivals.rate"=[1.0, 3.0])"});
  const comparison found = held("a", "b");
  EXPECT_EQ(found.only_in_a, (std::vector<std::string>{"point arrivals.rate = 2", "waiting_time of light at 1 point"}));
  EXPECT_EQ(found.only_in_b, (std::vector<std::string>{"point arrivals.rate = 3"}));
  EXPECT_FALSE(found.identical);
  EXPECT_EQ(found.compared(), 1U);
}

TEST_F(compare_test, compares_the_replications_that_both_have) {
  store("a", {{{response, {1.0, 2.0, 3.0, 100.0}}, {waiting, {{}, 1.0, 2.0, 3.0}}}});
  store("b", {{{response, {2.0, 4.0, 6.0}}, {waiting, {7.0, 1.0, 2.0}}}});
  const comparison found = held("a", "b");
  EXPECT_EQ(found.points.at(0).estimates.at(0).apart.mean, 2.0);
  EXPECT_EQ(found.points.at(0).estimates.at(0).a.mean, 26.5);
  EXPECT_EQ(found.points.at(0).estimates.at(1).apart.mean, 0.0);
}

TEST_F(compare_test, one_bit_of_one_replication_is_no_identity) {
  store("a", {{{response, {1.0, 2.0}}}});
  store("b", {{{response, {1.0, std::nextafter(2.0, 3.0)}}}});
  store("c", {{{response, {1.0, 2.0}}}});
  EXPECT_FALSE(held("a", "b").identical);
  EXPECT_TRUE(held("a", "c").identical);
}

TEST_F(compare_test, single_replications_are_not_judged) {
  store("a", {{{response, {1.0}}}});
  store("b", {{{response, {9.0}}}});
  const comparison found = held("a", "b");
  EXPECT_EQ(found.compared(), 1U);
  EXPECT_EQ(found.judged(), 0U);
  EXPECT_EQ(found.differing(), 0U);
}

TEST_F(compare_test, says_why_there_is_nothing_in_common) {
  store("a", {{{response, {1.0, 2.0}}}});
  store("named", {{{response, {1.0, 2.0}}}}, {"name=other"});
  store("swept", {{{response, {1.0, 2.0}}}}, {rates});
  store("unfinished", {{}});
  EXPECT_EQ(refusal_of("a", "named"), "nothing in common: the scenarios are 'made' and 'other'");
  EXPECT_EQ(refusal_of("swept", "a"), "nothing in common: one sweeps arrivals.rate, the other nothing");
  EXPECT_EQ(refusal_of("a", "unfinished"), "nothing in common: no point has results in both");
}

}  // namespace
}  // namespace muster
