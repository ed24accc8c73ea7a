#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/command_line/command.h"

namespace muster {
namespace {

TEST_F(command_line_test, runs_of_the_same_seed_are_identical) {
  const auto result =
      shell("muster run " + scenario() + " --quiet -j 1 --out " + at("a") + " && muster run " + scenario() +
            " --quiet -j 2 --out " + at("b") + " && muster compare " + at("a") + " " + at("b"));
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_EQ(result.output.find("\nthe scenarios are the same\nsmall: "), result.output.find("\nthe scenarios"));
  EXPECT_NE(result.output.find("small: identical: every number of every replication is the same (4 points, "),
            std::string::npos)
      << result.output;
}

TEST_F(command_line_test, another_policy_differs_and_the_metric_is_named) {
  const std::string run = "muster run " + scenario() + " --quiet --replications 6 --set policy.name=";
  const auto result = shell(run + "msf --out " + at("a") + " && " + run + "msfq --out " + at("b") +
                            " && muster compare " + at("a") + " " + at("b"));
  EXPECT_EQ(result.status, 1) << result.output;
  EXPECT_EQ(result.output.find("the scenarios differ in 3 keys\n\n"
                               "scenario          A    B\n"
                               "policy.name       msf  msfq\n"
                               "policy.threshold  -    3\n"
                               "policy.drain      -    always\n\nsmall: "),
            result.output.find("the scenarios"))
      << result.output;
  EXPECT_LT(result.output.find("the scenarios differ"), result.output.find("estimates differ")) << result.output;
  for (const char* words :
       {"estimates differ beyond chance, at 2 points in both\n", "2 points: the same seed, replications are paired\n",
        "only in B: phase_share of phase_1 at 2 points\n", "  all    response_time "})
    EXPECT_NE(result.output.find(words), std::string::npos) << words << '\n' << result.output;
  EXPECT_EQ(result.output.find(" throughput "), std::string::npos) << result.output;
  const auto all = shell("muster compare --all " + at("a") + " " + at("b"));
  EXPECT_EQ(all.status, 1);
  EXPECT_NE(all.output.find(" throughput "), std::string::npos) << all.output;
}

// More than two of ten have a probability of at most 1 % (binomial, 5 %).
TEST_F(command_line_test, other_seeds_seldom_differ) {
  int different = 0;
  for (int pair = 0; pair < 10; ++pair) {
    const auto run = [&](const char* out, int seed) {
      return fmt::format(
          "muster run {} --quiet --set policy.name=msf --set arrivals.rate=1 --replications 6 --seed {} --out {} && ",
          scenario(), seed, at(out));
    };
    const auto result = shell(run("a", 2 * pair + 1) + run("b", 2 * pair + 2) + "muster compare " + at("a") + " " +
                              at("b") + "; status=$?; rm -r " + at("a") + " " + at("b") + "; exit $status");
    EXPECT_TRUE(result.status == 0 || result.status == 1) << result.output;
    EXPECT_NE(result.output.find("1 point: other seeds, replications are independent\n"), std::string::npos)
        << result.output;
    different += result.status;
  }
  EXPECT_LE(different, 2);
}

TEST_F(command_line_test, what_cannot_be_compared_exits_with_2_and_says_why) {
  shell("muster run " + scenario() + " --quiet --out " + at("a") + " && cp -r " + at("a") + " " + at("damaged") +
        " && cp -r " + at("a") + " " + at("text") + " && muster run " + scenario() +
        " --quiet --replications 1 --out " + at("one") + " && muster run " + scenario() +
        " --quiet --seed 2 --replications 1 --out " + at("other_one"));
  std::filesystem::create_directory(folder_ / "empty");
  std::ofstream(folder_ / "text/results.sqlite") << "no database at all, but long enough to be taken for one";
  std::fstream(folder_ / "damaged/results.sqlite", std::ios::in | std::ios::out | std::ios::binary)
      .seekp(5000)
      .write(std::string(20'000, '\0').data(), 20'000);
  const auto expect = [&](const std::string& b, const std::string& message) {
    const auto result = shell("muster compare " + at("a") + " " + at(b));
    EXPECT_EQ(result.status, 2) << result.output;
    EXPECT_EQ(result.output.rfind(message, 0), 0U) << result.output;
  };
  expect("none", at("none") + ": no such directory\n");
  expect("empty", at("empty") + ": holds no results of a run: no scenario.toml\n");
  expect("text", at("text/results.sqlite") + ": is corrupt: file is not a database\n");
  shell("muster run " + scenario() + " --quiet --replications 1 --set time_unit=h --out " + at("hours"));
  expect("hours", "nothing in common: the times of one are in s, those of the other in h\n");
  expect("damaged", at("damaged/results.sqlite") + ": is corrupt: ");
  const auto single = shell("muster compare " + at("one") + " " + at("other_one"));
  EXPECT_EQ(single.status, 2);
  EXPECT_EQ(single.output, "too few replications to judge by: expected at least 2 of a point in both\n");
}

}  // namespace
}  // namespace muster
