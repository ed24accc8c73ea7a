#include "tests/oracles/interrupting_server.h"

#include <cmath>

#include <gtest/gtest.h>

// The oracle itself where the answer is known: exponential sizes, no interruptions, and very many of them.

namespace muster {
namespace {

using oracle::mean_at_interrupting_server;
using oracle::phase_sizes;

double deviation(const phase_sizes& sizes) { return std::sqrt(sizes.second_moment() - sizes.mean() * sizes.mean()); }

TEST(phase_sizes, have_the_moments_of_the_paper) {
  EXPECT_NEAR(oracle::bimodal_phases().mean(), 1.0, 1e-12);
  EXPECT_NEAR(deviation(oracle::bimodal_phases()), 1.84, 0.005);
  EXPECT_NEAR(oracle::hyperexponential().mean(), 1.0, 1e-12);
  // The paper says 2.05, which is the root of p_1 sigma_1^2 + p_2 sigma_2^2; the second moment is twice that.
  EXPECT_NEAR(deviation(oracle::hyperexponential()), std::sqrt(7.4), 1e-12);
  EXPECT_NEAR(oracle::zipf_phases().mean(), 3.58, 0.005);
  EXPECT_NEAR(deviation(oracle::zipf_phases()), 10.61, 0.01);
}

TEST(interrupting_server, does_not_change_m_m_1) {
  for (const double interruptions : {0.0, 1.0, 5.0, 50.0})
    EXPECT_NEAR(mean_at_interrupting_server({{1.0}, {2.0}, {1}}, 1.6, 2.0 * interruptions), 0.8 / 0.2, 1e-9);
}

TEST(interrupting_server, is_pollaczek_khinchine_without_interruptions) {
  for (const phase_sizes& sizes : {oracle::bimodal_phases(), oracle::hyperexponential(), oracle::zipf_phases()}) {
    const double rate = 0.7 / sizes.mean();
    EXPECT_NEAR(mean_at_interrupting_server(sizes, rate, 0.0), 0.7 + rate * rate * sizes.second_moment() / 2.0 / 0.3,
                1e-9);
  }
}

TEST(interrupting_server, tends_to_processor_sharing) {
  for (const phase_sizes& sizes : {oracle::bimodal_phases(), oracle::hyperexponential()}) {
    const double shared = 0.6 / 0.4;
    const double at_50 = mean_at_interrupting_server(sizes, 0.6, 50.0) - shared;
    const double at_500 = mean_at_interrupting_server(sizes, 0.6, 500.0) - shared;
    EXPECT_GT(at_500, 0.0);
    EXPECT_LT(at_50, 0.01 * shared);
    EXPECT_NEAR(at_500, at_50 / 10.0, 0.01 * at_50);  // the distance falls as one over the interruptions
  }
}

}  // namespace
}  // namespace muster
