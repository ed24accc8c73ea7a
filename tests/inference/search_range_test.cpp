#include "platform/search/search_space.h"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/refusal.h"

namespace muster {
namespace {

std::string refusal_of(const std::string& range) {
  return refusal<std::invalid_argument>([&] { search_range{range}; });
}

TEST(search_range, begins_with_all_of_few_integers_and_with_ten_values_of_many) {
  EXPECT_EQ(search_range("3:6").coarse(), (std::vector<double>{3, 4, 5, 6}));
  EXPECT_EQ(search_range("0:31").coarse(), (std::vector<double>{0, 3, 7, 10, 14, 17, 21, 24, 28, 31}));
  EXPECT_EQ(search_range("0.0:0.9").coarse(), (std::vector<double>{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}));
}

TEST(search_range, begins_with_as_many_values_as_are_wanted) {
  EXPECT_EQ(search_range("0:30").coarse(7), (std::vector<double>{0, 5, 10, 15, 20, 25, 30}));
  EXPECT_EQ(search_range("1:8").coarse(7).size(), 8u) << "all of a few more";
  EXPECT_EQ(search_range("0.0:1.0").coarse(2), (std::vector<double>{0.0, 1.0}));
}

TEST(search_range, steps_are_geometric_beyond_a_decade_above_zero) {
  EXPECT_EQ(search_range("1:512").coarse(), (std::vector<double>{1, 2, 4, 8, 16, 32, 64, 128, 256, 512}));
  EXPECT_EQ(*search_range("0.1:10.0").between(0.1, 10.0), 1.0);
  EXPECT_EQ(*search_range("0.0:10.0").between(0.0, 10.0), 5.0);
}

TEST(search_range, halves_gaps_down_to_neighbouring_integers_or_one_percent) {
  const search_range integers("0:31");
  EXPECT_EQ(integers.between(3, 5), 4.0);
  EXPECT_FALSE(integers.between(3, 4));
  EXPECT_EQ(search_range("1:1000").between(1, 3), 2.0);
  EXPECT_TRUE(search_range("0.0:1.0").between(0.5, 0.52));
  EXPECT_FALSE(search_range("0.0:1.0").between(0.5, 0.509));
}

TEST(search_range, with_a_step_has_no_other_values) {
  const search_range integers("4:31:8"), reals("0.5:2.0:0.1");
  EXPECT_EQ(integers.coarse(), (std::vector<double>{4, 12, 20, 28}));
  EXPECT_EQ(integers.high(), 28.0);
  EXPECT_EQ(integers.text(12), "12");
  EXPECT_EQ(integers.between(4, 20), 12.0);
  EXPECT_FALSE(integers.between(4, 12));
  EXPECT_EQ(reals.coarse().size(), 10u);
  EXPECT_EQ(reals.steps(), 15u);
  EXPECT_EQ(reals.after(3), 0.8) << "not 0.8000000000000000444";
  EXPECT_EQ(reals.text(reals.after(5)), "1.0");
  EXPECT_FALSE(reals.between(0.5, 0.6));
  EXPECT_EQ(search_range("1:1000:3").coarse().back(), 1000.0);
  for (const double value : search_range("1:1000:3").coarse()) EXPECT_EQ(std::fmod(value, 3.0), 1.0) << value;
  EXPECT_EQ(search_range("1:1000:3").between(1, 7), 4.0);
  EXPECT_EQ(search_range("0:9").steps(), 9u);
  EXPECT_EQ(search_range("0.0:9").steps(), 0u);
}

TEST(search_range, values_of_real_ranges_read_back_as_real_numbers) {
  EXPECT_EQ(search_range("0:31").text(7), "7");
  EXPECT_EQ(search_range("0.0:31").text(7), "7.0");
  EXPECT_EQ(search_range("0.0:31").text(0.25), "0.25");
}

TEST(search_range, of_a_list_has_each_of_its_values_and_no_other) {
  const search_range policies("fcfs, msf,{ name = \"msfq\", threshold = 2 }");
  EXPECT_TRUE(policies.is_list());
  EXPECT_EQ(policies.coarse(), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(policies.text(1), "msf");
  EXPECT_EQ(policies.text(2), "{ name = \"msfq\", threshold = 2 }");
  EXPECT_EQ(policies.words(), "among fcfs, msf, { name = \"msfq\", threshold = 2 }");
  EXPECT_EQ(policies.between(0, 1), std::nullopt);
  std::string many = "0";
  for (int n = 1; n < 30; ++n) many += "," + std::to_string(n);
  EXPECT_EQ(search_range(many).coarse().size(), 30U);
  EXPECT_EQ(search_range("0:31").words(), "from 0 to 31");
}

TEST(search_range, keeps_the_unit_of_its_numbers_behind_each_value) {
  const search_range times("1 s:60 s"), rates("0.5/min:2.0/min"), stepped("10ms:100 ms:10 ms");
  EXPECT_EQ(times.coarse(), search_range("1:60").coarse());
  EXPECT_EQ(times.text(7), "7 s");
  EXPECT_EQ(times.words(), "from 1 s to 60 s");
  EXPECT_EQ(rates.text(1), "1.0/min");
  EXPECT_EQ(stepped.text(stepped.after(3)), "40 ms");
  EXPECT_EQ(search_range("1e2 s:1e4 s").high(), 10000.0);
  EXPECT_EQ(search_range("1:60").unit(), "");
}

TEST(search_range, of_different_units_is_refused) {
  for (const std::string range : {"1:60 s", "1 s:60", "1 s:1 min", "1 s:60 s:1", "1:60:5 s"})
    EXPECT_EQ(refusal_of(range),
              "expected the same unit behind each number, such as '1 s:60 s', found '" + range + "'");
}

TEST(search_range, says_what_is_wrong_with_a_list) {
  EXPECT_EQ(refusal_of("fcfs,msf,fcfs"), "the value 'fcfs' is listed twice");
  EXPECT_EQ(refusal_of("fcfs,"), "expected a value between commas, such as fcfs,msf,first_fit");
}

TEST(search_range, says_what_is_wrong_with_a_range) {
  EXPECT_EQ(refusal_of("5"), "expected LOW:HIGH, such as 0:31 or 0.1:10.0, found '5'");
  EXPECT_EQ(refusal_of("a:b"), "expected LOW:HIGH, such as 0:31 or 0.1:10.0, found 'a'");
  EXPECT_EQ(refusal_of("1:"), "expected LOW:HIGH, such as 0:31 or 0.1:10.0, found ''");
  EXPECT_EQ(refusal_of("0:1e999"), "expected LOW:HIGH, such as 0:31 or 0.1:10.0, found '1e999'");
  for (const std::string step : {"0", "-1", "10", "x", ""})
    EXPECT_EQ(
        refusal_of("0:9:" + step),
        "expected LOW:HIGH:STEP with a STEP above 0 and at most HIGH - LOW, such as 0:30:5, found '" + step + "'");
  EXPECT_EQ(refusal_of("3:3"), "the range is empty: expected LOW below HIGH");
  EXPECT_EQ(refusal_of("4:3"), "the range is empty: expected LOW below HIGH");
}

}  // namespace
}  // namespace muster
