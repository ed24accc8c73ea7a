#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/command_line/command.h"

namespace muster {
namespace {

/// A queue of jobs of mean size 1 before some cores.
class bottlenecks_test : public command_line_test {
 protected:
  void write_queue(const std::string& name, int servers, const std::string& law, const std::string& arrivals) const {
    std::ofstream(folder_ / name) << "name = \"queue\"\n[platform]\nservers = [{ name = \"node\", count = " << servers
                                  << " }]\n[[classes]]\nname = \"web\"\nshare = 1.0\nsize = " << law << "\n[arrivals]\n"
                                  << arrivals << "\n[policy]\nname = \"fcfs\"\n[run]\njobs = 5000\nreplications = 8\n";
  }

  std::string examined(const std::string& words) const {
    const command_result result = shell("muster bottlenecks " + words + " --quiet 2>/dev/null");
    EXPECT_EQ(result.status, 0) << words << '\n' << result.output;
    return result.output;
  }

  /// The rows of a CSV by the component.
  static std::map<std::string, std::map<std::string, std::string>> rows_of(const std::string& csv) {
    const auto fields_of = [](const std::string& line) {
      std::vector<std::string> fields;
      std::istringstream in(line + ",");
      for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
      return fields;
    };
    std::istringstream in(csv);
    std::string line;
    std::getline(in, line);
    const std::vector<std::string> heads = fields_of(line);
    std::map<std::string, std::map<std::string, std::string>> rows;
    while (std::getline(in, line)) {
      std::map<std::string, std::string> row;
      const std::vector<std::string> fields = fields_of(line);
      for (std::size_t f = 0; f < heads.size(); ++f) row[heads[f]] = f < fields.size() ? fields[f] : "";
      rows[row["component"]] = row;
    }
    return rows;
  }
};

const std::string exponential = R"({ distribution = "exponential", mean = 1.0 })";

// The mean response time of M/M/k by Erlang's C formula.
double erlang(double rate, double speed, int k) {
  const double offered = rate / speed;
  double term = 1.0, sum = 0.0;
  for (int i = 0; i < k; ++i, term *= offered / i) sum += term;
  const double waits = term / (1.0 - offered / k);
  return 1.0 / speed + waits / (sum + waits) / (k * speed - rate);
}

// 30 intervals of 95 % from ten seeds, and 10 more of the second queue. At least 24 of the 30, and 7 of the 10, cover
// the exact difference but for 0.5 % of seeds; these are fixed.
TEST_F(bottlenecks_test, intervals_cover_the_differences_of_erlang_and_of_pollaczek_and_khinchine) {
  write_queue("mmk.toml", 3, exponential, "rate = 2.1");
  write_queue("mg1.toml", 1, R"({ distribution = "deterministic", value = 1.0 })", "rate = 0.6");
  const double before = erlang(2.1, 1.0, 3);
  const std::map<std::string, double> exact{{"server", erlang(2.1, 1.0, 4) - before},
                                            {"core", erlang(2.1, 1.0, 6) - before},
                                            {"speed", erlang(2.1, 1.1, 3) - before}};
  const auto fixed_sizes = [](double size) { return size + 0.6 * size * size / (2.0 * (1.0 - 0.6 * size)); };
  const double faster = fixed_sizes(1.0 / 1.1) - fixed_sizes(1.0);
  const auto covers = [](const std::map<std::string, std::string>& row, double truth) {
    return std::stod(row.at("difference_ci_low")) <= truth && truth <= std::stod(row.at("difference_ci_high"));
  };
  int covered = 0, covered_by_speed = 0;
  for (int seed = 1; seed <= 10; ++seed) {
    const std::string words = " --format csv --seed " + std::to_string(seed);
    const auto rows = rows_of(examined(at("mmk.toml") + words));
    ASSERT_EQ(rows.size(), 3u);
    for (const auto& [component, truth] : exact) {
      covered += covers(rows.at(component), truth);
      EXPECT_NEAR(std::stod(rows.at(component).at("exact")), truth, 1e-9);
      EXPECT_EQ(rows.at(component).at("verdict"), "gains");
    }
    const auto of_mg1 = rows_of(examined(at("mg1.toml") + words));
    covered_by_speed += covers(of_mg1.at("speed"), faster);
    EXPECT_NEAR(std::stod(of_mg1.at("speed").at("exact")), faster, 1e-9);
  }
  EXPECT_GE(covered, 24);
  EXPECT_GE(covered_by_speed, 7);
}

// A load is relative to the capacity: if it were held, three more cores would bring twice the jobs.
TEST_F(bottlenecks_test, jobs_arrive_as_before_where_the_load_is_relative_to_the_capacity) {
  write_queue("rate.toml", 3, exponential, "rate = 1.5");
  write_queue("load.toml", 3, exponential, "load = 0.5");
  const std::string by_load = examined(at("load.toml") + " --format csv");
  EXPECT_EQ(by_load, examined(at("rate.toml") + " --format csv"));
  EXPECT_EQ(rows_of(by_load).size(), 3u);
}

TEST_F(bottlenecks_test, the_answer_is_a_sentence_first_and_where_the_time_goes) {
  write_queue("mmk.toml", 3, exponential, "rate = 2.1");
  const std::string output = examined(at("mmk.toml") + " --out " + at("kept"));
  EXPECT_NE(output.find("\n\nOne more core in each `node` gains most: response_time 1."), std::string::npos) << output;
  EXPECT_NE(output.find("\nOf its response time a job spends "), std::string::npos) << output;
  EXPECT_NE(output.find(" % waiting for cores.\n"), std::string::npos) << output;
  EXPECT_EQ(content_of(at("kept/bottlenecks.csv")), examined(at("mmk.toml") + " --format csv"));
  const command_result again = shell("muster bottlenecks " + at("mmk.toml") + " --out " + at("kept"));
  EXPECT_NE(again.output.find("32 replications in " + at("kept") + " are used again\n"), std::string::npos)
      << again.output;
  EXPECT_NE(again.output.find(output), std::string::npos) << again.output;
}

TEST_F(bottlenecks_test, points_of_a_sweep_are_examined_one_by_one_and_workers_change_nothing) {
  const std::string words = scenario() + " --goal 'response_time[heavy]' --format csv -j ";
  const std::string output = examined(words + "1");
  EXPECT_EQ(output, examined(words + "3"));
  for (const char* point : {"\nsmall,0,0.5,msf,server,", "\nsmall,1,0.5,msfq(threshold=2),core,",
                            "\nsmall,2,1,msf,speed,", "\nsmall,3,1,msfq(threshold=2),server,"})
    EXPECT_NE(output.find(point), std::string::npos) << output;
}

TEST_F(bottlenecks_test, an_overloaded_cluster_is_told_what_would_help) {
  write_queue("mmk.toml", 3, exponential, "rate = 3.1");
  const std::string output = examined(at("mmk.toml"));
  EXPECT_NE(output.find("As it is it cannot be measured: unstable: "), std::string::npos) << output;
  EXPECT_NE(output.find("It can with one more server of `node`, or one more core in each `node`, or "),
            std::string::npos)
      << output;
}

// The first point has more work than even one more core or server could do.
TEST_F(bottlenecks_test, a_point_that_cannot_be_measured_does_not_end_the_sweep) {
  write_queue("mmk.toml", 3, exponential, "rate = 2.1");
  const command_result result =
      shell("muster bottlenecks " + at("mmk.toml") + " --set 'sweep.\"arrivals.rate\"=[9.0,2.1]' --format csv --quiet");
  EXPECT_EQ(result.status, 2) << result.output;
  EXPECT_NE(result.output.find("note: point 0, arrivals.rate = 9"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find(" cannot be measured, as it is or with any change: unstable: "), std::string::npos)
      << result.output;
  EXPECT_NE(result.output.find("\nqueue,0,9,server,"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("\nqueue,1,2.1,core,"), std::string::npos) << result.output;
}

// Jobs wait and run, nothing else: each part has the same share whichever of them is the goal.
TEST_F(bottlenecks_test, the_response_time_has_the_same_parts_where_the_goal_is_one_of_them) {
  write_queue("mmk.toml", 3, exponential, "rate = 2.1");
  const auto shares = [&](const std::string& goal) {
    const std::string output = examined(at("mmk.toml") + " --goal " + goal);
    const std::size_t begin = output.find("Of its response time a job spends ");
    return begin == std::string::npos ? "" : output.substr(begin, output.find('\n', begin) - begin);
  };
  const std::string whole = shares("response_time");
  EXPECT_NE(whole.find(" % running, "), std::string::npos) << whole;
  EXPECT_EQ(shares("wait_no_core"), whole);
  EXPECT_EQ(shares("time_running"), whole);
}

// Forty jobs of a log of MaxProcs 2, the last of which needs three cores. One more server has the cores of the first.
TEST_F(bottlenecks_test, a_second_server_of_a_log_has_as_many_cores_and_other_jobs_are_told) {
  std::ofstream log(folder_ / "log.swf");
  log << "; MaxProcs: 2\n";
  for (int j = 1; j <= 40; ++j)
    log << j << ' ' << 10 * j << " -1 15 " << (j == 40 ? 3 : 1 + j % 2) << " -1 -1 " << (j == 40 ? 3 : 1 + j % 2)
        << " 20 -1 1 " << 1 + j % 3 << " 1 -1 1 -1 -1 -1\n";
  log.close();
  std::ofstream(folder_ / "log.toml")
      << "name = \"log\"\n[platform]\nservers = [{ name = \"node\" }]\n[arrivals]\nprocess = \"log\"\n"
         "file = \"log.swf\"\nreplicate = \"resample\"\n[policy]\nname = "
         "\"fcfs\"\n[run]\nreplications = 3\n";
  const command_result result = shell("muster bottlenecks " + at("log.toml") + " --format csv --quiet");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("platform.servers.node.count=2; platform.servers.node.cores=2,"), std::string::npos)
      << result.output;
  EXPECT_NE(result.output.find("note: the cluster gets 39 jobs of its log as it is, and 40 with "), std::string::npos)
      << result.output;
}

// Balanced fairness is what FCFS of pooled jobs has with exponential sizes, and a limit with others.
TEST_F(bottlenecks_test, a_limit_is_not_called_the_exact_difference) {
  const auto exact =
      [&](const std::string& law) {
        std::ofstream(folder_ / "pool.toml")
            << "name = \"pool\"\n[platform]\nservers = [{ name = \"node\", count = 2 }]\n[[classes]]\nname = "
               "\"web\"\nneed = 1\nshare = 1.0\nservers = [\"node\"]\nsize = "
            << law
            << "\n[arrivals]\nrate = 1.0\n[policy]\nname = \"fcfs_pooled\"\n[run]\njobs "
               "= 1000\nreplications = 2\n";
        return rows_of(examined(at("pool.toml") + " --format csv")).at("server").at("exact");
      };
  EXPECT_NEAR(std::stod(exact(exponential)), -0.5, 1e-9);  // 1 / (3 - 1) after 1 / (2 - 1)
  EXPECT_EQ(exact(R"({ distribution = "deterministic", value = 1.0 })"), "");
}

TEST_F(bottlenecks_test, mistakes_exit_with_2_and_say_what_was_expected) {
  const auto expect = [&](const std::string& words, const std::string& message) {
    const command_result result = shell("muster bottlenecks " + scenario() + " " + words);
    EXPECT_EQ(result.status, 2) << result.output;
    EXPECT_EQ(result.output.rfind(message, 0), 0u) << result.output;
  };
  expect("--goal 'response_time[hevay]'", "--goal: unknown class 'hevay'; did you mean 'heavy'?\n");
  expect("--goal respone_time", "--goal: unknown metric 'respone_time'; did you mean 'response_time'?\n");
  expect("--goal phase_share", "--goal: ");
  expect("--replications 1", "run.replications: expected at least 2, to tell changes apart\n");
}

}  // namespace
}  // namespace muster
