#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <regex>
#include <thread>

#include <nlohmann/json.hpp>

#include "platform/experiment/progress.h"
#include "tests/command_line/trace_reader.h"
#include "tests/experiment/study_folder.h"

namespace muster {
namespace {

using row = std::map<std::string, std::string>;

std::vector<row> rows_of(const std::string& csv, const std::string& metric, const std::string& class_name = "all") {
  std::vector<row> found;
  for (const row& r : read_table(csv))
    if (r.at("metric") == metric && r.at("class") == class_name) found.push_back(r);
  return found;
}

double half_width(const row& r) {
  const double mean = std::stod(r.at("estimate"));
  return (std::stod(r.at("ci_high")) - mean) / mean;
}

// Without control variates, with which ten replications are enough for all of these points.
TEST_F(study_test, precision_is_reached_at_each_point_with_the_replications_that_it_takes) {
  const std::string csv = results(scenario() + " --precision 3% --set run.control_variates=false", "out");
  std::set<std::string> replications;
  for (const row& r : rows_of(csv, "response_time")) {
    EXPECT_LE(half_width(r), 0.03);
    EXPECT_GE(std::stoi(r.at("replications")), 10);
    replications.insert(r.at("replications"));
  }
  EXPECT_GE(replications.size(), 2u);
}

// Then utilisation, to which a policy that loses nothing adds nothing, does not differ by the number of replications.
TEST_F(study_test, precision_gives_policies_of_a_comparison_as_many_replications) {
  const std::string csv = results(scenario() + " --precision 3% --set run.control_variates=false", "out");
  std::map<std::string, std::set<std::string>> replications;
  for (const row& r : rows_of(csv, "response_time")) replications[r.at("arrivals.rate")].insert(r.at("replications"));
  ASSERT_EQ(replications.size(), 2u);
  for (const auto& [rate, counts] : replications) EXPECT_EQ(counts.size(), 1u) << rate;
  const std::vector<row> estimates = rows_of(csv, "response_time");
  for (const row& r : rows_of(content_of(folder_ / "out/differences.csv"), "response_time")) {
    EXPECT_EQ(replications.at(r.at("arrivals.rate")).count(r.at("replications")), 1u);
    const std::size_t first = r.at("arrivals.rate") == "0.5" ? 0 : 2;
    EXPECT_NEAR(std::stod(r.at("difference")),
                std::stod(estimates[first].at("estimate")) - std::stod(estimates[first + 1].at("estimate")), 1e-9);
  }
}

TEST_F(study_test, several_precisions_are_all_reached_with_the_same_bytes_however_it_is_run) {
  const std::string words = scenario() +
                            " --set 'run.precision=[{half_width=0.04},{half_width=\"12%\",metric=\"waiting_time\","
                            "class=\"heavy\"},{half_width=0.02,metric=\"utilization\"}]'";
  const std::string csv = results(words + " -j 1", "one");
  for (const row& r : rows_of(csv, "response_time")) EXPECT_LE(half_width(r), 0.04);
  for (const row& r : rows_of(csv, "waiting_time", "heavy")) EXPECT_LE(half_width(r), 0.12);
  for (const row& r : rows_of(csv, "utilization")) EXPECT_LE(half_width(r), 0.02);
  EXPECT_EQ(results(words + " -j 3", "three"), csv);
  results(scenario() + " --precision 20%", "resumed");
  EXPECT_EQ(results(words, "resumed"), csv);
  EXPECT_EQ(content_of(folder_ / "resumed/differences.csv"), content_of(folder_ / "one/differences.csv"));
  const auto told = nlohmann::json::parse(content_of(folder_ / "one/manifest.json")).at("precision");
  ASSERT_EQ(told.size(), 12u);
  EXPECT_EQ(told.at(1).at("metric"), "waiting_time");
  EXPECT_EQ(told.at(1).at("class"), "heavy");
  EXPECT_EQ(told.at(1).at("wanted"), 0.12);
  EXPECT_EQ(told.at(11).at("point"), 3);
}

TEST_F(study_test, precisions_that_are_missed_are_named_at_the_end) {
  const auto ran = shell("muster run " + scenario() +
                         " --set 'run.precision=[{half_width=0.5},{half_width=1e-5,metric=\"slowdown\"},"
                         "{half_width=1e-6,class=\"light\"}]' --set run.most_replications=11 --out " +
                         at("out"));
  EXPECT_EQ(ran.status, 0) << ran.output;
  EXPECT_NE(ran.output.find("\nthe precision was missed at 4 of 4 points: 0, 1, 2, 3\nResults are in "),
            std::string::npos)
      << ran.output;
  const std::size_t note = ran.output.find("note: point 3, ");
  const std::string line = ran.output.substr(note, ran.output.find('\n', note) - note);
  EXPECT_NE(line.find(": the half-width of the mean slowdown of 'all' is "), std::string::npos) << line;
  EXPECT_NE(line.find(" after 11 replications, which is run.most_replications; 0.001 % was wanted; that of the mean "
                      "response_time of 'light' is "),
            std::string::npos)
      << line;
  EXPECT_EQ(line.find("0.0001 % was wanted"), line.size() - 19) << line;
  const std::string csv = content_of(folder_ / "out/results.csv");
  for (const row& r : rows_of(csv, "slowdown")) EXPECT_EQ(r.at("note"), "heavy; imprecise");
  for (const row& r : rows_of(csv, "response_time", "light")) EXPECT_EQ(r.at("note"), "imprecise");
  for (const row& r : rows_of(csv, "response_time")) EXPECT_EQ(r.at("note"), "");
  for (const row& r : rows_of(content_of(folder_ / "out/differences.csv"), "slowdown"))
    EXPECT_EQ(r.at("note"), "heavy; imprecise");
}

TEST_F(study_test, the_table_of_results_tells_the_replications_of_each_point) {
  const auto ran = shell("muster run " + scenario() + " --replications 4 --out " + at("out"));
  int heads = 0, rows = 0;
  std::istringstream text(ran.output);
  for (std::string line; std::getline(text, line);) {
    heads += line.size() > 12 && line.compare(line.size() - 12, 12, "replications") == 0;
    rows += line.size() > 12 && line.compare(line.size() - 12, 12, "           4") == 0;
  }
  EXPECT_EQ(heads, 1) << ran.output;
  EXPECT_EQ(rows, 4) << ran.output;
}

TEST_F(study_test, precision_may_be_asked_of_failures_where_servers_fail) {
  const std::string csv =
      results(at("mm1.toml") +
                  " --set 'platform.servers=[{name=\"node\",faults={to_failure=20.0,to_repair=1.0}}]' --set "
                  "platform.checkpoint_every=0.0 --set 'run.precision=[{half_width=0.1,metric=\"failures_per_job\"},"
                  "{half_width=0.1,metric=\"down_share\"}]'",
              "out");
  EXPECT_LE(half_width(rows_of(csv, "failures_per_job").at(0)), 0.1);
  EXPECT_LE(half_width(rows_of(csv, "down_share").at(0)), 0.1);
}

TEST_F(study_test, precision_gives_the_same_bytes_for_any_number_of_workers) {
  const std::string words = scenario() + " --precision 4% --set run.warm_up=mser5 -j ";
  const std::string one = results(words + "1", "one");
  EXPECT_EQ(results(words + "2", "two"), one);
  EXPECT_EQ(results(words + "5", "five"), one);
  EXPECT_EQ(content_of(folder_ / "one/differences.csv"), content_of(folder_ / "five/differences.csv"));
}

TEST_F(study_test, precision_may_be_asked_of_a_class_and_a_metric) {
  const std::string words =
      scenario() + " --set 'run.precision={metric=\"waiting_time\",class=\"heavy\",half_width=0.08}'";
  const std::string csv = results(words, "out");
  for (const row& r : rows_of(csv, "waiting_time", "heavy")) EXPECT_LE(half_width(r), 0.08);
  EXPECT_EQ(results(words, "out"), csv) << "from what is stored";
}

TEST_F(study_test, precision_that_is_out_of_reach_ends_with_a_statement) {
  const auto ran = shell(
      "muster run " + at("mm1.toml") +
      " --quiet --precision 0.0001 --set run.most_replications=20 --set run.control_variates=false --out " + at("out"));
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.output.substr(0, ran.output.find(" is ")),
            "note: point 0: the half-width of the mean response_time of 'all'");
  EXPECT_NE(ran.output.find(" % of it after 20 replications, which is run.most_replications; 0.01 % was wanted\n"),
            std::string::npos)
      << ran.output;
  const auto shown =
      shell("muster run " + at("mm1.toml") +
            " --precision 0.0001 --set run.most_replications=20 --set run.control_variates=false --out " + at("out"));
  EXPECT_NE(shown.output.find(" i  "), std::string::npos) << shown.output;
  EXPECT_NE(shown.output.find("\ni  imprecise: its interval is wider than run.precision wants it\n"), std::string::npos)
      << shown.output;
  EXPECT_NE(shown.output.find("\nthe precision was missed at 1 of 1 points: 0\n"), std::string::npos);
  const auto told = nlohmann::json::parse(content_of(folder_ / "out/manifest.json")).at("precision").at(0);
  EXPECT_EQ(told.at("reached"), false);
  EXPECT_EQ(told.at("replications"), 20);
  EXPECT_NEAR(told.at("half_width"), half_width(rows_of(content_of(folder_ / "out/results.csv"), "response_time")[0]),
              1e-12);
}

TEST_F(study_test, precision_is_not_sought_at_an_unstable_point) {
  const auto ran =
      shell("muster run " + at("mm1.toml") + " --quiet --precision 1% --set arrivals.rate=1.5 --out " + at("out"));
  EXPECT_EQ(ran.status, 0);
  EXPECT_NE(ran.output.find("note: point 0: is unstable, so that no precision can be reached; its 10 replications "
                            "stand as they are\n"),
            std::string::npos)
      << ran.output;
}

TEST_F(study_test, warm_up_found_by_mser5_is_reported) {
  const auto found = rows_of(results(at("mm1.toml") + " --set run.warm_up=mser5", "out"), "warm_up_jobs");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(std::stoi(found[0].at("estimate")) % 5, 0);
  EXPECT_LE(std::stoi(found[0].at("estimate")), 1000);
  const auto all = rows_of(content_of(folder_ / "out/results.csv"), "response_time");
  EXPECT_EQ(std::stoi(all[0].at("jobs")), 10 * (2000 - std::stoi(found[0].at("estimate"))));
}

TEST_F(study_test, batch_means_give_one_replication_intervals_of_response_and_waiting_times) {
  const std::string csv = results(scenario() + " --set run.replications=1 --set run.intervals=batch_means", "out");
  for (const char* name : {"all", "light", "heavy"})
    for (const char* metric : {"response_time", "waiting_time"})
      for (const row& r : rows_of(csv, metric, name)) {
        EXPECT_EQ(r.at("replications"), "1");
        EXPECT_GT(half_width(r), 0.0);
        EXPECT_LT(half_width(r), 1.0);
      }
  EXPECT_EQ(rows_of(csv, "utilization")[0].at("ci_low"), "");
}

TEST_F(study_test, precision_by_batch_means_is_reached_within_one_replication) {
  const std::string words = scenario() + " --precision 4% --set run.replications=1 --set run.intervals=batch_means";
  const std::string csv = results(words, "out");
  std::set<int> lengths;
  for (const row& r : rows_of(csv, "response_time")) {
    EXPECT_EQ(r.at("replications"), "1");
    EXPECT_GT(half_width(r), 0.0);
    EXPECT_LE(half_width(r), 0.04);
    lengths.insert(std::stoi(r.at("jobs")));
  }
  EXPECT_GE(lengths.size(), 2u);
  EXPECT_GT(*lengths.rbegin(), 4000);
  EXPECT_EQ(results(words, "out"), csv) << "from what is stored";
  EXPECT_EQ(results(words + " -j 2", "two"), csv);
}

TEST_F(study_test, precision_by_batch_means_that_is_out_of_reach_ends_with_a_statement) {
  const std::string words = at("mm1.toml") + " --quiet --set run.intervals=batch_means --out " + at("out");
  const auto ran = shell("muster run " + words + " --precision 0.0001 --set run.most_replications=20");
  EXPECT_NE(ran.output.find(" % of it after 40000 jobs, which is run.jobs times run.most_replications; 0.01 % was "
                            "wanted\n"),
            std::string::npos)
      << ran.output;
  EXPECT_EQ(rows_of(content_of(folder_ / "out/results.csv"), "response_time")[0].at("jobs"), "39800");
  const auto unstable = shell("muster run " + words + " --force --precision 1% --set arrivals.rate=1.5");
  EXPECT_NE(unstable.output.find("note: point 0: is unstable, so that no precision can be reached; its 2000 jobs stand "
                                 "as they are\n"),
            std::string::npos)
      << unstable.output;
  EXPECT_EQ(rows_of(content_of(folder_ / "out/results.csv"), "response_time")[0].at("jobs"), "1800");
}

TEST_F(study_test, differences_between_policies_are_those_of_the_same_jobs) {
  const std::string csv = results(scenario(), "out");
  const auto table = read_table(content_of(folder_ / "out/differences.csv"));
  const std::vector<row> apart = rows_of(csv, "response_time");  // msf, msfq at rate 0.5, then at 1.0
  int seen = 0;
  for (const row& r : table) {
    if (r.at("metric") != "response_time" || r.at("class") != "all") continue;
    const std::size_t first = r.at("arrivals.rate") == "0.5" ? 0 : 2;
    EXPECT_EQ(r.at("policy_a"), "msf");
    EXPECT_EQ(r.at("policy_b"), "msfq(threshold=2)");
    EXPECT_EQ(r.at("unit"), "s");
    EXPECT_EQ(r.at("replications"), "3");
    EXPECT_NEAR(std::stod(r.at("difference")),
                std::stod(apart[first].at("estimate")) - std::stod(apart[first + 1].at("estimate")), 1e-9);
    ++seen;
  }
  EXPECT_EQ(seen, 2);
  const auto shown = shell("muster run " + scenario() + " --out " + at("shown")).output;
  EXPECT_NE(shown.find("\nweighted_response_time, s\narrivals.rate  best"), std::string::npos) << shown;
}

TEST_F(study_test, differences_are_narrower_than_those_of_independent_runs) {
  const std::string csv =
      results(scenario() + " --replications 20 --set arrivals.rate=1.0 --set run.control_variates=false", "out");
  const auto apart = rows_of(csv, "response_time");
  const auto paired = rows_of(content_of(folder_ / "out/differences.csv"), "response_time");
  ASSERT_EQ(paired.size(), 1u);
  const auto half = [](const row& r) { return (std::stod(r.at("ci_high")) - std::stod(r.at("ci_low"))) / 2.0; };
  EXPECT_LT(half(paired[0]), 0.7 * std::hypot(half(apart[0]), half(apart[1])));
}

TEST(progress, line_tells_points_speed_half_width_and_time_left) {
  EXPECT_EQ(progress_line({24, 7, 20'000'000, 80'000'000.0, 0.0184, 0.01}, 10.0),
            "7 of 24 points, 2.00 million jobs per second, half-width 1.8 % of 1 %, about 40 s left");
  EXPECT_EQ(progress_line({24, 0, 0, 80'000'000.0, {}, {}}, 1.0), "0 of 24 points, 0.00 million jobs per second");
}

TEST(progress, durations_are_told_in_the_unit_that_fits) {
  EXPECT_EQ(duration_text(0.4), "0 s");
  EXPECT_EQ(duration_text(299.4), "299 s");
  EXPECT_EQ(duration_text(300.0), "5 min");
  EXPECT_EQ(duration_text(7100.0), "118 min");
  EXPECT_EQ(duration_text(7200.0), "2.0 h");
  EXPECT_EQ(duration_text(400'000.0), "4.6 days");
}

TEST(progress, begins_with_the_size_of_the_run) {
  EXPECT_EQ(to_text(run_size{10'000, 100'000, false, 2}), "10000 points, 100000 replications to run, 2 at a time");
  EXPECT_EQ(to_text(run_size{1, 10, true, 1}), "1 point, at least 10 replications to run, 1 at a time");
}

// What is printed on standard error after a first measure: that many jobs within next to no time, and as many left.
std::string estimate_printed(bool quiet, double jobs_left) {
  testing::internal::CaptureStderr();
  progress_display shown(quiet);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  shown.estimate({10, 0, 1, jobs_left, {}, {}}, 2);
  return testing::internal::GetCapturedStderr();
}

TEST(progress, first_measure_tells_how_long_the_run_takes_unless_it_is_short_or_quiet) {
  const std::string told = estimate_printed(false, 1e12);
  EXPECT_EQ(told.rfind("about ", 0), 0u) << told;
  EXPECT_NE(told.find(" days left, judging by the first 2 of them; Ctrl-C keeps what is finished\n"), std::string::npos)
      << told;
  EXPECT_EQ(estimate_printed(false, 0.0), "");
  EXPECT_EQ(estimate_printed(true, 1e12), "");
}

// Both streams of a run on a terminal, as one.
std::string on_a_terminal(const std::vector<std::string>& words) {
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    std::vector<char*> argv;
    for (const std::string& w : words) argv.push_back(const_cast<char*>(w.c_str()));
    argv.push_back(nullptr);
    execv(MUSTER_BINARY, argv.data());
    _exit(1);
  }
  std::string seen;
  char buffer[4096];
  for (ssize_t n; (n = read(terminal, buffer, sizeof buffer)) > 0;) seen.append(buffer, static_cast<std::size_t>(n));
  int status = 0;
  waitpid(child, &status, 0);
  close(terminal);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  return seen;
}

TEST_F(study_test, progress_is_drawn_on_a_terminal_wiped_at_the_end_and_silent_when_quiet) {
  const auto words = [&](int jobs) -> std::vector<std::string> {
    return {"muster", "run", at("mm1.toml"), "--set",   "run.jobs=" + std::to_string(jobs),
            "-j",     "1",   "--out",        at("out"), "--force"};
  };
  // Progress is drawn every half second: a machine that does these jobs in less gets more of them.
  int jobs = 400'000;
  std::string seen = on_a_terminal(words(jobs));
  for (; seen.find(" points, ") == std::string::npos && jobs < 100'000'000; seen = on_a_terminal(words(jobs)))
    jobs *= 4;
  const std::size_t last = seen.rfind(" points, ");
  ASSERT_NE(last, std::string::npos) << seen;
  EXPECT_EQ(seen.compare(seen.find("\r\033[K", last), 7, "\r\033[Kmm1"), 0) << seen;
  std::vector<std::string> quiet = words(jobs);
  quiet.emplace_back("--quiet");
  EXPECT_EQ(on_a_terminal(quiet), "");
}

TEST_F(study_test, progress_never_reaches_standard_output_nor_within_a_minute_a_pipe_but_for_the_size_of_the_run) {
  const auto ran = shell("muster run " + at("mm1.toml") + " --set run.jobs=200000 -j 2 --out " + at("out") +
                         " 2>&1 >/dev/null | cat");
  // Where these jobs take longer than seconds, how long is told once.
  EXPECT_TRUE(std::regex_match(
      ran.output,
      std::regex("1 point, 10 replications to run, 2 at a time\n"
                 "(about [0-9]+ s left, judging by the first 2 of them; Ctrl-C keeps what is finished\n)?")))
      << ran.output;
}

}  // namespace
}  // namespace muster
