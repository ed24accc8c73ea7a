#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/command_line/command.h"

namespace muster {
namespace {

TEST_F(command_line_test, run_leaves_results_store_scenario_and_manifest) {
  const auto result = shell("muster run " + scenario() + " --out " + at("out"));
  EXPECT_EQ(result.status, 0) << result.output;
  for (const char* file : {"results.csv", "results.sqlite", "scenario.toml", "manifest.json"})
    EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / file)) << file;
  const std::string csv = content_of(folder_ / "out" / "results.csv");
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "scenario,point,arrivals.rate,policy,class,metric,unit,estimate,ci_low,ci_high,replications,jobs");
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
  const auto interrupted =
      shell("cd " + folder_.string() +
            "; " MUSTER_BINARY
            " run small.toml --quiet -j 1 --set run.jobs=20000 "
            "--set arrivals.rate=1.0 --set run.replications=20 --set 'policy=[{name=\"msf\"}]' --out probe > /dev/null "
            "2>&1; " MUSTER_BINARY
            " run small.toml -j 1 --set run.jobs=3000000 --set run.replications=1 --out out & "
            "child=$!; for i in $(seq 600); do sleep 0.05; "
            "[ -n \"$(sqlite3 out/results.sqlite 'select 1 from replications' 2>/dev/null)\" ] && break; "
            "[ -e out/results.sqlite ] && [ $(stat -c %s out/results.sqlite) -gt 65536 ] && break; done; "
            "kill -INT $child; wait $child");
  EXPECT_EQ(interrupted.status, 130) << interrupted.output;
  EXPECT_NE(interrupted.output.find("interrupted; the points that were finished are in out"), std::string::npos)
      << interrupted.output;
  const std::string csv = content_of(folder_ / "out" / "results.csv");
  EXPECT_EQ(csv.find("\nsmall,3,"), std::string::npos) << "the last point cannot have finished";
  EXPECT_EQ(nlohmann::json::parse(content_of(folder_ / "out" / "manifest.json")).at("interrupted"), true);
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
  EXPECT_LT(peak("2000000"), 1.05 * small);
}

}  // namespace
}  // namespace muster
