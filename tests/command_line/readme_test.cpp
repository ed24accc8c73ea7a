#include <gtest/gtest.h>

#include "tests/command_line/command.h"

namespace muster {
namespace {

/// A block of that language in the README, the first if nothing else is said.
std::string block(const std::string& language, int nth = 1) {
  const std::string text = content_of(MUSTER_SOURCE "/README.md");
  const std::string fence = "\n```" + language + "\n";
  std::size_t begin = 0;
  for (int n = 0; n < nth; ++n) begin = text.find(fence, begin) + fence.size();
  return text.substr(begin, text.find("```", begin) - begin);
}

TEST_F(command_line_test, scenario_of_the_readme_runs) {
  std::ofstream(folder_ / "my_cluster.toml") << block("toml");
  const auto result =
      shell("muster run " + at("my_cluster.toml") + " --set run.jobs=2000 --replications 2 --out " + at("out"));
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("adaptive_quickswap"), std::string::npos);
}

TEST_F(command_line_test, scenario_of_pooled_jobs_of_the_readme_runs) {
  std::ofstream(folder_ / "my_pool.toml") << block("toml", 2);
  std::filesystem::create_directory(folder_ / "graphs");
  std::ofstream(folder_ / "graphs/mine.txt") << "web a\nweb b\nweb rack\n";
  const auto result =
      shell("muster run " + at("my_pool.toml") + " --set run.jobs=2000 --replications 2 --out " + at("out"));
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("hyperexponential"), std::string::npos);
}

TEST_F(command_line_test, policies_of_the_readme_are_those_in_the_code) {
  EXPECT_NE(content_of(MUSTER_SOURCE "/policies/first_fit.cpp").find(block("cpp")), std::string::npos);
  EXPECT_NE(content_of(MUSTER_SOURCE "/policies/fcfs_pooled.cpp").find(block("cpp", 2)), std::string::npos);
}

TEST_F(command_line_test, commands_of_the_readme_are_understood) {
  const auto check = shell("cd " MUSTER_SOURCE
                           "; ./muster --help && muster check scenarios/quickswap_borg_b.toml && "
                           "muster theory scenarios/balanced_fairness_two_servers.toml");
  EXPECT_EQ(check.status, 0) << check.output;
  const auto run =
      shell("cd " MUSTER_SOURCE
            " && muster run scenarios/quickswap_one_or_all.toml --set arrivals.rate=7 --set policy.name=msf "
            "--set run.jobs=1000 --out " +
            at("msf"));
  EXPECT_EQ(run.status, 0) << run.output;
}

TEST_F(command_line_test, readme_is_finished) {
  const std::string text = content_of(MUSTER_SOURCE "/README.md");
  for (const char* gap : {"_SECTION", "_TABLE", "_PART"}) EXPECT_EQ(text.find(gap), std::string::npos) << gap;
}

}  // namespace
}  // namespace muster
