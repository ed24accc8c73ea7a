#include <algorithm>

#include <gtest/gtest.h>

#include "platform/command_line/glance_text.h"
#include "platform/scenario/scenario_file.h"

// What `muster check` says of prices of energy.

namespace muster {
namespace {

std::string text_of(const std::string& prices) {
  const study s = read_study(R"(name = "priced"
platform.servers = [{ name = "node", power = { active = 9 } }]
classes = [{ name = "job", share = 1.0, size = { distribution = "exponential", mean = 1.0 } }]
arrivals.rate = 0.5
policy = "fcfs"
[price]
)" + prices,
                             "test", {});
  table_document report("points");
  add_energy_prices(report, s.points.front().model);
  return report.in(output_format::table);
}

TEST(prices_of_energy_in_words, are_one_sentence_where_they_never_change) {
  EXPECT_EQ(text_of("energy = 0.3"), "Price of a kWh at point 0, by time in s: 0.3, always.\n\n");
}

TEST(prices_of_energy_in_words, have_a_row_for_each_step) {
  EXPECT_EQ(text_of("energy = { prices = [0.1, 0.4], period = 10 }"),
            "Price of a kWh at point 0, by time in s: 2 steps from 0.1 to 0.4; all comes again after 10 s, 0.25 in the "
            "mean.\nfrom  until  value\n   0      5    0.1\n   5     10    0.4\n\n");
}

TEST(prices_of_energy_in_words, have_48_rows_at_most) {
  std::string prices = "energy = { period = 99, prices = [1";
  for (int hour = 1; hour < 99; ++hour) prices += ", 2";
  const std::string text = text_of(prices + "] }");
  EXPECT_NE(text.find("99 steps from 1 to 2; all comes again after 99 s, 1.9899 in the mean; the first 48 follow.\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 1 + 48 + 1) << text;
}

}  // namespace
}  // namespace muster
