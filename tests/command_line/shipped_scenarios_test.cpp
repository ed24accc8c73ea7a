#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tests/command_line/command.h"

namespace muster {
namespace {

std::vector<std::filesystem::path> shipped_scenarios() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(MUSTER_SOURCE "/scenarios"))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Few jobs and few points, where a scenario has many; finite arrivals are few as they are. What differs in what goes
/// over the sockets stays: policies, costs, interruptions, graphs.
std::string shrunk(const std::filesystem::path& file) {
  const std::string text = content_of(file);
  const auto has = [&](const std::string& words, std::size_t from) { return text.find(words, from) != text.npos; };
  std::string words = file.string() + " --quiet --set run.replications=1";
  if (has("\njobs = ", text.find("\n[run]"))) words += " --set run.jobs=1000";
  for (const char* setting :
       {"arrivals.load=0.8", "arrivals.rate=4", "arrivals.slots=20", "platform.costs.epsilon=0.05",
        "policy.interruptions_per_job=5", "'classes.*.size={ distribution = \"exponential\", mean = 1.0 }'",
        "'classes.job.size={ distribution = \"exponential\", mean = 1.0 }'",
        "'classes.*.utility.function=\"bing_search\"'", "'classes.free.utility.function=\"bing_search\"'"}) {
    std::string key = setting;
    key.resize(key.find('='));
    key.erase(0, key.find_first_not_of('\''));
    if (has("\"" + key + "\" = ", text.find("\n[sweep]"))) words += std::string(" --set ") + setting;
  }
  return words;
}

TEST_F(command_line_test, every_shipped_scenario_is_valid) {
  ASSERT_GT(shipped_scenarios().size(), 10u);
  for (const auto& file : shipped_scenarios()) EXPECT_EQ(shell("muster check " + file.string()).status, 0) << file;
}

TEST_F(command_line_test, every_shipped_scenario_keeps_the_base_protocol_with_the_same_results) {
  for (const auto& file : shipped_scenarios()) {
    const std::string name = file.stem().string();
    const auto checked = shell("muster run " + shrunk(file) + " --check-protocol --out " + at(name + "_checked"));
    EXPECT_EQ(checked.status, 0) << name << '\n' << checked.output;
    ASSERT_EQ(shell("muster run " + shrunk(file) + " --out " + at(name)).status, 0) << name;
    EXPECT_EQ(content_of(folder_ / name / "results.csv"), content_of(folder_ / (name + "_checked") / "results.csv"))
        << name;
    EXPECT_GT(content_of(folder_ / name / "results.csv").size(), 500u) << name;
  }
}

TEST_F(command_line_test, protocol_is_kept_behind_links_and_with_costs) {
  for (const char* more : {"", " --set platform.costs.dispatch_latency=0.01 --set platform.costs.set_up=0.1"}) {
    const std::string what = "muster run " + scenario() + " --quiet --replications 1 --set platform.link.latency=0.05" +
                             more + " --force --out ";
    const auto checked = shell(what + at("checked") + " --check-protocol");
    EXPECT_EQ(checked.status, 0) << checked.output;
    EXPECT_EQ(shell(what + at("unchecked")).status, 0);
    EXPECT_EQ(content_of(folder_ / "checked" / "results.csv"), content_of(folder_ / "unchecked" / "results.csv"));
  }
}

}  // namespace
}  // namespace muster
