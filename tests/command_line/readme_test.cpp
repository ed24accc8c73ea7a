#include <gtest/gtest.h>

#include "tests/command_line/command.h"

namespace muster {
namespace {

/// The first block of that language in the README.
std::string block(const std::string& language) {
  const std::string text = content_of(MUSTER_SOURCE "/README.md");
  const std::string fence = "\n```" + language + "\n";
  const std::size_t begin = text.find(fence) + fence.size();
  return text.substr(begin, text.find("```", begin) - begin);
}

TEST_F(command_line_test, scenario_of_the_readme_runs) {
  std::ofstream(folder_ / "my_cluster.toml") << block("toml");
  const auto result =
      shell("muster run " + at("my_cluster.toml") + " --set run.jobs=2000 --replications 2 --out " + at("out"));
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("adaptive_quickswap"), std::string::npos);
}

TEST_F(command_line_test, policy_of_the_readme_is_the_one_in_the_code) {
  EXPECT_NE(content_of(MUSTER_SOURCE "/policies/first_fit.cpp").find(block("cpp")), std::string::npos);
}

TEST_F(command_line_test, commands_of_the_readme_are_understood) {
  const auto check = shell("cd " MUSTER_SOURCE "; ./muster --help && muster check scenarios/quickswap_borg_b.toml");
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
