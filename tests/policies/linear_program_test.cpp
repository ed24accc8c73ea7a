#include "muster/policies/algorithms/linear_program.h"

#include <gtest/gtest.h>

#include <limits>
#include <thread>

namespace muster {
namespace {

using row_relation = linear_program::relation;
using program_outcome = linear_program::outcome;

// Maximise 3 x + 5 y under x <= 4, 2 y <= 12, 3 x + 2 y <= 18: at (2, 6), with prices 0, 3/2, 1.
linear_program textbook_program() {
  linear_program program;
  program.add_row(row_relation::at_most, 4.0);
  program.add_row(row_relation::at_most, 12.0);
  program.add_row(row_relation::at_most, 18.0);
  program.add_variable(3.0, {{0, 1.0}, {2, 3.0}});
  program.add_variable(5.0, {{1, 2.0}, {2, 2.0}});
  return program;
}

TEST(linear_program, finds_value_variables_and_prices_of_a_textbook_example) {
  const auto found = textbook_program().maximise();
  ASSERT_EQ(found.status, program_outcome::optimal);
  EXPECT_NEAR(found.value, 36.0, 1e-12);
  EXPECT_NEAR(found.variables.at(0), 2.0, 1e-12);
  EXPECT_NEAR(found.variables.at(1), 6.0, 1e-12);
  EXPECT_NEAR(found.prices.at(0), 0.0, 1e-12);
  EXPECT_NEAR(found.prices.at(1), 1.5, 1e-12);
  EXPECT_NEAR(found.prices.at(2), 1.0, 1e-12);
}

TEST(linear_program, keeps_rows_of_each_relation) {
  linear_program program;
  program.add_row(row_relation::equal, 10.0);
  program.add_row(row_relation::at_least, 4.0);
  program.add_variable(2.0, {{0, 1.0}});
  program.add_variable(1.0, {{0, 1.0}, {1, 1.0}});
  const auto found = program.maximise();
  ASSERT_EQ(found.status, program_outcome::optimal);
  EXPECT_NEAR(found.value, 16.0, 1e-12);
  EXPECT_NEAR(found.prices.at(0), 2.0, 1e-12);
  EXPECT_NEAR(found.prices.at(1), -1.0, 1e-12);
}

TEST(linear_program, grows_after_it_was_solved) {
  linear_program program = textbook_program();
  program.maximise();
  program.add_variable(4.0, {{2, 1.0}});
  const auto found = program.maximise();
  EXPECT_NEAR(found.value, 4.0 * 18.0, 1e-12);
}

TEST(linear_program, tells_infeasible_from_unbounded) {
  linear_program infeasible;
  infeasible.add_row(row_relation::at_most, -1.0);
  infeasible.add_variable(1.0, {{0, 1.0}});
  EXPECT_EQ(infeasible.maximise().status, program_outcome::infeasible);
  linear_program unbounded;
  unbounded.add_row(row_relation::at_least, 1.0);
  unbounded.add_variable(1.0, {{0, 1.0}});
  EXPECT_EQ(unbounded.maximise().status, program_outcome::unbounded);
}

TEST(linear_program, without_rows_or_variables_has_the_value_0) {
  EXPECT_EQ(linear_program{}.maximise().status, program_outcome::optimal);
  EXPECT_EQ(linear_program{}.maximise().value, 0.0);
}

TEST(linear_program, refuses_rows_that_do_not_exist_twice_the_same_row_and_infinite_numbers) {
  linear_program program;
  program.add_row(row_relation::at_most, 1.0);
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_THROW(program.add_variable(1.0, {{1, 1.0}}), std::invalid_argument);
  EXPECT_THROW(program.add_variable(1.0, {{0, 1.0}, {0, 2.0}}), std::invalid_argument);
  EXPECT_THROW(program.add_variable(infinite, {{0, 1.0}}), std::invalid_argument);
  EXPECT_THROW(program.add_variable(1.0, {{0, std::nan("")}}), std::invalid_argument);
  EXPECT_THROW(program.add_row(row_relation::at_most, infinite), std::invalid_argument);
  EXPECT_EQ(program.rows(), 1u);
  EXPECT_EQ(program.variables(), 0u);
}

TEST(linear_program, prints_nothing) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  textbook_program().maximise();
  linear_program{}.maximise();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// Beyond the tolerances of the simplex method: a variable that is 1e-12 of the other.
TEST(linear_program, has_the_values_of_the_vertex_to_rounding) {
  linear_program program;
  program.add_row(row_relation::at_most, 1.0);
  program.add_row(row_relation::at_least, 0.0);
  program.add_row(row_relation::at_least, 0.0);
  program.add_variable(1.0, {{1, -1e-12}, {2, -1.0}});
  program.add_variable(0.0, {{0, 1.0}, {1, 1.0}});
  program.add_variable(0.0, {{0, 1.0}, {2, 1.0}});
  const auto found = program.maximise();
  ASSERT_EQ(found.status, program_outcome::optimal);
  EXPECT_DOUBLE_EQ(found.value, 1.0 / (1.0 + 1e-12));
  EXPECT_DOUBLE_EQ(found.variables.at(1), 1e-12 / (1.0 + 1e-12));
}

TEST(linear_program, without_rows_is_unbounded_where_a_weight_is_above_0) {
  linear_program program;
  program.add_variable(1.0, {});
  EXPECT_EQ(program.maximise().status, program_outcome::unbounded);
}

TEST(linear_program, is_solved_in_several_threads_at_once) {
  double values[4] = {};
  std::vector<std::thread> threads;
  for (double& value : values)
    threads.emplace_back([&value] {
      for (int n = 0; n < 50; ++n) value = textbook_program().maximise().value;
    });
  for (std::thread& t : threads) t.join();
  for (const double value : values) EXPECT_NEAR(value, 36.0, 1e-12);
}

}  // namespace
}  // namespace muster
