#include <filesystem>
#include <vector>

#include <gtest/gtest.h>

#include "tests/command_line/command.h"
#include "tests/determinism/studies.h"

namespace muster {
namespace {

std::vector<std::filesystem::path> all_scenarios() { return scenarios_in(MUSTER_SOURCE "/scenarios"); }

/// The words that choose it at a small size. @param jobs of a replication, where a scenario says how many
std::string shrunk(const std::filesystem::path& file, const std::string& jobs = "run.jobs=1000") {
  std::string words = file.string();
  for (const std::string& setting : small_size(file))
    words += " --set '" + (setting == "run.jobs=1000" ? jobs : setting) + "'";
  return words;
}

/// The words that choose it with about 20 jobs, or a tenth of a population of 400.
std::string with_few_jobs(const std::filesystem::path& file) {
  std::string words = shrunk(file, "run.jobs=20");
  if (content_of(file).find("name = \"free\"\njobs = 380\n") != std::string::npos)
    words += " --set classes.vip.jobs=2 --set classes.free.jobs=38";
  return words;
}

/// Whether it goes in dozens of steps from ideal costs to real ones, at which long queues and replications take long,
/// or plans for each job of a long queue.
bool has_many_steps(const std::filesystem::path& file) {
  const std::string name = file.stem().string();
  return name == "reality_gap" || name == "reality_gap_balanced_fairness" || name == "preemption_cost_four_class" ||
         name == "backfilling_estimates";
}

std::size_t count_of(const std::string& word, const std::string& text) {
  std::size_t count = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

// Of Google's Borg, classes are too rare for a backlog that has enough of each; elsewhere loads are close to a limit.
TEST_F(command_line_test, every_shipped_scenario_is_valid_and_the_stability_of_nearly_all_points_is_decided) {
  std::size_t open = 0, decided = 0;
  for (const auto& file : all_scenarios()) {
    if (has_many_steps(file)) continue;
    const command_result checked = shell("muster check " + shrunk(file));
    EXPECT_EQ(checked.status, 0) << file;
    open += count_of(" not known\n", checked.output) + count_of(" not known  ", checked.output);
    decided += count_of(" stable\n", checked.output) + count_of(" stable  ", checked.output) +
               count_of(" UNSTABLE\n", checked.output) + count_of(" UNSTABLE  ", checked.output);
  }
  EXPECT_GT(decided, 210u);
  EXPECT_LT(open, 27u);  // six of them are those of a cluster of GPUs: no limit is known where jobs need tasks
}

// With ten replications windows are divided into parts, and control variates are recorded. Parts of two jobs are
// without a job of some class, and several end in one slot.
TEST_F(command_line_test, every_shipped_scenario_runs_ten_replications_of_few_jobs) {
  for (const auto& file : all_scenarios()) {
    if (has_many_steps(file)) continue;
    const command_result ran =
        shell("muster run " + with_few_jobs(file) + " --quiet --replications 10 --out " + at(file.stem().string()));
    EXPECT_EQ(ran.status, 0) << file << '\n' << ran.output;
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
