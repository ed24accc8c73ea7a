#include "platform/inference/significance.h"

#include <cmath>

#include <gtest/gtest.h>

namespace muster {
namespace {

TEST(pair_finding, probabilities_are_those_of_students_t) {
  // Differences 1, 2, 3: mean 2, standard error 1 / sqrt(3). With two degrees of freedom the tail beyond t is
  // (1 - t / sqrt(2 + t^2)) / 2.
  const estimate e = estimate_of("all", "response_time", {1.0, 2.0, 3.0}, 0);
  const auto tail = [](double t) { return 0.5 * (1.0 - t / std::sqrt(2.0 + t * t)); };
  const pair_evidence found = evidence_of(e, 5.0);
  EXPECT_NEAR(*found.apart, 2.0 * tail(2.0 * std::sqrt(3.0)), 1e-12);
  EXPECT_NEAR(*found.equal, tail(3.0 * std::sqrt(3.0)), 1e-12);
  EXPECT_GT(*evidence_of(e, 1.0).equal, 0.5) << "the mean lies beyond the margin";
  EXPECT_FALSE(evidence_of(e, std::nullopt).equal.has_value());
  EXPECT_FALSE(evidence_of(estimate_of("all", "response_time", {1.0}, 0), 5.0).apart.has_value());
}

TEST(pair_finding, differences_that_do_not_vary_leave_nothing_to_chance) {
  const auto of = [](double value, double margin) {
    return findings_of({evidence_of(estimate_of("all", "response_time", {value, value}, 0), margin)}, 26).front();
  };
  EXPECT_EQ(of(0.0, 1.0), pair_finding::equal);
  EXPECT_EQ(of(0.5, 1.0), pair_finding::apart);
}

TEST(pair_finding, more_looks_and_more_pairs_ask_for_more_evidence) {
  const pair_evidence apart{0.004, 1.0}, equal{1.0, 0.004}, nothing{1.0, 1.0};
  using all = std::vector<pair_finding>;
  EXPECT_EQ(findings_of({apart}, 1), all{pair_finding::apart});
  EXPECT_EQ(findings_of({apart}, 26), all{pair_finding::open});
  EXPECT_EQ(findings_of({equal}, 1), all{pair_finding::equal});
  EXPECT_EQ(findings_of({equal}, 26), all{pair_finding::open});
  EXPECT_EQ(findings_of({equal, nothing}, 7), all(2, pair_finding::open));
  EXPECT_EQ(findings_of({equal, nothing}, 5), (all{pair_finding::equal, pair_finding::open}));
  EXPECT_EQ(findings_of({apart, nothing}, 7), all(2, pair_finding::open));
  EXPECT_EQ(findings_of({apart, nothing}, 5), (all{pair_finding::apart, pair_finding::open}));
}

}  // namespace
}  // namespace muster
