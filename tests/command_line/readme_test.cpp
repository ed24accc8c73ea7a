#include <fmt/format.h>
#include <gtest/gtest.h>

#include "muster/modules/protocol/protocol.h"
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

TEST_F(command_line_test, scenario_of_slotted_jobs_of_the_readme_runs) {
  std::ofstream(folder_ / "my_search.toml") << block("toml", 3);
  const auto result = shell("muster run " + at("my_search.toml") + " --replications 2 --out " + at("out"));
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("expired_share"), std::string::npos);
}

TEST_F(command_line_test, policies_of_the_readme_are_those_in_the_code) {
  EXPECT_NE(content_of(MUSTER_SOURCE "/policies/rigid/first_fit.cpp").find(block("cpp")), std::string::npos);
  EXPECT_NE(content_of(MUSTER_SOURCE "/policies/pooled/fcfs_pooled.cpp").find(block("cpp", 2)), std::string::npos);
  EXPECT_NE(content_of(MUSTER_SOURCE "/policies/slotted/ispeed.cpp").find(block("cpp", 3)), std::string::npos);
  for (const int example : {4, 5, 6})
    EXPECT_NE(content_of(MUSTER_SOURCE "/tests/command_line/plugins/examples.cpp").find(block("cpp", example)),
              std::string::npos)
        << block("cpp", example);
}

TEST_F(command_line_test, class_of_the_readme_gives_the_policy_its_parameter) {
  std::ofstream(folder_ / "weights.toml") << "name = \"weights\"\n[platform]\nservers = [{ name = \"node\" }]\n"
                                          << block("toml", 5) << "[[classes]]\nname = \"other\"\nshare = 0.8\n"
                                          << "size = { distribution = \"exponential\", mean = 1.0 }\n"
                                          << "[arrivals]\nload = 0.5\n[policy]\nname = \"weighted\"\n";
  const auto result =
      shell("muster run " + at("weights.toml") +
            " --plugin " MUSTER_PLUGINS "/examples.so --set run.jobs=2000 --replications 2 --out " + at("out"));
  EXPECT_EQ(result.status, 0) << result.output;
}

TEST_F(command_line_test, snippets_of_the_readme_are_those_of_the_foreign_projects) {
  const std::string projects = MUSTER_SOURCE "/tests/packaging/";
  const auto expect_within = [&](const std::string& snippet, const char* file) {
    EXPECT_FALSE(snippet.empty());
    EXPECT_NE(content_of(projects + file).find(snippet), std::string::npos) << snippet;
  };
  expect_within(block("cmake"), "foreign_client/CMakeLists.txt");
  expect_within(block("cpp", 7), "foreign_policy/my_policy.cpp");
  expect_within(block("cpp", 8), "foreign_client/main.cpp");
  expect_within(block("cpp", 9), "foreign_client/clients.h");
}

/// The offset in the first column of the README's register map, in the table of that heading, whose row has the words.
std::string offset_of(const std::string& heading, const std::string& words) {
  const std::string text = content_of(MUSTER_SOURCE "/README.md");
  const std::size_t table = text.find("\n| " + heading);
  const std::size_t row = text.rfind("\n| `", text.find(words, table));
  EXPECT_NE(table, std::string::npos);
  return text.substr(row + 4, text.find('`', row + 4) - row - 4);
}

TEST_F(command_line_test, register_map_of_the_readme_is_that_of_the_modules) {
  const auto expect = [](const char* table, const char* words, std::uint64_t offset) {
    EXPECT_EQ(offset_of(table, words), fmt::format("0x{:02x}", offset)) << words;
  };
  expect("scheduler", "a job arrives", scheduler_register::doorbell);
  expect("scheduler", "jobs in the queue", scheduler_register::jobs_waiting);
  expect("scheduler", "jobs that hold cores", scheduler_register::jobs_in_service);
  expect("scheduler", "phase of the policy", scheduler_register::phase);
  expect("server n", "a slice starts", server_register::doorbell);
  expect("server n", "ends unfinished", server_register::stop);
  expect("server n", "of no use any more", server_register::release);
  expect("server n", "idle cores", server_register::idle_cores);
  expect("server n", "held and productive", server_register::running_cores);
  EXPECT_NE(content_of(MUSTER_SOURCE "/README.md").find(fmt::format("n * `0x{:x}`", server_register::stride)),
            std::string::npos);
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
  const auto one = shell("cd " MUSTER_SOURCE
                         " && muster run scenarios/quickswap_four_class.toml --set policy.name=msf --set run.jobs=1000 "
                         "--point 3 --replication 0 --no-fork");
  EXPECT_EQ(one.status, 0) << one.output;
}

TEST_F(command_line_test, crossover_of_the_readme_is_found) {
  const std::string text = content_of(MUSTER_SOURCE "/README.md");
  const std::string begin = "./muster crossover scenarios/quickswap_four_class.toml --set run.jobs=50000";
  const std::size_t at_command = text.find(begin);
  ASSERT_NE(at_command, std::string::npos);
  std::string words = text.substr(at_command + begin.size(), text.find("```", at_command) - at_command - begin.size());
  words.erase(words.find_last_not_of('\n') + 1);
  const auto result =
      shell("cd " MUSTER_SOURCE
            " && muster crossover scenarios/quickswap_four_class.toml --set run.jobs=2000 --budget 300 --quiet " +
            words);
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("\ncrossover: "), std::string::npos) << result.output;
}

TEST_F(command_line_test, readme_is_finished) {
  const std::string text = content_of(MUSTER_SOURCE "/README.md");
  for (const char* gap : {"_SECTION", "_TABLE", "_PART"}) EXPECT_EQ(text.find(gap), std::string::npos) << gap;
}

}  // namespace
}  // namespace muster
