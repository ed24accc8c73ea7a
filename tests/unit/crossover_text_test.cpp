#include "platform/command_line/crossover_text.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

TEST(plain_decimal, has_no_exponent_and_two_digits_of_the_resolution) {
  EXPECT_EQ(plain_decimal(0.12345, 0.004), "0.1235");
  EXPECT_EQ(plain_decimal(1234567.8, 1000.0), "1234568");
  EXPECT_EQ(plain_decimal(2.5e12, 1e9), "2500000000000");
  EXPECT_EQ(plain_decimal(3.2e-8, 1e-9), "0.0000000320");
  EXPECT_EQ(plain_decimal(-1e-9, 0.01), "0.000");
  EXPECT_EQ(plain_decimal(0.0, 0.0), "0");
  EXPECT_EQ(plain_decimal(12.3456789, 0.0), "12.3457");
}

class crossover_text_test : public testing::Test {
 protected:
  static study one_point() {
    study s;
    s.name = "s";
    s.points.resize(1);
    return s;
  }

  crossover_request question(const std::string& range, const std::string& metric = "response_time") {
    crossover_request request(study_, {"k", search_range(range)}, {metric, "all"}, {"a", "b"});
    request.terms = {10, 1000, 0.02};
    return request;
  }

  static paired_point point(double value, double apart, int side) {
    return {value, {10.0 + apart, 11.0 + 1.1 * apart}, {10.0, 11.0}, {}, side};
  }

  static std::string last_line(const std::string& text) { return text.substr(text.rfind('\n', text.size() - 2) + 1); }

  study study_ = one_point();
};

TEST_F(crossover_text_test, ends_with_a_line_for_each_crossing) {
  crossover_result found;
  found.scanned = {point(0.0, -1.0, -1), point(0.5, 1.0, 1), point(1.0, -1.0, -1)};
  found.changes = {{0.0, 0.5, -1}, {0.5, 1.0, 1}};
  found.crossings = {{0.25, 0.24, 0.26, -1, 0.01, true, 20}, {0.75, 0.74, 0.765, 1, 0.0125, true, 20}};
  const std::string text = crossover_text(question("0.0:1.0"), found).text();
  const std::string end = "crossover: k = 0.250 (0.240 .. 0.260)\ncrossover: k = 0.750 (0.740 .. 0.765)\n";
  EXPECT_EQ(text.substr(text.size() - end.size()), end) << text;
  EXPECT_NE(text.find("\na is better below 0.250, b from there on"), std::string::npos) << text;
  EXPECT_NE(text.find("\nb is better below 0.750, a from there on"), std::string::npos) << text;
  EXPECT_EQ(text.find("precision"), std::string::npos) << text;
}

TEST_F(crossover_text_test, integers_are_integers) {
  crossover_result found;
  found.scanned = {point(0, -1.0, -1), point(9, 1.0, 1)};
  found.changes = {{0, 9, -1}};
  found.crossings = {{4, 3, 6, -1, 0.17, false, 20}};
  const std::string text = crossover_text(question("0:9"), found).text();
  EXPECT_EQ(last_line(text), "crossover: k = 4 (3 .. 6)\n");
  EXPECT_NE(text.find("that is not the precision of 2.0 %: the budget does not allow more"), std::string::npos) << text;
}

TEST_F(crossover_text_test, the_metric_says_which_policy_is_better) {
  crossover_result found;
  found.scanned = {point(0.0, -1.0, -1), point(1.0, -2.0, -1)};
  const auto line = [&](const char* metric) {
    return last_line(crossover_text(question("0.0:1.0", metric), found).text());
  };
  EXPECT_EQ(line("response_time"),
            "crossover: none: a is better at all 2 values from 0.0 to 1.0, by 1.05 +- 0.64 at 0.0 and "
            "2.1 +- 1.3 at 1.0\n");
  EXPECT_EQ(line("throughput").rfind("crossover: none: b is better at all 2 values", 0), 0u) << line("throughput");
  EXPECT_EQ(line("utilization").rfind("crossover: none: a has less at all 2 values", 0), 0u) << line("utilization");
}

TEST_F(crossover_text_test, says_what_cannot_be_told_and_what_is_left_out) {
  crossover_result found;
  found.scanned = {point(0.0, 1.0, 1), point(0.5, 0.1, 0), {1.0, {}, {}, "a: unstable"}};
  EXPECT_NE(last_line(crossover_text(question("0.0:1.0"), found).text())
                .find("b is better at 1 of 2 values from 0.0 to 0.5, by 1.05 +- 0.64 at 0.0 and 0.105 +- 0.064 at 0.5; "
                      "they cannot be told apart at 0.5; left out: 1.0\n"),
            std::string::npos)
      << crossover_text(question("0.0:1.0"), found).text();
  found.scanned.front().side = 0;
  EXPECT_NE(last_line(crossover_text(question("0.0:1.0"), found).text())
                .find("none: they cannot be told apart at any of 2 values from 0.0 to 0.5; more"),
            std::string::npos);
  found.no_difference = true;
  EXPECT_NE(last_line(crossover_text(question("0.0:1.0"), found).text())
                .find("none: both find the same numbers at all 2 values from 0.0 to 0.5, to the last digit"),
            std::string::npos);
}

}  // namespace
}  // namespace muster
