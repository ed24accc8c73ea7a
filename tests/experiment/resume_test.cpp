#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include <nlohmann/json.hpp>

#include "platform/store/database.h"
#include "tests/experiment/study_folder.h"

namespace muster {
namespace {

using std::chrono::duration;
using std::chrono::steady_clock;

nlohmann::json manifest_in(const std::filesystem::path& directory) {
  return nlohmann::json::parse(content_of(directory / "manifest.json"));
}

TEST_F(study_test, killed_at_any_moment_goes_on_and_ends_with_the_same_bytes) {
  const std::vector<std::string> words{
      "run",   at("many.toml"), "--quiet",     "-j", "2",     "--trace",          "jobs",
      "--set", "run.jobs=4000", "--precision", "4%", "--set", "run.warm_up=mser5"};
  const auto run_until_killed = [&](const std::string& out, std::optional<duration<double>> after) {
    const pid_t child = fork();
    if (child == 0) {
      std::vector<char*> argv{const_cast<char*>("muster")};
      for (const std::string& w : words) argv.push_back(const_cast<char*>(w.c_str()));
      argv.push_back(const_cast<char*>("--out"));
      argv.push_back(const_cast<char*>(out.c_str()));
      argv.push_back(nullptr);
      if (!freopen("/dev/null", "w", stderr)) _exit(1);
      execv(MUSTER_BINARY, argv.data());
      _exit(1);
    }
    if (after) {
      std::this_thread::sleep_for(*after);
      kill(child, SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  };
  const auto began = steady_clock::now();
  ASSERT_TRUE(run_until_killed(at("whole"), {}));
  const duration<double> whole = steady_clock::now() - began;
  std::mt19937_64 bits(6);
  // A kill that comes before the first transaction leaves nothing to go on from. How many do depends on the machine.
  int went_on = 0;
  for (int trial = 0; trial < 10 || (went_on < 5 && trial < 100); ++trial) {
    const std::string name = "killed" + std::to_string(trial);
    const double share = std::uniform_real_distribution<>(0.0, 1.0)(bits);
    run_until_killed(at(name), whole * share);
    ASSERT_TRUE(run_until_killed(at(name), {})) << "killed after " << share << " of its time";
    for (const char* file :
         {"results.csv", "differences.csv", "jobs_in_system.csv", "scenario.toml", "jobs_0.csv", "jobs_3.csv"}) {
      const std::string expected = content_of(folder_ / "whole" / file);
      EXPECT_FALSE(expected.empty()) << file;
      EXPECT_EQ(content_of(folder_ / name / file), expected) << file << ", killed after " << share << " of its time";
    }
    went_on += manifest_in(folder_ / name).at("replications_reused") > 0;
    std::filesystem::remove_all(folder_ / name);
  }
  EXPECT_GE(went_on, 5);
}

TEST_F(study_test, two_runs_in_one_directory_do_not_mix) {
  const pid_t first = fork();
  if (first == 0) {
    const std::string out = at("out"), what = at("many.toml");
    execl(MUSTER_BINARY, "muster", "run", what.c_str(), "--quiet", "--out", out.c_str(), "--set", "run.jobs=1000000000",
          nullptr);
    _exit(1);
  }
  while (!std::filesystem::exists(at("out") + "/results.sqlite")) {
    ASSERT_EQ(waitpid(first, nullptr, WNOHANG), 0) << "the first run has ended";
    std::this_thread::sleep_for(duration<double>(0.01));
  }
  for (const char* option : {"", " --force"}) {
    const auto second = shell("muster run " + scenario() + option + " --quiet --out " + at("out"));
    EXPECT_EQ(second.status, 2);
    EXPECT_EQ(second.output, at("out") +
                                 ": another run or search is at work there; wait for its end, or choose another " +
                                 "directory with --out\n");
  }
  kill(first, SIGKILL);
  waitpid(first, nullptr, 0);
  EXPECT_EQ(shell("muster run " + scenario() + " --quiet --force --out " + at("out")).status, 0);
}

TEST_F(study_test, complete_results_are_used_again_and_said_so) {
  const std::string first = results(scenario(), "out");
  const auto again = shell("muster run " + scenario() + " --quiet --out " + at("out"));
  EXPECT_EQ(again.output, "note: 12 replications of an earlier run are in " + at("out") +
                              "/results.sqlite and count as they are; --force runs them again\n");
  EXPECT_EQ(content_of(folder_ / "out" / "results.csv"), first);
  EXPECT_EQ(manifest_in(folder_ / "out").at("jobs"), 4 * 3 * 2000);
  EXPECT_EQ(shell("muster run " + scenario() + " --quiet --force --out " + at("out")).output, "");
  EXPECT_EQ(content_of(folder_ / "out" / "results.csv"), first);
}

TEST_F(study_test, more_replications_go_on_from_those_that_are_there) {
  results(scenario(), "out");
  const std::string more = results(scenario() + " --replications 5", "out");
  EXPECT_EQ(manifest_in(folder_ / "out").at("replications_reused"), 12);
  EXPECT_EQ(more, results(scenario() + " --replications 5", "fresh"));
  EXPECT_EQ(results(scenario() + " --replications 2", "out"), results(scenario() + " --replications 2", "fewer"));
  EXPECT_EQ(results(scenario() + " --precision 10%", "out"), results(scenario() + " --precision 10%", "precise"));
}

// At an unstable point no precision is pursued: it gets the first ten replications in both cases.
TEST_F(study_test, precision_of_an_unstable_point_is_the_same_after_an_earlier_run) {
  const std::string words = at("mm1.toml") + " --set arrivals.rate=1.1 --set run.replications=4";
  const std::string alone = results(words + " --precision 20%", "alone");
  results(words + " --replications 20", "after");
  EXPECT_EQ(results(words + " --precision 20%", "after"), alone);
}

TEST_F(study_test, trace_that_is_missing_is_recorded_although_the_results_are_there) {
  const std::string first = results(scenario(), "out");
  EXPECT_EQ(results(scenario() + " --trace jobs", "out"), first);
  EXPECT_EQ(manifest_in(folder_ / "out").at("replications_reused"), 8);
  const std::string trace = content_of(folder_ / "out" / "jobs_2.csv");
  EXPECT_GT(trace.size(), 1000u);
  std::filesystem::remove(folder_ / "out" / "jobs_2.csv");
  EXPECT_EQ(results(scenario() + " --trace jobs", "out"), first);
  EXPECT_EQ(manifest_in(folder_ / "out").at("replications_reused"), 11);
  EXPECT_EQ(content_of(folder_ / "out" / "jobs_2.csv"), trace);
}

TEST_F(study_test, protocol_is_checked_although_the_results_are_there) {
  const std::string first = results(scenario(), "out");
  EXPECT_EQ(results(scenario() + " --check-protocol", "out"), first);
  EXPECT_EQ(manifest_in(folder_ / "out").at("replications_reused"), 0);
  EXPECT_EQ(results(scenario() + " --check-protocol", "out"), first);
  EXPECT_EQ(manifest_in(folder_ / "out").at("replications_reused"), 12);
}

class damaged_store_test : public study_test {
 protected:
  void SetUp() override {
    study_test::SetUp();
    results(scenario(), "out");
  }
  /// The store is refused for that reason, stays as it is, and yields to force.
  void expect_refusal(const std::string& reason) {
    const std::string before = content_of(store_());
    const auto refused = shell("muster run " + scenario() + " --quiet --out " + at("out"));
    EXPECT_EQ(refused.status, 2);
    EXPECT_EQ(refused.output, at("out") + "/results.sqlite: " + reason +
                                  "; choose another directory with --out, or overwrite with --force\n");
    EXPECT_EQ(content_of(store_()), before);
    EXPECT_EQ(shell("muster run " + scenario() + " --quiet --force --out " + at("out")).status, 0);
  }
  std::string store_() const { return at("out") + "/results.sqlite"; }
};

TEST_F(damaged_store_test, that_is_no_database_is_refused) {
  std::ofstream(store_(), std::ios::trunc) << std::string(5000, 'x');
  expect_refusal("is corrupt or not a muster results database: file is not a database");
}

TEST_F(damaged_store_test, that_is_cut_off_is_refused) {
  std::filesystem::resize_file(store_(), std::filesystem::file_size(store_()) / 2);
  expect_refusal("is corrupt or not a muster results database: database disk image is malformed");
}

TEST_F(damaged_store_test, of_another_version_is_refused) {
  open_database(store_()).exec("UPDATE study SET value = '0.0.9' WHERE key = 'muster_version'");
  expect_refusal("was written by muster 0.0.9, and this is muster 0.2.0");
}

TEST_F(damaged_store_test, of_another_layout_is_refused) {
  open_database(store_()).exec("PRAGMA user_version = 1");
  expect_refusal("was written by another version of muster, and this is muster 0.2.0");
}

}  // namespace
}  // namespace muster
