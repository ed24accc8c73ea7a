#include "muster/policies/utility.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/refusal.h"

namespace muster {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

TEST(utility, is_the_sum_of_the_gains_so_far) {
  const utility u({4.0, 2.5, 0.0, 1.0});
  EXPECT_EQ(u.units(), 4u);
  const double expected[] = {0.0, 4.0, 6.5, 6.5, 7.5};
  for (unsigned done = 0; done <= 4; ++done) EXPECT_EQ(u.of(done), expected[done]) << done;
  EXPECT_EQ(u.gain(0), 4.0);
  EXPECT_EQ(u.gain(3), 1.0);
}

TEST(utility, is_concave_if_no_gain_grows) {
  EXPECT_TRUE(utility({1.0}).concave());
  EXPECT_TRUE(utility({3.0, 3.0, 1.0, 0.0}).concave());
  EXPECT_FALSE(utility({3.0, 1.0, 1.5}).concave());
}

TEST(utility, looks_over_a_setup_without_gain_to_what_follows) {
  const utility u({0.0, 0.0, 6.0, 2.0, 5.0});
  // 8 in 4 units is less than 6 in 3, and 13 in 5 is more than both.
  const double expected[] = {13.0 / 5.0, 13.0 / 4.0, 6.0, 3.5, 5.0};
  for (unsigned done = 0; done < 5; ++done) EXPECT_EQ(u.steepest(done), expected[done]) << done;
}

// Sums of tenths are not what they should be to the last bit; jobs with equal gains must tie all the same.
TEST(utility, of_falling_gains_is_as_steep_as_they_are_to_the_last_bit) {
  const std::vector<double> gains{0.7, 0.7, 0.3, 0.1, 0.1, 0.1, 0.1};
  const utility alone(gains);
  std::vector<double> after_setup{0.0};
  after_setup.insert(after_setup.end(), gains.begin(), gains.end());
  const utility later(after_setup);
  for (unsigned done = 0; done < alone.units(); ++done) {
    EXPECT_EQ(alone.steepest(done), gains[done]) << done;
    EXPECT_EQ(later.steepest(done + 1), gains[done]) << done;
  }
}

TEST(utility, has_alpha_0_only_if_it_is_concave) {
  EXPECT_EQ(utility({5.0}).alpha(), 0.0);
  EXPECT_EQ(utility({5.0, 5.0, 1.0, 0.0, 0.0}).alpha(), 0.0);
  EXPECT_EQ(utility({2.0, 3.0}).alpha(), 0.5);
}

TEST(utility, has_no_finite_alpha_if_a_unit_without_gain_comes_before_one_with_some) {
  EXPECT_EQ(utility({0.0, 1.0}).alpha(), infinite);
  EXPECT_EQ(utility({4.0, 0.0, 0.0, 1e-9, 8.0}).alpha(), infinite);
  EXPECT_EQ(utility({0.0, 0.0}).alpha(), 0.0);
}

/// Whole numbers: sums of them are exact.
std::vector<double> any_gains(int least) {
  const auto drawn = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(least, 9)));
  return {drawn.begin(), drawn.end()};
}

RC_GTEST_PROP(utility, is_as_steep_as_the_steepest_line_to_any_later_point, ()) {
  const std::vector<double> gains = any_gains(0);
  const utility u(gains);
  for (unsigned done = 0; done < u.units(); ++done) {
    double steepest = 0.0;
    for (unsigned to = done + 1; to <= u.units(); ++to)
      steepest = std::max(steepest, static_cast<double>(u.of(to) - u.of(done)) / (to - done));
    RC_ASSERT(u.steepest(done) == steepest);
  }
}

RC_GTEST_PROP(utility, has_the_least_alpha_for_which_equation_3_holds, ()) {
  const std::vector<double> gains = any_gains(1);
  const utility u(gains);
  const auto sum = [&](unsigned from, unsigned to) { return static_cast<double>(u.of(to) - u.of(from)); };
  double alpha = 0.0;
  for (unsigned k = 1; k <= u.units(); ++k)
    for (unsigned m = k + 1; m <= u.units(); ++m) alpha = std::max(alpha, sum(k, m) / (m - k) / sum(k - 1, k) - 1.0);
  RC_ASSERT(u.alpha() == alpha);
  RC_ASSERT(u.concave() == (alpha == 0.0));
}

std::string refusal_of(const std::vector<double>& gains) {
  return refusal<std::invalid_argument>([&] { utility{gains}; });
}

TEST(utility, says_why_it_refuses_gains) {
  EXPECT_EQ(refusal_of({}), "expected at least one unit");
  for (const double bad : {-1e-300, -1.0, infinite, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_EQ(refusal_of({1.0, bad}), "expected gains that are numbers >= 0") << bad;
  EXPECT_EQ(refusal_of({1e308, 1e308}), "expected gains with a finite sum");
  EXPECT_EQ(refusal_of({0.0}), "");
}

}  // namespace
}  // namespace muster
