#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/oracles/markov_chain.h"
#include "tests/simulation/replicate.h"
#include "tests/simulation/scenes.h"

// Simulations held against the exact stationary distributions of their Markov chains.

namespace muster {

inline std::vector<oracle::chain_class> for_oracle(const std::vector<kind>& kinds) {
  std::vector<oracle::chain_class> classes;
  for (const kind& c : kinds) classes.push_back({c.need, c.rate, 1.0 / c.mean, c.most});
  return classes;
}

inline void expect_agreement(const std::vector<replication_result>& results, const std::vector<kind>& kinds,
                             const oracle::chain_result& exact) {
  for (std::size_t c = 0; c < kinds.size(); ++c) {
    const std::string name = fmt::format("need_{}", kinds[c].need);
    ASSERT_LT(exact.classes[c].lost_share, 1e-7) << "the chain is cut too early to be a judge";
    EXPECT_ESTIMATE(results, "response_time", name, exact.classes[c].mean_response_time);
    EXPECT_ESTIMATE(results, "jobs_in_system", name, exact.classes[c].mean_in_system);
  }
}

}  // namespace muster
