#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/command_line/command.h"

namespace muster {
namespace {

/// Commands in a folder with logs.
class import_test : public command_line_test {
 protected:
  void SetUp() override {
    command_line_test::SetUp();
    // Two jobs of one core with 100 s and 300 s, two of four cores with 200 s; each has requested twice as much. One
    // was cancelled.
    write("four.swf",
          "; MaxProcs: 8\n; MaxNodes: 2\n"
          "1 0 0 100 1 -1 -1 1 200 -1 1 7 1 -1 -1 -1 -1 -1\n"
          "2 100 0 300 1 -1 -1 1 600 -1 1 7 1 -1 -1 -1 -1 -1\n"
          "3 200 0 200 4 -1 -1 4 400 -1 1 9 1 -1 -1 -1 -1 -1\n"
          "4 300 0 -1 4 -1 -1 4 400 -1 5 9 1 -1 -1 -1 -1 -1\n"
          "5 400 0 200 4 -1 -1 4 400 -1 1 9 1 -1 -1 -1 -1 -1\n");
  }

  void write(const std::string& file, const std::string& text) const { std::ofstream(folder_ / file) << text; }
  command_result in_folder(const std::string& commands) const {
    return shell("cd " + folder_.string() + " && " + commands);
  }
};

void expect_told(const std::string& text, const std::string& words) {
  EXPECT_NE(text.find(words), std::string::npos) << words << "\n is not in\n" << text;
}

// Three times between arrivals in 400 s; a law for two values is exponential, with the log-likelihood
// -2 (log 200 + 1), and four equal ones are what they are.
TEST_F(import_test, writes_the_scenario_that_few_jobs_give_by_hand) {
  const auto made = in_folder("muster import four.swf");
  EXPECT_EQ(made.status, 0) << made.output;
  const std::string text = content_of(folder_ / "four.toml");
  EXPECT_EQ(text.substr(text.find("\nname = ") + 1),
            R"(name = "four"
about = "classes and rates fitted to a log"

[platform]
servers = [{ name = "node", count = 2, cores = 4 }]

# 2 jobs; run times: mean 200 s, cv 0.5; exponential: log-likelihood -12.5966, AIC 27.1933, Kolmogorov-Smirnov distance 0.393
[[classes]]
name = "1_core"
need = 1
share = 0.5
size = { distribution = "exponential", mean = 200 }

# 2 jobs; run times: mean 200 s, cv 0
[[classes]]
name = "4_cores"
need = 4
share = 0.5
size = { distribution = "deterministic", value = 200 }

[arrivals]
process = "poisson"
rate = 0.0075
# Users request 2 times the run times, all together. With estimates:
# estimate = { factor = 2 }

[policy]
name = "first_fit"

[run]
jobs = 10000
replications = 10
)");
  for (const char* words :
       {"log four.swf (swf): 4 jobs of 2 users in 0.0 days; their need is the requested processors; left out: "
        "1 cancelled before they started (first: line 6)\n",
        "\ncapacity: 8 cores, MaxProcs of the log\n", "\nclasses: class_by = \"need\"\n",
        "\nfour.toml is written; muster run four.toml simulates it\n"})
    expect_told(made.output, words);
  // 2000 s of work of 8 cores in 4 / 3 of 400 s; the times between arrivals are 100, 100 and 200.
  const auto json = in_folder("muster import four.swf --force --format json");
  for (const char* words :
       {"\"all_jobs\": \"log\"", "\"jobs\": 4,", "\"load\": 0.4687", "\"cv_of_these\": 0.3535533905932",
        "\"mean_need\": 2.5", "\"law\": \"deterministic\"", "\"log-likelihood\": null"})
    expect_told(json.output, words);
}

TEST_F(import_test, writes_a_scenario_that_check_and_run_take_as_it_stands) {
  std::string log = "; MaxProcs: 64\n; UnixStartTime: 345600\n";  // a Monday
  for (int n = 0; n < 400; ++n) {
    const std::string cores = std::to_string(1 + n * n % 23);
    log += std::to_string(n) + " " + std::to_string(n * 3600) + " -1 " + std::to_string(600 + 40 * (n * 37 % 101)) +
           " " + cores + " -1 -1 " + cores + " 90000 -1 1 " + std::to_string(n % 5) + " 1 -1 -1 -1 -1 -1\n";
  }
  write("hourly.log", log);
  const auto made = in_folder("muster import hourly.log --class-by all --out model.toml && muster check model.toml");
  EXPECT_EQ(made.status, 0) << made.output;
  const std::string text = content_of(folder_ / "model.toml");
  for (const char* words :
       {"# log hourly.log (swf): 400 jobs of 5 users", "\nname = \"hourly\"\n", "\nperiod = \"7 d\"\n",
        "Monday first, hours of UTC\nrates = [\n  1.000, 1.000,", "on average\nshare = "})
    expect_told(text, words);
  expect_told(made.output, "where jobs of a class have several needs, it has their mean, rounded (");
  const auto run = in_folder("muster run model.toml --set run.jobs=500 --replications 2 --quiet");
  EXPECT_EQ(run.status, 0) << run.output;
}

TEST_F(import_test, takes_rule_servers_and_columns_from_the_command_line) {
  write("table.csv", "when;took;width;who\n0;10;2;ann\n10;30;3;bob\n40;20;4;ann\n");
  const auto made = in_folder(
      "muster import table.csv --columns arrival=when size=took cores=width user=who --class-by user --servers 3x4");
  EXPECT_EQ(made.status, 0) << made.output;
  const std::string text = content_of(folder_ / "table.toml");
  for (const char* words :
       {"count = 3, cores = 4", "name = \"user_ann\"\nneed = 3  # of 2 to 4 in the log, 3 on average\n",
        "name = \"user_bob\"\nneed = 3\n", "\n# capacity: 12 cores, as given\n"})
    expect_told(text, words);
}

// Two jobs overlap from 10 on, with 5 cores, if they start as they arrive.
TEST_F(import_test, says_that_capacity_is_what_jobs_hold_at_once_where_the_log_does_not_tell_it) {
  write("table.csv", "arrival,size,cores\n0,20,2\n10,30,3\n40,20,4\n");
  const auto made = in_folder("muster import table.csv");
  expect_told(made.output,
              "\ncapacity: 5 cores, the most that its jobs hold at once, if those 3 of them start as they arrive ");
  expect_told(content_of(folder_ / "table.toml"), "count = 1, cores = 5");
  // The second job of this log has waited for the first one.
  write("waits.swf",
        "1 0 0 20 2 -1 -1 2 -1 -1 1 7 1 -1 -1 -1 -1 -1\n"
        "2 10 10 30 3 -1 -1 3 -1 -1 1 7 1 -1 -1 -1 -1 -1\n");
  expect_told(in_folder("muster import waits.swf").output,
              "\ncapacity: 3 cores, the most that its jobs held at once, as");
}

TEST_F(import_test, keeps_a_file_that_is_there_unless_it_is_forced) {
  write("four.toml", "mine");
  const auto refused = in_folder("muster import four.swf");
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.output, "four.toml: is there already; choose another file with --out, or overwrite with --force\n");
  EXPECT_EQ(content_of(folder_ / "four.toml"), "mine");
  EXPECT_EQ(in_folder("muster import four.swf --force").status, 0);
  EXPECT_NE(content_of(folder_ / "four.toml"), "mine");
  EXPECT_EQ(in_folder("muster import four.swf --out /dev/null --force").status, 2);
}

TEST_F(import_test, refuses_what_is_no_log_with_the_line_at_fault) {
  write("broken.swf", "; MaxProcs: 8\n1 2 3\n4 5\n");
  write("one.csv", "arrival,size\n5,10\n");
  write("table.csv", "arrival,size\n5,10\n6,10\n");
  const std::pair<const char*, const char*> cases[] = {
      {"nowhere.swf", "nowhere.swf: cannot be opened: No such file or directory\n"},
      {"broken.swf",
       "broken.swf:2: 2 of its 2 lines cannot be read in the format swf (Standard Workload Format): 2 with fewer than "
       "18 "
       "fields (first: line 2)\n"},
      {"one.csv", "one.csv: has one job; expected jobs that arrive at different times, so that there is a rate\n"},
      {"table.csv --columns size=took",
       "table.csv:1: expected a column 'took', the size of the jobs; found arrival, size; columns = { size = \"..\" } "
       "tells which it is\n"},
      {"four.swf --columns size=took",
       "--columns: has no effect with format 'swf', whose columns have their own names; expected format 'csv'\n"}};
  for (const auto& [words, message] : cases) {
    const auto refused = in_folder(std::string("muster import ") + words);
    EXPECT_EQ(refused.status, 2) << words;
    EXPECT_EQ(refused.output, message) << words;
  }
  for (const char* words : {"--servers 16", "--class-by cores", "--columns gpu=x", "--processors both"})
    EXPECT_EQ(in_folder(std::string("muster import four.swf ") + words).status, 2) << words;
}

}  // namespace
}  // namespace muster
