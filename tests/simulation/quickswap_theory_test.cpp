#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/theory/theory.h"
#include "tests/oracles/quickswap_chains.h"
#include "tests/simulation/chains.h"

// The policies against the exact stationary distribution of their Markov chains, which are written apart from them.
// Every interval here misses the truth with probability 1e-4; seeds are fixed.

namespace muster {
namespace {

constexpr int jobs = 24'000;
const std::vector<kind> three_needs{{1, 0.6, 1.0, 36}, {2, 0.25, 1.0, 24}, {4, 0.15, 1.0, 20}};

class msfq_chain : public testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(msfq_chain, response_times_phases_and_their_durations_are_exact) {
  const auto [threshold, always] = GetParam();
  const std::vector<kind> kinds{{1, 1.2, 1.0}, {4, 0.3, 1.0}};
  const auto exact = oracle::msfq(4, threshold, 1.2, 0.3, 1.0, 1.0,
                                  always ? oracle::msfq_drain::always : oracle::msfq_drain::if_heavy_waits);
  const auto results = replicate(cluster_of(
      4, kinds,
      fmt::format("name = \"msfq\"\nthreshold = {}\ndrain = \"{}\"", threshold, always ? "always" : "if_heavy_waits"),
      jobs));
  expect_agreement(results, kinds, exact);
  for (std::size_t phase = 1; phase <= 4; ++phase) {
    if (exact.phase_share[phase] == 0.0) continue;
    const std::string name = fmt::format("phase_{}", phase);
    EXPECT_ESTIMATE(results, "phase_share", name, exact.phase_share[phase]);
    EXPECT_ESTIMATE(results, "phase_duration", name, exact.phase_duration[phase]);
  }
}

INSTANTIATE_TEST_SUITE_P(every_threshold_and_drain, msfq_chain,
                         testing::Combine(testing::Values(0, 1, 2, 3), testing::Bool()), [](const auto& given) {
                           return fmt::format("threshold_{}_{}", std::get<0>(given.param),
                                              std::get<1>(given.param) ? "always" : "if_heavy_waits");
                         });

// At 16 cores, which the chain of all states does not reach.
void expect_theory(const std::string& policy, double rate, const std::vector<std::string>& classes) {
  const std::string text = cluster_of(16, {{1, 0.8 * rate, 1.0}, {16, 0.2 * rate, 0.9}}, policy, jobs);
  const theory known = known_answer(first_point(text));
  const auto results = replicate(text);
  std::size_t compared = 0;
  for (const estimate& e : known.values) {
    const bool is_measured = e.metric == "response_time" || e.metric == "weighted_response_time" ||
                             e.metric == "waiting_time" || e.metric == "jobs_in_system" || e.metric == "phase_share" ||
                             e.metric == "phase_duration";
    if (!is_measured || *e.mean == 0.0) continue;
    EXPECT_ESTIMATE(results, e.metric, e.class_name, *e.mean);
    ++compared;
  }
  EXPECT_GE(compared, 3 * classes.size()) << known.about;
}

TEST(theory, of_msfq_is_covered_by_simulation) {
  expect_theory("name = \"msfq\"\nthreshold = 9", 3.4, {"need_1", "need_16", "all"});
}

TEST(theory, of_msfq_that_drains_for_heavy_jobs_alone_is_covered_by_simulation) {
  expect_theory("name = \"msfq\"\nthreshold = 12\ndrain = \"if_heavy_waits\"", 3.0, {"need_1", "need_16", "all"});
}

TEST(theory, of_msf_is_covered_by_simulation) { expect_theory("name = \"msf\"", 2.8, {"need_1", "need_16", "all"}); }

TEST(theory, of_fcfs_is_covered_by_simulation) { expect_theory("name = \"fcfs\"", 1.6, {"need_1", "need_16", "all"}); }

TEST(chain, msf_is_exact) {
  expect_agreement(replicate(cluster_of(4, three_needs, "name = \"msf\"", jobs)), three_needs,
                   oracle::msf(4, for_oracle(three_needs)));
}

TEST(chain, first_fit_is_exact) {
  const std::vector<kind> kinds{{1, 0.6, 1.0}, {3, 0.25, 1.0}};
  expect_agreement(replicate(cluster_of(3, kinds, "name = \"first_fit\"", jobs)), kinds,
                   oracle::first_fit(3, for_oracle(kinds)));
}

TEST(chain, adaptive_quickswap_is_exact) {
  expect_agreement(replicate(cluster_of(4, three_needs, "name = \"adaptive_quickswap\"", jobs)), three_needs,
                   oracle::adaptive_quickswap(4, for_oracle(three_needs)));
}

struct static_case {
  int threshold;
  const char* drain;
  const char* hand_over;

  friend void PrintTo(const static_case& c, std::ostream* out) {
    *out << "threshold " << c.threshold << ", " << c.drain << ", " << c.hand_over;
  }
};

class static_chain : public testing::TestWithParam<static_case> {};

TEST_P(static_chain, is_exact) {
  const static_case& given = GetParam();
  const std::string drain = given.drain, hand_over = given.hand_over;
  const auto exact =
      oracle::static_quickswap(4, for_oracle(three_needs), given.threshold,
                               drain == "always" ? oracle::static_drain::always : oracle::static_drain::if_other_waits,
                               hand_over == "published"        ? oracle::static_hand_over::published
                               : hand_over == "while_draining" ? oracle::static_hand_over::while_draining
                                                               : oracle::static_hand_over::after_drain);
  const std::string policy =
      hand_over == "published"
          ? "name = \"static_quickswap\"\nhand_over = \"published\""
          : fmt::format("name = \"static_quickswap\"\nthreshold = {}\ndrain = \"{}\"\nhand_over = \"{}\"",
                        given.threshold, drain, hand_over);
  expect_agreement(replicate(cluster_of(4, three_needs, policy, jobs)), three_needs, exact);
}

INSTANTIATE_TEST_SUITE_P(
    every_reading, static_chain,
    testing::Values(static_case{3, "if_other_waits", "after_drain"}, static_case{1, "if_other_waits", "after_drain"},
                    static_case{3, "always", "after_drain"}, static_case{3, "if_other_waits", "while_draining"},
                    static_case{2, "always", "while_draining"}, static_case{3, "if_other_waits", "published"}),
    [](const auto& given) {
      return fmt::format("threshold_{}_{}_{}", given.param.threshold, given.param.drain, given.param.hand_over);
    });

TEST(saturation, fcfs_completes_jobs_at_its_stability_limit_when_overloaded) {
  // Light jobs come in geometric runs L between heavy ones: the limit is 1 / (p_heavy E[cycle]), see stability.cpp.
  const double p = 0.9;
  double cycle = 1.0, at_least = 1.0;
  for (int n = 1; n < 400; ++n) cycle += (at_least *= p) / std::min(n, 4);
  const std::vector<kind> kinds{{1, 9.0, 1.0}, {4, 1.0, 1.0}};
  const auto results = replicate(cluster_of(4, kinds, "name = \"fcfs\"", 5'000));
  EXPECT_ESTIMATE(results, "throughput", "all", 10.0 / cycle);
}

}  // namespace
}  // namespace muster
