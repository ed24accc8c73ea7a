#include <cmath>
#include <fstream>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/command_line/command.h"

namespace muster {
namespace {

/// A queue of jobs whose run times are known: on eight cores they start at 0, 30 and 50 s, first come, first served.
class forecast_test : public command_line_test {
 protected:
  void SetUp() override {
    command_line_test::SetUp();
    write("queue.csv",
          "job,state,size,elapsed,class,requested,user\n11,waiting,5,,two,10,c\n1,running,40,10,four,70,a\n"
          "12,waiting,20,,eight,40,a\n2,running,15,5,two,25,b\n13,waiting,8,,two,9,b\n");
    write("known.toml",
          "name = \"known\"\n[platform]\nservers = [{ name = \"node\", count = 2, cores = 4 }]\n[[classes]]\n"
          "name = \"two\"\nneed = 2\n[[classes]]\nname = \"four\"\nneed = 4\n[[classes]]\nname = \"eight\"\nneed = 8\n"
          "[arrivals]\nprocess = \"none\"\n[initial]\nfile = \"queue.csv\"\n[policy]\nname = \"fcfs\"\n");
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::string forecast(const std::string& words, int status = 0) const {
    const command_result result = shell("muster forecast " + words);
    EXPECT_EQ(result.status, status) << words << '\n' << result.output;
    return result.output;
  }
  std::string known(const std::string& words) const {
    return forecast(at("known.toml") + " --quiet --replications 3 " + words);
  }
  static void expect_within(const std::string& text, const std::string& words) {
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n is not in\n" << text;
  }
};

TEST_F(forecast_test, answers_first_and_names_jobs_and_users) {
  const std::string output = known("2>/dev/null");
  EXPECT_EQ(output.substr(0, output.find("\nRun times")),
            "All of the 3 jobs that wait have started in 50 s (50 s .. 50 s).\n"
            "Job 11 of c starts at once.\n"
            "Job 13 of b starts in 50 s (50 s .. 50 s), 100 % within 1 h.");
  expect_within(output, "Run times of jobs at time 0: 5 from initial.file.");
}

// By hand: job 13 backfills when job 11 has left; with 12 cores job 12 starts at 10 and 13 at 30; a node that drains
// from 20 to 100 delays both by 70 s. In microseconds, as jobs that wait are submitted a nanosecond after time 0.
TEST_F(forecast_test, tells_what_each_change_shifts) {
  const std::string drain =
      "'events=[{ at = 20.0, servers = \"node\", action = \"drain\", count = 1 }, "
      "{ at = 100.0, servers = \"node\", action = \"return\", count = 1 }]'";
  const auto rows = nlohmann::json::parse(
      known("--with policy.name=easy_backfill --with 'platform.servers.node.count=3; policy.name=fcfs' --with " +
            drain + " --format json 2>/dev/null"));
  std::map<std::string, std::string> shifts;
  for (const auto& row : rows.at("starts"))
    if (!row.at("with").is_null())
      shifts[row.at("with").get<std::string>().substr(0, 8)] +=
          row.at("job").get<std::string>() + ": " + std::to_string(std::lround(1e6 * row.at("shift").get<double>())) +
          ", ";
  EXPECT_EQ(shifts["policy.n"], "11: 0, 12: 0, 13: -45000000, ");
  EXPECT_EQ(shifts["platform"], "11: 0, 12: -20000000, 13: -20000000, ");
  EXPECT_EQ(shifts["events=["], "11: 0, 12: 70000000, 13: 70000000, ");
  EXPECT_EQ(rows.at("queue").at(1).at("start_p50"), 30.0);
  EXPECT_EQ(rows.at("queue").at(3).at("verdict"), "later");
  const std::string text = known("--with policy.name=easy_backfill 2>/dev/null");
  expect_within(text,
                "With policy.name=easy_backfill: all have started 20 s earlier on average; jobs start: 1 earlier, 2 at "
                "the same time.\n");
  expect_within(text, "(1) policy.name=easy_backfill\n");
}

// Half of ann's jobs take a tenth of what she asks for, the others all of it; bob's take a fifth.
TEST_F(forecast_test, draws_run_times_from_the_history_of_each_user) {
  std::string log = "JobID|User|Submit|Elapsed|Timelimit|ReqCPUS\n";
  for (int n = 1; n <= 40; ++n)
    log += std::to_string(n) + (n % 4 < 2 ? "|ann|2024-01-31T12:00:00|" : "|bob|2024-01-31T12:00:00|") +
           (n % 4 == 0   ? "00:06:00"
            : n % 4 == 1 ? "01:00:00"
                         : "00:12:00") +
           "|01:00:00|1\n";
  write("log.txt", log);
  write("queue.txt",
        "JOBID|STATE|TIME|TIME_LIMIT|CPUS|USER\n7|RUNNING|0:10:00|2:00:00|8|ann\n8_[1-2]|PENDING|0:00|5:00:00|8|bob\n"
        "9|PENDING|0:00|1:00:00|8|eve\n");
  const std::string words =
      at("known.toml") + " --set initial.file=" + at("queue.txt") +
      " --set 'classes=[{ name = \"any\", need = 8 }]' --quiet --replications 20 --within '2 h' --history " +
      at("log.txt");
  const std::string output = forecast(words + " 2>/dev/null");
  // Ann's ratios are 0.1 and 1: of the job that has run for 10 of 120 min, 2 or 110 min are left. Bob's take an hour.
  expect_within(output,
                "Run times of jobs at time 0: 3 drawn from the user's earlier jobs, 1 drawn from all users' "
                "earlier jobs (40 earlier jobs; 2 users of 10 or more).");
  const auto rows = nlohmann::json::parse(forecast(words + " --format json 2>/dev/null")).at("starts");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].at("start_p10"), 120.0);
  EXPECT_EQ(rows[0].at("start_p90"), 6600.0);
  EXPECT_EQ(rows[0].at("job"), "8_1");
  EXPECT_EQ(rows[1].at("start_p90"), 10200.0);
  EXPECT_EQ(rows[2].at("run_time_from"), "all_users");
  EXPECT_EQ(rows[2].at("start_p10"), 7320.0);
}

TEST_F(forecast_test, goes_on_from_what_a_directory_has) {
  const std::string words =
      at("known.toml") + " --set platform.placement=random --out " + at("out") + " --replications ";
  expect_within(forecast(words + "2"), "2 of 2 replications\n");
  const std::string first = content_of(folder_ / "out/forecast.csv");
  EXPECT_EQ(first.substr(0, first.find('\n')),
            "scenario,point,with,job,line,user,class,cores,limit,run_time_from,unit,replications,started,within_1_h,"
            "within_4_h,within_1_d,start_p10,start_p50,start_p90,start_p50_ci_low,start_p50_ci_high,shift,shift_ci_low,"
            "shift_ci_high,p,verdict");
  expect_within(forecast(words + "3 --with policy.name=first_fit"),
                "2 replications in " + at("out") + " are used again\n");
  expect_within(content_of(folder_ / "out/queue.csv"), "known,0,policy.name=first_fit,3,s,3,1,");
  const std::string figure = content_of(folder_ / "out/forecast.svg");
  for (const char* text : {">as it is<", ">policy.name=first_fit<", ">11<", ">13<", ">start (s)<"})
    expect_within(figure, text);
}

TEST_F(forecast_test, simulates_one_replication_where_nothing_is_drawn_and_says_so) {
  const std::string note =
      "note: no random number is drawn, so that all replications have the same, and one is simulated: where "
      "initial.file tells time limits alone, --history makes run times known\n";
  const std::string words = at("known.toml") + " --replications 20 ";
  const std::string output = forecast(words + "--with policy.name=easy_backfill 2>&1");
  EXPECT_EQ(output.substr(0, output.find(note)), "2 of 2 replications\n");
  // What is drawn in one variant is drawn in all.
  expect_within(forecast(words + "--with platform.placement=random 2>&1"), "40 of 40 replications\n");
  expect_within(forecast(words + "--set 'platform.servers.node.faults={ to_failure = 1e5, to_repair = 10.0 }' 2>&1"),
                "20 of 20 replications\n");
}

TEST_F(forecast_test, refuses_word_for_word_what_has_no_queue) {
  EXPECT_EQ(forecast(scenario(), 2),
            "no job waits at time 0; expected initial.file with the queue of now, such as what squeue prints\n");
  write("elsewhere.csv", "state,size,class\nwaiting,40,nine\nwaiting,40,ten\n");
  EXPECT_EQ(
      forecast(scenario() + " --set initial.file=" + at("elsewhere.csv"), 2),
      "no job waits at time 0; initial elsewhere.csv (csv): 0 jobs run at time 0, and 0 wait; left out: 2 of a class "
      "that there is not (first: line 2)\n");
  write("running.csv", "state,size,elapsed,class\nrunning,40,10,four\n");
  EXPECT_EQ(forecast(at("known.toml") + " --set initial.file=" + at("running.csv"), 2),
            "initial.file: none of 1 job waits, as all run; expected a job that waits\n");
  EXPECT_EQ(forecast(MUSTER_SOURCE "/scenarios/ispeed_homogeneous.toml", 2),
            "the jobs of this scenario are slotted; expected rigid jobs, whose starts can be forecast\n");
  EXPECT_EQ(forecast(MUSTER_SOURCE "/scenarios/balanced_fairness_two_servers.toml", 2),
            "the jobs of this scenario are pooled; expected rigid jobs, whose starts can be forecast\n");
  write("waiting.csv", "state,size,class\nwaiting,40,two\n");
  EXPECT_EQ(forecast(at("known.toml") +
                         " --set platform.schedulers.count=2 --set platform.servers.node.cores=8 --set initial.file=" +
                         at("waiting.csv"),
                     2),
            "platform.schedulers.count: expected one scheduler, whose queue is forecast\n");
}

TEST_F(forecast_test, names_its_own_options_in_what_is_wrong) {
  EXPECT_EQ(forecast(at("known.toml") + " --with polcy.name=fcfs", 2),
            "--with polcy.name=fcfs:1:1: polcy: unknown key; did you mean 'policy'?\n");
  EXPECT_EQ(forecast(at("known.toml") + " --with ' ;'", 2), "--with: expected KEY=VALUE\n");
  EXPECT_EQ(forecast(at("known.toml") + " --within 4", 2),
            "--within: expected a time > 0 with its unit, such as '4 h', found '4'\n");
  EXPECT_EQ(forecast(at("known.toml") + " --history " + at("none.swf"), 2),
            "--history: " + at("none.swf") + ": cannot be opened: No such file or directory\n");
}

}  // namespace
}  // namespace muster
