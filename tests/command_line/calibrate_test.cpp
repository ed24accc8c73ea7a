#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/command_line/command.h"

namespace muster {
namespace {

/// Logs of what happened, and replays of them.
class calibrate_test : public command_line_test {
 protected:
  void write_scenario(int cores = 4, const std::string& more = "") const {
    std::ofstream(folder_ / "replay.toml") << "name = \"replay\"\npolicy = \"fcfs\"\n[platform]\nservers = [{ name = "
                                              "\"node\", cores = "
                                           << cores << " }]\n[arrivals]\nprocess = \"log\"\nclass_by = \"all\"\n"
                                           << "file = \"log.swf\"\n"
                                           << more;
  }
  // Lines of jobs: number, arrival, wait, run time, and number of cores.
  void write_log(const std::vector<std::vector<int>>& jobs) const {
    std::ofstream out(folder_ / "log.swf");
    for (const auto& j : jobs)
      out << j[0] << ' ' << j[1] << ' ' << j[2] << ' ' << j[3] << ' ' << j[4] << " -1 -1 " << j[4]
          << " 200 -1 1 7 -1 -1 -1 -1 -1 -1\n";
  }
  // The log of what a scenario of muster's own does.
  void log_own_run(const std::string& scenario) const {
    std::ofstream(folder_ / "own.toml") << scenario;
    const command_result made =
        shell("cd " + folder_.string() + " && muster run own.toml --trace swf --out own --quiet");
    ASSERT_EQ(made.status, 0) << made.output;
    std::filesystem::copy(folder_ / "own/jobs.swf", folder_ / "log.swf");
  }
  command_result calibrate(const std::string& words = "") const {
    return shell("cd " + folder_.string() + " && muster calibrate replay.toml " + words);
  }
  std::string refusal(const std::string& words = "") const {
    const command_result result = calibrate(words);
    EXPECT_EQ(result.status, 2) << result.output;
    return result.output;
  }
  /// The first row of a CSV by its heads.
  static std::map<std::string, std::string> first_row(const std::string& csv) {
    std::istringstream lines(csv);
    std::string heads, values;
    std::getline(lines, heads);
    std::getline(lines, values);
    std::istringstream head_of(heads), value_of(values + ",");
    std::map<std::string, std::string> row;
    for (std::string head, value; std::getline(head_of, head, ',') && std::getline(value_of, value, ',');)
      row[head] = value;
    return row;
  }
};

// Five jobs on 4 cores. The log's scheduler lets job 4 pass job 3, which waits for all cores until 100; first come,
// first served lets it wait until job 3 has ended, at 130.
const std::vector<std::vector<int>> five_jobs{
    {1, 0, 0, 100, 2}, {2, 10, 0, 50, 2}, {3, 20, 80, 30, 4}, {4, 30, 30, 20, 2}, {5, 40, 90, 10, 1}};

TEST_F(calibrate_test, errors_of_five_jobs_are_those_by_hand) {
  write_scenario();
  write_log(five_jobs);
  const command_result result = calibrate("--tables found");
  EXPECT_EQ(result.status, 0) << result.output;
  auto row = first_row(content_of(folder_ / "found/errors.csv"));
  EXPECT_EQ(row["class"], "all");
  EXPECT_EQ(row["jobs"], "5");
  EXPECT_EQ(row["logged_mean"], "40");
  EXPECT_EQ(row["replayed_mean"], "54");
  EXPECT_EQ(row["logged_p95"], "90");
  EXPECT_EQ(row["replayed_p95"], "100");
  EXPECT_EQ(row["later"], "14");
  EXPECT_EQ(row["apart"], "14");
  EXPECT_EQ(row["within_second"], "0.8");
  EXPECT_EQ(row["within_minute"], "0.8");
  EXPECT_EQ(row["within_tenth"], "0.8");
  EXPECT_EQ(row["in_order"], "4");
  EXPECT_NEAR(std::stod(row["kendall"]), 7.0 / std::sqrt(90.0), 1e-12);  // 8 pairs agree, 1 does not, 1 is tied
  auto day = first_row(content_of(folder_ / "found/days.csv"));
  EXPECT_NEAR(std::stod(day["logged_utilization"]), 470.0 / 4.0 / 86'400.0, 1e-12);
  EXPECT_NEAR(std::stod(day["logged_waiting"]), 200.0 / 86'400.0, 1e-12);
  EXPECT_NEAR(std::stod(day["replayed_waiting"]), 270.0 / 86'400.0, 1e-12);
  EXPECT_NE(
      result.output.find("at 0 d 00:01:00 (60 s) the log starts the job of line 4 (2 cores of user 7), the replay "
                         "does so 70 s later.\nOthers leave 2 of 4 cores free then in the log, 2 in the replay; "
                         "it has waited for 30 s.\nIn the replay enough cores are free, but 1 job that arrived "
                         "before it waits, the first one in line 3 for 4 cores: fcfs does not pass that over, "
                         "and the scheduler of the log did.\n"),
      std::string::npos)
      << result.output;
}

TEST_F(calibrate_test, a_replay_of_its_own_log_is_exact_under_that_policy_alone) {
  log_own_run(R"(name = "own"
policy = "easy_backfill"
platform.servers = [{ name = "node", cores = 8 }]
classes = [
  { name = "narrow", need = 1, share = 0.7, size = { distribution = "exponential", mean = 3.0 } },
  { name = "wide", need = 6, share = 0.3, size = { distribution = "exponential", mean = 2.0 } },
]
arrivals.rate = 1.3
run = { jobs = 2000, warm_up = 0.0, replications = 1 }
)");
  write_scenario(8, "[sweep]\npolicy = [\"fcfs\", \"easy_backfill\"]\n");
  const command_result result = calibrate("--tables found");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("Nearest to the log: point 1, policy = easy_backfill.\n"), std::string::npos)
      << result.output;
  std::istringstream rows(content_of(folder_ / "found/starts.csv"));
  std::string line;
  unsigned exact = 0, others = 0;
  std::getline(rows, line);
  while (std::getline(rows, line)) {
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
    // At its end, after 1500 s, the log lacks the jobs that had not left yet, which others had to wait for.
    if (fields[0] != "1" || std::stod(fields[5]) > 1'500.0) continue;
    fields[6] == fields[7] ? ++exact : ++others;
  }
  EXPECT_GT(exact, 1'900U);
  EXPECT_EQ(others, 0U);
}

// The log is that of a scheduler that takes 15 s for each start, and is replayed by one that takes no time.
TEST_F(calibrate_test, gives_back_the_time_that_the_scheduler_of_a_log_takes) {
  log_own_run(R"(name = "own"
policy = "easy_backfill"
platform.servers = [{ name = "node", cores = 8 }]
platform.decision = { per_dispatch = 15.0 }
classes = [{ name = "job", need = 3, share = 1.0, size = { distribution = "exponential", mean = 900.0 } }]
arrivals.rate = 0.0018
run = { jobs = 1000, warm_up = 0.0, replications = 1 }
)");
  write_scenario(8);
  const command_result result = calibrate("--tables found");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("\n  platform.decision.per_dispatch = 15\nWith it "), std::string::npos)
      << result.output;
  const std::string told = content_of(folder_ / "found/told.csv");
  EXPECT_NE(told.find("\"dispatch, prolog and epilog\",s,0,0,0,"), std::string::npos) << told;
}

TEST_F(calibrate_test, writes_a_scenario_with_what_the_log_tells) {
  // One core; each job waits for 7 s when the core is free again.
  std::vector<std::vector<int>> jobs;
  for (int n = 0, start = 0; n < 40; ++n) {
    const int arrival = 3 * n, run = 11 + n * n % 13;
    jobs.push_back({n + 1, arrival, start - arrival, run, 1});
    start += run + 7;
  }
  write_scenario(1);
  write_log(jobs);
  const command_result result = calibrate("--out calibrated.toml");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("  platform.costs.dispatch_latency = 7\n"), std::string::npos) << result.output;
  const std::string written = content_of(folder_ / "calibrated.toml");
  EXPECT_NE(written.find("costs = { dispatch_latency = 7,"), std::string::npos) << written;
  EXPECT_NE(result.output.find("With it starts are 0 s apart on average"), std::string::npos) << result.output;
  const command_result again = shell("cd " + folder_.string() + " && muster calibrate calibrated.toml --format csv");
  EXPECT_EQ(again.status, 0) << again.output;
  EXPECT_EQ(first_row(again.output)["apart"], "0") << again.output;
  EXPECT_EQ(refusal("--out calibrated.toml"),
            "calibrated.toml: is there already; choose another file with --out, or overwrite with --force\n");
}

// The five jobs as a list of another unit, whose lines are in no order, beside a queue of another moment: the numbers
// are those of the log.
TEST_F(calibrate_test, starts_of_a_list_are_compared_as_those_of_a_log_without_the_jobs_at_time_0) {
  std::ofstream list(folder_ / "jobs.csv");
  list << "id,arrival,size,cores,start\n6,60000,1000,1,\n";
  for (std::size_t n = five_jobs.size(); n-- > 0;) {
    const auto& j = five_jobs[n];
    list << fmt::format("{},{}000,{}000,{},{}000\n", j[0], j[1], j[3], j[4], j[1] + j[2]);
  }
  list.close();
  std::ofstream(folder_ / "queue.csv") << "state,elapsed,requested,cores\nrunning,0,900,4\nwaiting,,900,4\n";
  std::ofstream(folder_ / "replay.toml")
      << "name = \"replay\"\ntime_unit = \"ms\"\npolicy = \"fcfs\"\n[platform]\nservers = [{ name = \"node\", cores "
         "= 4 "
         "}]\n[[classes]]\nname = \"job\"\n[arrivals]\nprocess = \"list\"\nfile = \"jobs.csv\"\n[initial]\nfile = "
         "\"queue.csv\"\n";
  const command_result result = calibrate("--out calibrated.toml --tables found");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("note: 2 jobs that wait or run at time 0 (initial.file) left out"), std::string::npos)
      << result.output;
  EXPECT_NE(result.output.find("5 jobs of log jobs.csv (csv); not compared: 1 whose start it does not tell"),
            std::string::npos)
      << result.output;
  auto row = first_row(content_of(folder_ / "found/errors.csv"));
  EXPECT_EQ(row["jobs"], "5");
  EXPECT_EQ(row["logged_mean"], "40000");
  EXPECT_EQ(row["replayed_mean"], "54000");
  EXPECT_EQ(row["apart"], "14000");
  EXPECT_NE(content_of(folder_ / "calibrated.toml").find("[initial]"), std::string::npos);
  EXPECT_NE(result.output.find("muster forecast calibrated.toml tells when"), std::string::npos) << result.output;
  EXPECT_EQ(refusal("--out found/other.toml"),
            "found/other.toml: is not beside replay.toml, which names jobs.csv there; expected a file such as "
            "calibrated.toml\n");
  std::ofstream(folder_ / "jobs.csv") << "id,arrival,size\n1,0,5\n";
  EXPECT_EQ(
      refusal(),
      "jobs.csv: tells no starts in its 1 jobs; expected a column start, which muster import writes where sacct has "
      "printed the column Start\n");
}

TEST_F(calibrate_test, refuses_what_is_no_log_of_what_happened) {
  write_scenario();
  write_log({{1, 0, -1, 100, 2}, {2, 10, -1, 50, 2}});
  EXPECT_EQ(refusal(),
            at("log.swf") +
                ": tells no starts in its 2 jobs; expected a log of what happened: waits in field 3 (Standard "
                "Workload Format), or the column Start (sacct)\n");
  EXPECT_EQ(
      refusal("--set arrivals.scale=0.5"),
      "replay: arrivals.scale is 0.5; expected 1, as jobs that arrive at other times cannot start as in the log\n");
  EXPECT_EQ(refusal("--set 'sweep.\"arrivals.share\"=[0.5,1.0]'"),
            "replay: the sweep changes arrivals.share; expected the same log at all points, such as --set "
            "arrivals.share=..\n");
  std::ofstream(folder_ / "log.swf") << "hello\n";
  EXPECT_NE(refusal().find("looks like no log that is known"), std::string::npos);
  std::filesystem::copy(folder_ / "small.toml", folder_ / "replay.toml",
                        std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(refusal(),
            "small: arrivals.process is \"poisson\"; expected \"log\" or \"list\", as only these tell what "
            "happened\n");
}

}  // namespace
}  // namespace muster
