#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "platform/store/database.h"

#include "tests/command_line/command.h"

namespace muster {
namespace {

std::int64_t replications_stored(const std::string& store) {
  try {
    if (!std::filesystem::exists(store)) return 0;
    database db = open_database(store);
    query count(db, "SELECT count(*) FROM replications");
    return count.next() ? count[0].getInt64() : 0;
  } catch (const SQLite::Exception&) {  // not there yet, or being written
    return 0;
  }
}

TEST_F(command_line_test, run_leaves_results_store_scenario_and_manifest) {
  const auto result = shell("muster run " + scenario() + " --out " + at("out"));
  EXPECT_EQ(result.status, 0) << result.output;
  for (const char* file : {"results.csv", "results.sqlite", "scenario.toml", "manifest.json"})
    EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / file)) << file;
  const std::string csv = content_of(folder_ / "out" / "results.csv");
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "scenario,point,arrivals.rate,policy,class,metric,unit,estimate,ci_low,ci_high,replications,jobs,note");
  EXPECT_NE(csv.find("\nsmall,1,0.5,msfq(threshold=2),all,response_time,s,"), std::string::npos) << csv;
  const auto manifest = nlohmann::json::parse(content_of(folder_ / "out" / "manifest.json"));
  EXPECT_EQ(manifest.at("jobs"), 4 * 3 * 2000);
  EXPECT_EQ(manifest.at("seed"), 1);
  EXPECT_EQ(manifest.at("interrupted"), false);
  EXPECT_GT(manifest.at("peak_memory_bytes"), 1000000);
}

TEST_F(command_line_test, numbers_are_byte_identical_whatever_the_number_of_workers) {
  for (const int workers : {1, 2, 5})
    EXPECT_EQ(
        shell(fmt::format("muster run {} --quiet -j {} --out {}", scenario(), workers, at(std::to_string(workers))))
            .status,
        0);
  const std::string one = content_of(folder_ / "1" / "results.csv");
  EXPECT_GT(one.size(), 1000u);
  EXPECT_EQ(one, content_of(folder_ / "2" / "results.csv"));
  EXPECT_EQ(one, content_of(folder_ / "5" / "results.csv"));
}

TEST_F(command_line_test, resolved_scenario_gives_the_same_results_again) {
  ASSERT_EQ(shell("muster run " + scenario() + " --quiet --seed 7 --set policy.name=fcfs --out " + at("first")).status,
            0);
  ASSERT_EQ(shell("muster run " + at("first/scenario.toml") + " --quiet --out " + at("second")).status, 0);
  EXPECT_EQ(content_of(folder_ / "first" / "results.csv"), content_of(folder_ / "second" / "results.csv"));
  EXPECT_EQ(content_of(folder_ / "first" / "scenario.toml"), content_of(folder_ / "second" / "scenario.toml"));
}

TEST_F(command_line_test, another_seed_gives_other_numbers) {
  ASSERT_EQ(shell("muster run " + scenario() + " --quiet --seed 1 --out " + at("first")).status, 0);
  ASSERT_EQ(shell("muster run " + scenario() + " --quiet --seed 2 --out " + at("second")).status, 0);
  EXPECT_NE(content_of(folder_ / "first" / "results.csv"), content_of(folder_ / "second" / "results.csv"));
}

TEST_F(command_line_test, one_replication_has_empty_intervals) {
  ASSERT_EQ(shell("muster run " + scenario() + " --quiet --replications 1 --out " + at("out")).status, 0);
  const std::string csv = content_of(folder_ / "out" / "results.csv");
  const std::size_t row = csv.find(",all,response_time,s,");
  const std::string line = csv.substr(row, csv.find('\n', row) - row);
  EXPECT_NE(line.find(",,,1,"), std::string::npos) << line;
}

TEST_F(command_line_test, results_of_another_scenario_are_not_overwritten_without_force) {
  ASSERT_EQ(shell("muster run " + scenario() + " --quiet --out " + at("out")).status, 0);
  const std::string before = content_of(folder_ / "out" / "results.csv");
  const auto refused = shell("muster run " + scenario() + " --quiet --set run.seed=9 --out " + at("out"));
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.output, at("out") +
                                ": holds results of another scenario; choose another directory with --out, or "
                                "overwrite with --force\n");
  EXPECT_EQ(content_of(folder_ / "out" / "results.csv"), before);
  EXPECT_EQ(shell("muster run " + scenario() + " --quiet --set run.seed=9 --force --out " + at("out")).status, 0);
  EXPECT_NE(content_of(folder_ / "out" / "results.csv"), before);
}

TEST_F(command_line_test, files_that_only_look_like_results_are_not_overwritten_either) {
  std::filesystem::create_directories(folder_ / "out");
  std::ofstream(folder_ / "out" / "results.csv") << "mine";
  EXPECT_EQ(shell("muster run " + scenario() + " --quiet --out " + at("out")).status, 2);
  EXPECT_EQ(content_of(folder_ / "out" / "results.csv"), "mine");
}

TEST_F(command_line_test, results_may_be_read_while_they_come_in) {
  const pid_t child = fork();
  if (child == 0) {
    const std::string file = scenario(), out = at("busy");
    execl(MUSTER_BINARY, "muster", "run", file.c_str(), "--quiet", "--set", "run.jobs=100000", "--out", out.c_str(),
          nullptr);
    _exit(1);
  }
  const std::string store = at("busy") + "/results.sqlite";
  for (int tries = 0; tries < 5000 && replications_stored(store) < 1; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  {
    database reader = open_database(store);
    query all(reader, "SELECT * FROM measurements");
    EXPECT_TRUE(all.next());  // holds a read lock
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_F(command_line_test, a_path_that_is_no_utf8_costs_no_results) {
  const auto result =
      shell("cd " + folder_.string() + "; " MUSTER_BINARY " run small.toml --quiet --out \"$(printf 'o\\377')\"");
  EXPECT_EQ(result.status, 0) << result.output;
}

TEST_F(command_line_test, time_beyond_the_clock_is_a_fault_not_a_wrong_number) {
  const auto result = shell("muster run " + scenario() +
                            " --set policy.name=fcfs --set arrivals.rate=1e-4 --set run.jobs=200000 --set "
                            "'classes.heavy.size={distribution=\"lognormal\",mu=0,sigma=6}' --quiet --out " +
                            at("out"));
  EXPECT_EQ(result.status, 3) << result.output;
  EXPECT_NE(result.output.find("simulated time leaves the range of the clock; take fewer jobs or a coarser time_unit"),
            std::string::npos)
      << result.output;
  EXPECT_EQ(nlohmann::json::parse(content_of(folder_ / "out" / "manifest.json")).at("status"), "fault");
}

TEST_F(command_line_test, directory_that_cannot_be_made_is_refused) {
  const auto refused = shell("muster run " + scenario() + " --out /proc/no/such/place");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.output.find("/proc/no/such/place: cannot be created: "), std::string::npos) << refused.output;
}

TEST_F(command_line_test, full_disk_is_told_and_leaves_no_results_that_look_whole) {
  // A limit on the size of files stands for the full disk.
  const auto failed = shell("trap '' XFSZ; ulimit -f 40; muster run " + scenario() + " --quiet --out " + at("out"));
  EXPECT_EQ(failed.status, 3) << failed.output;
  EXPECT_NE(failed.output.find("results.sqlite: "), std::string::npos) << failed.output;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out" / "results.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out" / "manifest.json"));
}

TEST_F(command_line_test, interrupt_keeps_finished_points_and_exits_with_130) {
  const std::string out = at("out"), file = scenario();
  const pid_t child = fork();
  if (child == 0) {
    execl(MUSTER_BINARY, "muster", "run", file.c_str(), "--quiet", "-j", "1", "--set", "run.jobs=100000",
          "--replications", "20", "--out", out.c_str(), nullptr);
    _exit(1);
  }
  for (int tries = 0; tries < 15000 && replications_stored(out + "/results.sqlite") < 21; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  const std::string csv = content_of(folder_ / "out" / "results.csv");
  EXPECT_NE(csv.find("\nsmall,2,"), std::string::npos) << "the first of those with most load was finished";
  EXPECT_EQ(csv.find("\nsmall,1,"), std::string::npos) << "the last of those with least cannot have been";
  EXPECT_EQ(nlohmann::json::parse(content_of(folder_ / "out" / "manifest.json")).at("interrupted"), true);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / "report.html")) << "of what is finished";
}

TEST_F(command_line_test, interrupt_before_the_first_point_prints_no_table) {
  const std::string out = at("out"), file = scenario(), told = at("told"), shown = at("shown");
  const pid_t child = fork();
  if (child == 0) {
    dup2(open(shown.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    dup2(open(told.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    execl(MUSTER_BINARY, "muster", "run", file.c_str(), "-j", "1", "--set", "run.jobs=1000000000", "--out", out.c_str(),
          nullptr);
    _exit(1);
  }
  const std::string begin = "4 points, 12 replications to run, 1 at a time\n";
  for (int tries = 0; tries < 6000 && content_of(told).size() < begin.size(); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 130);
  EXPECT_EQ(content_of(shown), "");
  EXPECT_EQ(content_of(told),
            begin + "interrupted before a point was finished; the same command goes on from " + out + "\n");
}

TEST_F(command_line_test, size_of_a_run_is_told_on_standard_error_only_and_not_when_nothing_is_left) {
  const std::string words = "muster run " + scenario() + " -j 2 --out " + at("out");
  const auto told = shell(words + " 2>&1 >/dev/null");
  EXPECT_EQ(told.output, "4 points, 12 replications to run, 2 at a time\n");
  EXPECT_EQ(shell(words + " 2>/dev/null").output.find("to run"), std::string::npos);
  EXPECT_EQ(shell(words).output.find("to run"), std::string::npos);
  EXPECT_EQ(shell(words + " --force --quiet").output.find("to run"), std::string::npos);
  EXPECT_NE(shell(words + " --replications 4").output.find("4 points, 4 replications to run, 2 at a time\n"),
            std::string::npos);
}

TEST_F(command_line_test, the_longest_name_of_a_class_has_its_figures) {
  const std::string name(200, 'x');
  std::string text = content_of(scenario());
  text.replace(text.find("\"light\""), 7, '"' + name + '"');
  std::ofstream(folder_ / "long.toml") << text;
  const auto result = shell("muster run " + at("long.toml") + " --set policy.name=msf --quiet --out " + at("out"));
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / "figures" / ("response_time." + name + ".svg")));
}

TEST_F(command_line_test, precision_above_one_is_answered_with_the_right_form) {
  const auto refused = shell("muster run " + scenario() + " --precision 5");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.output.find("expected a share > 0 and < 1, such as 0.01 or \"1%\", found 5"), std::string::npos)
      << refused.output;
}

TEST_F(command_line_test, unstable_point_is_announced) {
  const auto result =
      shell("muster run " + scenario() + " --set arrivals.rate=9 --set policy.name=msf --out " + at("out"));
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.output.find("warning: point 0 (msf) is unstable: the rate 9 is not below the limit 2.5; its queue "
                               "grows without bound and the estimates have no limit"),
            std::string::npos)
      << result.output;
}

TEST_F(command_line_test, jobs_in_system_over_time_is_recorded_on_request) {
  ASSERT_EQ(shell("muster run " + scenario() +
                  " --quiet --set record.jobs_in_system_every=10 --set record.until=100 --out " + at("out"))
                .status,
            0);
  const std::string csv = content_of(folder_ / "out" / "jobs_in_system.csv");
  EXPECT_EQ(csv.substr(0, csv.find('\n')), "scenario,point,arrivals.rate,policy,time,class,jobs");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 4 * 11 * 2);
}

TEST_F(command_line_test, memory_does_not_grow_with_simulated_time) {
#ifdef MUSTER_SANITIZED
  GTEST_SKIP() << "the address sanitizer keeps freed memory back";
#endif
  const auto peak = [&](const std::string& jobs) {
    EXPECT_EQ(shell("muster run " + scenario() +
                    " --quiet --set policy.name=msf --replications 1 --set run.jobs=" + jobs + " --out " + at(jobs))
                  .status,
              0);
    return nlohmann::json::parse(content_of(folder_ / jobs / "manifest.json")).at("peak_memory_bytes").get<double>();
  };
  const double small = peak("20000");
  EXPECT_LT(peak("2000000"), small + 2e6);
}

}  // namespace
}  // namespace muster
