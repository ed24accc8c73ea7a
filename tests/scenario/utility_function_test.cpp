#include "platform/model/utility_function.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace muster {
namespace {

struct shape {
  const char* name;
  utility_function function;
  double (*formula)(double x);
  bool concave;
};

std::vector<shape> shapes() {
  return {
      {"linear", utility_function::through({{0.0, 0.0}, {1.0, 1.0}}), [](double x) { return x; }, true},
      {"logarithmic", utility_function::logarithmic(10.0),
       [](double x) { return std::log(1.0 + 10.0 * x) / std::log(11.0); }, true},
      {"exponential", utility_function::exponential(3.0),
       [](double x) { return (1.0 - std::exp(-3.0 * x)) / (1.0 - std::exp(-3.0)); }, true},
      {"steps", utility_function::steps(4.0), [](double x) { return std::floor(4.0 * x + 1e-9) / 4.0; }, false},
      {"set_up", utility_function::set_up(0.25, 2.0),
       [](double x) { return x <= 0.25 ? 0.0 : (1.0 - std::exp(-2.0 * (x - 0.25) / 0.75)) / (1.0 - std::exp(-2.0)); },
       false},
      {"points", utility_function::through({{0.0, 0.0}, {0.5, 0.8}, {1.0, 1.0}}),
       [](double x) { return x <= 0.5 ? 1.6 * x : 0.8 + 0.4 * (x - 0.5); }, true},
      {"convex points", utility_function::through({{0.0, 0.0}, {0.5, 0.25}, {1.0, 1.0}}),
       [](double x) { return x <= 0.5 ? 0.5 * x : 0.25 + 1.5 * (x - 0.5); }, false},
  };
}

TEST(utility_functions, have_the_values_of_their_formulas) {
  for (const shape& s : shapes())
    for (const unsigned units : {1u, 7u, 40u, 1000u})
      for (const double initialisation : {0.0, 0.05, 0.37}) {
        SCOPED_TRACE(std::string(s.name) + " of " + std::to_string(units) + ", " + std::to_string(initialisation));
        const auto worth = s.function.of_units(units, initialisation, 5.0);
        ASSERT_EQ(worth->units(), units);
        const double lost = initialisation * units;
        for (unsigned k = 0; k <= units; ++k)
          ASSERT_NEAR(static_cast<double>(worth->of(k)), 5.0 * s.formula(std::max(0.0, k - lost) / (units - lost)),
                      1e-10)
              << k;
      }
}

TEST(utility_functions, that_are_concave_are_so_to_the_last_bit) {
  for (const shape& s : shapes()) {
    EXPECT_EQ(s.function.of_units(49, 0.0, 0.7)->concave(), s.concave) << s.name;
    for (const unsigned units : {1u, 3u, 50u, 100u, 997u, 100'000u})
      EXPECT_TRUE(!s.concave || s.function.of_units(units, 0.0, 0.7)->concave()) << s.name << ' ' << units;
  }
}

TEST(utility_functions, of_any_steepness_stay_finite_and_whole) {
  for (const double steepness : {1e-320, 1e-13, 1e-6, 1.0, 1e6, 1e300})
    for (const auto& f : {utility_function::logarithmic(steepness), utility_function::exponential(steepness),
                          utility_function::set_up(0.5, steepness)})
      EXPECT_NEAR(static_cast<double>(f.of_units(100, 0.0, 1.0)->of(100)), 1.0, 1e-9) << steepness;
}

TEST(utility_functions, gain_alike_along_a_straight_line) {
  const auto linear = utility_function::through({{0.0, 0.0}, {1.0, 1.0}});
  for (const unsigned units : {3u, 49u, 50u, 300u}) {
    const auto whole = linear.of_units(units, 0.0, 3.0);
    for (unsigned k = 0; k < units; ++k) EXPECT_EQ(whole->gain(k), 3.0 / units);
  }
  const auto late = linear.of_units(100, 0.29, 1.0);  // 0.29 * 100 is below 29 in floating point
  EXPECT_EQ(late->gain(28), 0.0);
  for (unsigned k = 29; k < 100; ++k) EXPECT_EQ(late->gain(k), 1.0 / 71.0);
}

TEST(utility_functions, gain_a_task_with_its_last_unit_and_nothing_before) {
  for (const unsigned tasks : {1u, 3u, 7u, 49u, 98u})
    for (const unsigned per_task : {1u, 3u, 10u}) {
      const auto worth = utility_function::steps(tasks).of_units(tasks * per_task, 0.0, 1.0);
      for (unsigned k = 0; k < tasks * per_task; ++k)
        ASSERT_EQ(worth->gain(k), (k + 1) % per_task == 0 ? 1.0 / tasks : 0.0) << tasks << ' ' << per_task << ' ' << k;
    }
  const auto million = utility_function::steps(999'999).of_units(1'000'000, 0.0, 1.0);
  EXPECT_EQ(million->gain(0), 0.0);
  EXPECT_EQ(million->gain(1), 1.0 / 999'999);
  const auto fewer_units_than_tasks = utility_function::steps(10).of_units(3, 0.0, 1.0);
  EXPECT_EQ(fewer_units_than_tasks->gain(0), 0.3);
  EXPECT_EQ(fewer_units_than_tasks->gain(2), 0.4);
}

TEST(utility_functions, count_a_task_that_is_complete_after_the_initialisation) {
  const auto worth = utility_function::steps(49).of_units(50, 0.02, 1.0);
  EXPECT_EQ(worth->gain(0), 0.0);
  for (unsigned k = 1; k < 50; ++k) EXPECT_EQ(worth->gain(k), 1.0 / 49.0) << k;
}

TEST(utility_functions, after_a_set_up_are_concave_to_the_last_bit) {
  const auto worth = utility_function::set_up(0.25, 2.0).of_units(1000, 0.0, 1.0);
  EXPECT_EQ(worth->gain(249), 0.0);
  for (unsigned k = 251; k < 1000; ++k) ASSERT_LE(worth->gain(k), worth->gain(k - 1)) << k;
}

TEST(utility_functions, of_the_search_engines_begin_at_0_end_at_1_and_never_decrease) {
  for (const auto& points : {google_search_points(), bing_search_points()}) {
    EXPECT_EQ(points.front(), std::pair(0.0, 0.0));
    EXPECT_EQ(points.back(), std::pair(1.0, 1.0));
    for (std::size_t i = 1; i < points.size(); ++i) {
      EXPECT_GT(points[i].first, points[i - 1].first);
      EXPECT_GE(points[i].second, points[i - 1].second);
    }
  }
}

TEST(utility_functions, of_the_catalogue_can_all_be_made) {
  for (const utility_entry& e : utility_catalogue()) {
    std::vector<double> values(e.parameters.size(), 0.5);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (std::holds_alternative<integer_key>(e.parameters[i].type)) values[i] = 2.0;
    EXPECT_NEAR(static_cast<double>(e.make(values).of_units(10, 0.0, 1.0)->of(10)), 1.0, 1e-12) << e.name;
  }
}

}  // namespace
}  // namespace muster
