#include <string>

#include <gtest/gtest.h>

#include "tests/command_line/command.h"

// `run --where` and `report.where`: the best policy among those that keep a bound.

namespace muster {
namespace {

using bounds_of_a_run = command_line_test;

TEST_F(bounds_of_a_run, exclude_policies_from_the_verdict_in_terminal_and_page) {
  const std::string run =
      "muster run " + scenario() +
      " --set arrivals.rate=1.0 --set report.metrics='[\"response_time\"]' --replications 4 --out " + at("out") + " ";
  const auto plain = shell(run);
  ASSERT_EQ(plain.status, 0) << plain.output;
  EXPECT_EQ(plain.output.find("excluded"), std::string::npos) << plain.output;
  // No job takes less than nothing: whoever is best is not any more.
  const auto bounded = shell(run + "--where 'response_time[heavy] <= 0.001'");
  ASSERT_EQ(bounded.status, 0) << bounded.output;
  EXPECT_NE(bounded.output.find("which policy is best where response_time[heavy] <= 0.001\n"), std::string::npos)
      << bounded.output;
  EXPECT_NE(bounded.output.find(" is not <= 0.001)"), std::string::npos) << bounded.output;
  EXPECT_NE(bounded.output.find("count as they are"), std::string::npos) << "bounds run nothing anew";
  const std::string page = content_of(at("out/report.html"));
  EXPECT_NE(page.find("no policy is known to keep all bounds: "), std::string::npos);
  EXPECT_NE(page.find("\"place\":\"excluded\""), std::string::npos);
  EXPECT_NE(content_of(at("out/scenario.toml")).find("where = [\"response_time[heavy] <= 0.001\"]"), std::string::npos);
}

TEST_F(bounds_of_a_run, mistakes_are_named) {
  const auto expect = [&](const std::string& words, const std::string& message) {
    const auto result = shell("muster run " + scenario() + " " + words);
    EXPECT_EQ(result.status, 2) << result.output;
    EXPECT_NE(result.output.find(message), std::string::npos) << result.output;
  };
  expect("--where 'respone_time <= 1'", "--where: unknown metric 'respone_time'; did you mean 'response_time'?");
  expect("--set 'report.where=[\"response_time\"]'",
         "report.where: expected METRIC[CLASS] <= NUMBER or METRIC[CLASS] >= NUMBER");
  expect("--set 'report.where=[\"response_time[haevy] <= 1\"]'",
         "report.where: unknown class 'haevy'; did you mean 'heavy'?");
}

}  // namespace
}  // namespace muster
