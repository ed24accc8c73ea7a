#include <algorithm>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/command_line/command.h"

// `muster tune` over several keys, for several objectives and under constraints, held against M/M/k queues.

namespace muster {
namespace {

constexpr double arrivals = 8.0;  // of jobs of mean size 1

/// Mean response time of M/M/k by the formula of Erlang C, from Erlang B by its recursion.
double response_of(int k, double capacity = 1.0) {
  const double load = arrivals / capacity;
  double blocked = 1.0;
  for (int n = 1; n <= k; ++n) blocked = load * blocked / (n + load * blocked);
  const double waits = blocked / (1.0 - load / k * (1.0 - blocked));
  return waits / (k * capacity - arrivals) + 1.0 / capacity;
}

class sizing_test : public command_line_test {
 protected:
  void SetUp() override {
    command_line_test::SetUp();
    std::ofstream(folder_ / "queue.toml") << R"(name = "queue"
platform.servers = [{ name = "node", cores = 16 }]
classes = [
  { name = "web", rate = 6.0, size = { distribution = "exponential", mean = 1.0 } },
  { name = "batch", rate = 2.0, size = { distribution = "exponential", mean = 1.0 } },
]
policy = "fcfs"
run = { jobs = 20000, replications = 10 }
[price]
servers.node = 3.0
core = 1.0
)";
  }

  std::string tuned(const std::string& words) {
    const auto result = shell("muster tune " + at("queue.toml") + " --quiet " + words);
    EXPECT_EQ(result.status, 0) << result.output;
    return result.output;
  }

  /// The values of the two keys in the lines of the front.
  static std::set<std::pair<int, double>> front_in(const std::string& output) {
    std::set<std::pair<int, double>> front;
    const std::string begin = "\nfront: ";
    for (std::size_t at = output.find(begin); at != std::string::npos; at = output.find(begin, at + 1)) {
      const std::size_t first = output.find(" = ", at) + 3, second = output.find(" = ", first) + 3;
      front.emplace(std::stoi(output.substr(first)), std::stod(output.substr(second)));
    }
    return front;
  }
};

const std::string over_cores = " --over platform.servers.node.cores=1:40 ";

TEST_F(sizing_test, finds_the_least_number_of_cores_that_meets_a_response_time) {
  for (const int k : {10, 11, 12}) {
    const double bound = (response_of(k) + response_of(k - 1)) / 2.0;
    const std::string output =
        tuned(over_cores + fmt::format("--minimize cost --where 'response_time <= {:.6f}' --replications 20", bound));
    EXPECT_NE(output.find(fmt::format("\nbest: platform.servers.node.cores = {}\ncost {}, ", k, k + 3)),
              std::string::npos)
        << k << '\n'
        << output;
  }
}

TEST_F(sizing_test, a_bound_of_another_class_and_from_below_is_met_too) {
  const std::string output = tuned(over_cores +
                                   "--minimize cost --where 'utilization[web] >= 0.2' --where "
                                   "'response_time[batch] <= 1.15'");
  EXPECT_NE(output.find("queue: platform.servers.node.cores from 1 to 40, to minimize cost, where utilization[web] >= "
                        "0.2 and response_time[batch] <= 1.15\n"),
            std::string::npos)
      << output;
  EXPECT_NE(output.find("\nbest: platform.servers.node.cores = 11\n"), std::string::npos) << output;
}

// Servers cost 3, cores 1: of the combinations of the two keys none is cheaper and faster than those of the front.
TEST_F(sizing_test, finds_the_front_of_cost_and_response_time_over_two_keys) {
  const std::string output = tuned(
      "--over platform.servers.node.count=1:4 --over platform.servers.node.cores=2:12 --minimize cost "
      "--minimize response_time --budget 3000 --out " +
      at("front"));
  const auto cost_of = [](int count, int each) { return 3.0 * count + count * each; };
  std::set<std::pair<int, double>> exact;
  for (int count = 1; count <= 4; ++count)
    for (int each = 2; each <= 12; ++each) {
      const int k = count * each;
      if (k <= arrivals || response_of(k) < 1.005) continue;
      bool excelled = false;
      for (int other = 1; other <= 4; ++other)
        for (int wide = 2; wide <= 12; ++wide)
          if (other * wide > arrivals && other * wide != k && cost_of(other, wide) <= cost_of(count, each) &&
              response_of(other * wide) < response_of(k))
            excelled = true;
          else if (other * wide == k && cost_of(other, wide) < cost_of(count, each))
            excelled = true;
      if (!excelled) exact.emplace(count, each);
    }
  std::set<std::pair<int, double>> found;
  for (const auto& [count, each] : front_in(output))
    if (response_of(count * static_cast<int>(each)) >= 1.005) found.emplace(count, each);
  EXPECT_GE(exact.size(), 4u);
  EXPECT_EQ(found, exact) << output;
  EXPECT_NE(content_of(at("front/tune.csv")).find(",front,"), std::string::npos);
  EXPECT_NE(content_of(at("front/key_effects.csv")).find(",platform.servers.node.cores,all,cost,0."),
            std::string::npos);
}

// Capacity costs nothing here, so that the front has the greatest with each number of cores.
TEST_F(sizing_test, finds_the_front_over_integers_and_real_numbers) {
  const std::string output = tuned(
      "--over platform.servers.node.cores=9:14 --over platform.servers.node.capacity=0.95:1.15 --minimize cost "
      "--minimize response_time --set run.jobs=4000 --budget 1500");
  std::set<std::pair<int, double>> found = front_in(output), exact;
  for (int k = 9; k <= 14; ++k) exact.emplace(k, 1.15);
  EXPECT_EQ(found, exact) << output;
}

TEST_F(sizing_test, several_objectives_and_bounds_do_with_one_key_and_columns_are_added_at_the_end) {
  const std::string output = tuned(over_cores +
                                   "--minimize 'response_time[web]' --maximize utilization --where "
                                   "'cost <= 15' --out " +
                                   at("tuned"));
  EXPECT_EQ(output.find("\nbest: "), std::string::npos) << output;
  EXPECT_NE(output.find("\nfront: platform.servers.node.cores = 12: response_time[web] "), std::string::npos) << output;
  const std::string table = content_of(at("tuned/tune.csv"));
  EXPECT_EQ(table.substr(0, table.find('\n')),
            "scenario,point,key,value,class,metric,replications,estimate,ci_low,ci_high,difference,difference_ci_low,"
            "difference_ci_high,verdict,reason,constraint,platform.servers.node.cores");
  EXPECT_NE(table.find(",violating,,violated,15\n"), std::string::npos) << table;
  EXPECT_NE(table.find("queue,0,platform.servers.node.cores,12,all,cost,"), std::string::npos) << table;
}

TEST_F(sizing_test, nothing_is_recommended_that_is_not_known_to_meet_the_bounds) {
  const std::string output = tuned(over_cores + "--minimize cost --where 'response_time <= 0.5'");
  EXPECT_NE(output.find("\nbest: none: no value is known to meet all constraints\n"), std::string::npos) << output;
}

TEST_F(sizing_test, a_class_in_brackets_is_the_same_as_the_option) {
  const std::string words = "--over platform.servers.node.cores=9:14 --minimize ";
  EXPECT_EQ(tuned(words + "response_time --class web"), tuned(words + "'response_time[web]'"));
}

// By Erlang's formula the response time at rate 4 is 1.142 with 6 cores and 1.045 with 7, at rate 8 it is 1.205 with 10
// cores and 1.082 with 11.
TEST_F(sizing_test, the_best_at_each_point_of_a_sweep_stands_side_by_side_with_the_place_where_it_changes) {
  const std::string words = over_cores + "--minimize cost --where 'response_time <= 1.12' --set ";
  const std::string output = tuned(words + "'sweep.\"arrivals.factor\"=[0.5, 1.0]'");
  EXPECT_NE(output.find("\nthe best at each point\n"), std::string::npos) << output;
  EXPECT_NE(output.find("  undecided\n", output.find("\nthe best at each point\n")), std::string::npos) << output;
  EXPECT_NE(
      output.find("\nthe best changes between arrivals.factor = 0.5 and 1: platform.servers.node.cores 7 -> 11\n"),
      std::string::npos)
      << output;
  EXPECT_NE(tuned(words + "'sweep.\"run.seed\"=[1, 2]'").find("\nthe best is the same at all points\n"),
            std::string::npos);
  EXPECT_EQ(tuned(words + "run.seed=1").find("the best at each point"), std::string::npos);
}

TEST_F(sizing_test, numbers_do_not_depend_on_the_workers) {
  const std::string words = over_cores + "--minimize cost --where 'response_time_p99[web] <= 5' --out ";
  tuned(words + at("one") + " -j 1");
  tuned(words + at("three") + " -j 3");
  EXPECT_GT(content_of(at("one/tune.csv")).size(), 500u);
  EXPECT_EQ(content_of(at("one/tune.csv")), content_of(at("three/tune.csv")));
}

TEST_F(sizing_test, the_same_question_goes_on_from_what_is_in_the_directory) {
  const std::string words =
      "muster tune " + at("queue.toml") + over_cores + "--minimize cost --where 'response_time <= ";
  const std::string into = "' --out " + at("kept");
  const auto first = shell(words + "1.1" + into), second = shell(words + "1.1" + into),
             other_bound = shell(words + "1.3" + into),
             other_jobs = shell(words + "1.1" + into + " --set run.jobs=9000");
  EXPECT_EQ(first.output.find(" are used again"), std::string::npos) << first.output;
  EXPECT_EQ(second.output.find(" replications in " + at("kept") + " are used again\n") == std::string::npos, false)
      << second.output;
  EXPECT_EQ(second.output.substr(second.output.find('\n') + 1), first.output);
  EXPECT_NE(other_bound.output.find(" are used again\n"), std::string::npos) << other_bound.output;
  EXPECT_EQ(other_jobs.output.find(" are used again"), std::string::npos) << other_jobs.output;
}

TEST_F(sizing_test, what_an_interrupted_search_has_found_is_kept) {
  const std::string words = " tune " + at("queue.toml") + over_cores +
                            "--minimize cost --where 'response_time <= 1.1' --set run.jobs=200000 --out " + at("kept"),
                    trials = at("kept/tune_trials.sqlite");
  // Each trial names its point.
  const auto first =
      shell(MUSTER_BINARY + words + " & job=$!; for i in $(seq 600); do sleep 0.02; [ \"$(grep -ao 'point 0' " +
            trials + " 2>/dev/null | wc -l)\" -gt 6 ] && break; done; kill -INT $job; wait $job");
  EXPECT_EQ(first.status, 130) << first.output;
  EXPECT_NE(first.output.find("interrupted; the values that were finished are in " + at("kept") + "\n"),
            std::string::npos)
      << first.output;
  EXPECT_EQ(content_of(at("kept/tune.csv")).rfind("scenario,point,key,value,", 0), 0u);
  const auto second = shell("muster" + words + " --budget 60");
  EXPECT_NE(second.output.find(" are used again\n"), std::string::npos) << second.output;
}

TEST_F(sizing_test, a_store_of_trials_that_is_no_database_is_refused_and_left_as_it_is) {
  std::filesystem::create_directories(folder_ / "kept");
  std::ofstream(folder_ / "kept/tune_trials.sqlite")
      << "notes of my own, which are longer than the head of a database, "
         "so that nothing takes them for an empty one\n";
  const std::string before = content_of(folder_ / "kept/tune_trials.sqlite");
  const auto result = shell("muster tune " + at("queue.toml") + over_cores +
                            "--minimize cost --where 'response_time <= 2' --out " + at("kept"));
  EXPECT_EQ(result.status, 2) << result.output;
  EXPECT_EQ(result.output, at("kept/tune_trials.sqlite") +
                               ": is corrupt or not a database of trials: file is not a database; remove it, and the "
                               "search begins anew, or choose another directory with --out\n");
  EXPECT_EQ(content_of(folder_ / "kept/tune_trials.sqlite"), before);
}

TEST_F(sizing_test, combinations_that_the_scenario_does_not_take_are_left_out_with_the_reason) {
  tuned(
      "--set classes.batch.need=4 --over platform.servers.node.cores=2:16 --over platform.servers.node.count=1:3 "
      "--minimize cost --where 'response_time <= 9' --out " +
      at("left_out"));
  const std::string table = content_of(at("left_out/tune.csv"));
  EXPECT_NE(table.find(",excluded,"), std::string::npos) << table;
}

TEST_F(sizing_test, an_entry_of_servers_may_have_none_and_what_is_excluded_is_told) {
  const std::string two =
      " --set 'platform.servers=[{ name = \"node\" }, { name = \"wide\", cores = 4 }]' --set price.servers.wide=2.0 ";
  const std::string output =
      tuned(two +
            "--over platform.servers.node.count=0:3 --over platform.servers.wide.count=0:4 --minimize cost "
            "--where 'response_time <= 1.5'");
  // A node of one core costs 4, a wide server of four 6: 12 cores for 18. The 9 cores for 16 are too slow, 10 cost 20.
  EXPECT_NE(output.find("\nbest: platform.servers.node.count = 0\nbest: platform.servers.wide.count = 3\ncost 18, "),
            std::string::npos)
      << output;
  EXPECT_NE(output.find("excluded: platform.servers.node.count = 0, platform.servers.wide.count = 0: every entry has "
                        "count 0; expected at least 1 server in all\n"),
            std::string::npos)
      << output;
  EXPECT_NE(output.find("excluded, 8 such as: platform.servers.node.count = "), std::string::npos) << output;
  EXPECT_NE(output.find(": unstable: the rate 8 is not below the limit "), std::string::npos) << output;
}

TEST_F(sizing_test, a_scenario_of_one_entry_leaves_out_that_it_has_no_servers) {
  const std::string words = " --set platform.servers.node.cores=8 --over platform.servers.node.count=0:2 ";
  const std::string output = tuned(words + "--minimize cost");
  EXPECT_NE(output.find(" every entry has count 0; expected at least 1 server in all\n"), std::string::npos) << output;
  EXPECT_NE(output.find("\nbest: platform.servers.node.count = 2\n"), std::string::npos) << output;
  const auto none =
      shell("muster tune " + at("queue.toml") + " --set platform.servers.node.cores=2 --quiet --minimize cost " +
            "--over platform.servers.node.count=0:2");
  EXPECT_EQ(none.status, 2) << none.output;
  EXPECT_EQ(
      none.output.rfind("no value from 0 to 2 can be measured; 2 such as 1: unstable: the rate 8 is not below the "
                        "limit 2; 0: every entry has count 0; expected at least 1 server in all\n",
                        0),
      0u)
      << none.output;
}

TEST_F(sizing_test, a_best_whose_window_is_too_short_is_marked) {
  const std::string words = over_cores + "--minimize cost --where 'response_time <= 9' --set run.jobs=";
  const std::string short_one = tuned(words + "400"), long_one = tuned(words + "20000");
  EXPECT_NE(short_one.find("\nshort: the measured window is short: "), std::string::npos) << short_one;
  EXPECT_NE(short_one.find(" best, short\n"), std::string::npos) << short_one;
  EXPECT_EQ(long_one.find("\nshort: "), std::string::npos) << long_one;
}

TEST_F(sizing_test, servers_of_count_0_leave_the_bytes_of_the_results_as_they_are_without_the_entry) {
  const std::string run = "muster run " + at("queue.toml") + " --quiet --set run.jobs=2000 --set run.replications=2 ";
  ASSERT_EQ(shell(run + "--out " + at("alone")).status, 0);
  const auto result = shell(run +
                            "--set 'platform.servers=[{ name = \"spare\", count = 0, cores = 64 }, { name = "
                            "\"node\", cores = 16 }]' --out " +
                            at("beside"));
  ASSERT_EQ(result.status, 0) << result.output;
  EXPECT_EQ(content_of(at("alone/results.csv")), content_of(at("beside/results.csv")));
}

TEST_F(sizing_test, mistakes_exit_with_2_and_say_what_was_expected) {
  const auto expect = [&](const std::string& words, const std::string& message) {
    const auto result = shell("muster tune " + at("queue.toml") + over_cores + words);
    EXPECT_EQ(result.status, 2) << result.output;
    EXPECT_EQ(result.output.rfind(message + "\n", 0), 0u) << result.output;
  };
  const std::string least = "--minimize cost ";
  expect("--minimize 'response_time[wbe]'", "--minimize: unknown class 'wbe'; did you mean 'web'?");
  expect("--minimize 'respone_time[web]'", "--minimize: unknown metric 'respone_time'; did you mean 'response_time'?");
  expect("--minimize 'response_time[web'",
         "--minimize: expected METRIC or METRIC[CLASS], such as response_time or response_time[all], found "
         "'response_time[web'");
  expect("--maximize 'cost[web]'", "--maximize: cost is measured of all classes together; expected 'all', found 'web'");
  expect(least + "--minimize cost", "--minimize: cost is given twice");
  expect(least + "--where 'response_time < 1'",
         "--where: expected METRIC[CLASS] <= NUMBER or METRIC[CLASS] >= NUMBER, such as 'response_time <= 0.01' or "
         "'response_time <= 10 ms', found "
         "'response_time < 1'");
  expect(least + "--where 'response_time = 1'",
         "--where: expected METRIC[CLASS] <= NUMBER or METRIC[CLASS] >= NUMBER, such as 'response_time <= 0.01' or "
         "'response_time <= 10 ms', found "
         "'response_time = 1'");
  expect(least + "--where 'response_time <= 3 secs'",
         "--where: unknown unit 'secs' of time; expected one of: ns, us, ms, s, min, h, d");
  expect(least + "--where 'response_time <= fast'", "--where: expected a number behind <=, found 'fast'");
  expect(least + "--where 'response_tme[web] <= 1'",
         "--where: unknown metric 'response_tme'; did you mean 'response_time'?");
  expect(least + "--where 'response_time[wbe] <= 1'", "--where: unknown class 'wbe'; did you mean 'web'?");
  expect(least + "--where 'energy_per_job <= 1'",
         "--where: energy_per_job is not measured in this scenario; it needs servers, or resources of the "
         "cluster, with power");
  expect(least + over_cores, "--over: platform.servers.node.cores is given twice");
  expect(least + "--over platform.servers.node.cuont=1:3",
         "--over platform.servers.node.cuont=1:3:1:1: platform.servers.node.cuont: unknown key; did you mean 'count'?");
  expect(least + "--where 'response_time <= 2' --budget 9",
         "--budget: expected at least 10: a first look takes 2 values of 5 replications each");
}

}  // namespace
}  // namespace muster
