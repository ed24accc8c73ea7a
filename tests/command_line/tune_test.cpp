#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/command_line/command.h"

namespace muster {
namespace {

/// Rows of a CSV file without quotes, by the names in its head.
std::vector<std::map<std::string, std::string>> rows_of(const std::string& file) {
  const auto fields = [](const std::string& line) {
    std::vector<std::string> all(1);
    for (const char c : line)
      if (c == ',')
        all.emplace_back();
      else
        all.back() += c;
    return all;
  };
  std::istringstream text(content_of(file));
  std::string line;
  std::getline(text, line);
  const auto head = fields(line);
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(text, line)) {
    const auto values = fields(line);
    rows.emplace_back();
    for (std::size_t i = 0; i < head.size() && i < values.size(); ++i) rows.back()[head[i]] = values[i];
  }
  return rows;
}

class tune_test : public command_line_test {
 protected:
  /// The rows of tune.csv by value.
  std::map<std::string, std::map<std::string, std::string>> tuned(const std::string& words) {
    const auto result = shell("muster tune " + words + " --out " + at("tuned"));
    EXPECT_EQ(result.status, 0) << result.output;
    output_ = result.output;
    std::map<std::string, std::map<std::string, std::string>> by_value;
    for (const auto& row : rows_of(at("tuned/tune.csv"))) by_value[row.at("value")] = row;
    return by_value;
  }

  std::string best() const {
    const std::size_t begin = output_.find("\nbest: ");
    const std::size_t value = output_.find(" = ", begin) + 3;
    return output_.substr(value, output_.find('\n', value) - value);
  }

  std::string output_;
};

TEST_F(tune_test, finds_the_threshold_that_brute_force_finds) {
  const std::string study = MUSTER_SOURCE
      "/scenarios/quickswap_one_or_all.toml --set policy.name=msfq --set arrivals.rate=6.5 --set run.jobs=10000 "
      "--replications 8";
  std::string all;
  for (int threshold = 0; threshold < 32; ++threshold) all += fmt::format("{}{}", threshold ? "," : "", threshold);
  const auto brute =
      shell("muster run " + study + " --quiet --set 'sweep.\"policy.threshold\"=[" + all + "]' --out " + at("brute"));
  ASSERT_EQ(brute.status, 0) << brute.output;
  std::map<std::string, std::string> estimates;
  std::string least;
  for (const auto& row : rows_of(at("brute/results.csv"))) {
    if (row.at("metric") != "weighted_response_time" || row.at("class") != "all") continue;
    const std::string& threshold = row.at("policy.threshold");
    estimates[threshold] = row.at("estimate");
    if (least.empty() || std::stod(estimates[threshold]) < std::stod(estimates[least])) least = threshold;
  }
  ASSERT_EQ(estimates.size(), 32U);

  const auto found = tuned(study + " --quiet --over policy.threshold=0:31 --minimize weighted_response_time");
  ASSERT_EQ(found.count(least), 1U) << least << '\n' << output_;
  EXPECT_TRUE(found.at(least).at("verdict") == "best" || found.at(least).at("verdict") == "not_worse") << output_;
  std::size_t spent = 0;
  for (const auto& [threshold, row] : found) {
    spent += std::stoul(row.at("replications"));
    if (row.at("replications") == "8") {
      EXPECT_EQ(row.at("estimate"), estimates.at(threshold)) << threshold;
    }
  }
  EXPECT_LT(spent, 32U * 8U * 3U / 4U) << output_;
  EXPECT_LE(std::stod(found.at(best()).at("estimate")) / std::stod(estimates.at(least)), 1.01);
}

// Two M/M/1 queues: mean response time 1 / (1 - 0.5) = 2, and 1 / (c - 0.3), the same at c = 0.8. There Jain's index,
// which is 1 for equals, is greatest.
TEST_F(tune_test, finds_the_capacity_that_theory_gives) {
  std::ofstream(folder_ / "two.toml") << R"(name = "two"
platform.servers = [{ name = "one" }, { name = "other" }]
classes = [
  { name = "first", rate = 0.5, size = { distribution = "exponential", mean = 1.0 }, servers = ["one"] },
  { name = "second", rate = 0.3, size = { distribution = "exponential", mean = 1.0 }, servers = ["other"] },
]
policy = "first_fit"
run = { jobs = 40000, replications = 8 }
)";
  const auto found = tuned(at("two.toml") + " --over platform.servers.other.capacity=0.2:2.5 --maximize fairness_jain");
  EXPECT_NEAR(std::stod(best()), 0.8, 0.03) << output_;
  EXPECT_EQ(found.at("0.2").at("verdict"), "excluded");
  EXPECT_NE(output_.find("unstable: the rate 0.8 is not below the limit "), std::string::npos) << output_;
}

// First-Fit on 4 cores gives them to heavy jobs only where all are free at once, more seldom the more light ones there
// are: by throughput alone the best rate would be the one at which heavy jobs are hardly ever served.
TEST_F(tune_test, values_at_which_a_class_starves_are_no_candidates) {
  std::ofstream(folder_ / "starving.toml") << R"(name = "starving"
platform.servers = [{ name = "node", cores = 4 }]
classes = [
  { name = "light", need = 1, rate = 1.0, size = { distribution = "exponential", mean = 1.0 } },
  { name = "heavy", need = 4, rate = 0.05, size = { distribution = "exponential", mean = 0.1 } },
]
policy = "first_fit"
run = { jobs = 3000, replications = 4 }
)";
  const std::string study = at("starving.toml");
  const auto found = tuned(study + " --over classes.light.rate=2.0:3.8 --maximize throughput");
  const auto& highest = found.at("3.8");
  EXPECT_EQ(highest.at("verdict"), "excluded") << output_;
  EXPECT_EQ(found.at("2.0").at("verdict") == "excluded", false) << output_;
  EXPECT_LT(std::stod(best()), 3.7) << output_;
  EXPECT_EQ(found.at(best()).at("verdict"), "best");
  // What a run of the same jobs says of them.
  ASSERT_EQ(shell("muster run " + study + " --quiet --set classes.light.rate=3.8 --out " + at("run")).status, 0);
  std::uint64_t left = 0;
  for (const auto& row : rows_of(at("run/results.csv")))
    if (row.at("class") == "heavy" && row.at("metric") == "throughput") left = std::stoul(row.at("jobs"));
  EXPECT_GT(left, 0u);
  EXPECT_NE(highest.at("reason").find("more than a tenth of class 'heavy' is left behind: "), std::string::npos)
      << highest.at("reason");
  EXPECT_NE(output_.find(fmt::format(" jobs at the end, and {} have left\n", left)), std::string::npos) << output_;
}

// What is best of windows that are too short may not be best of the steady state.
TEST_F(tune_test, says_where_windows_are_too_short_for_the_load) {
  std::ofstream(at("short.toml")) << R"(name = "short"
platform.servers = [{ name = "node", cores = 4 }]
classes = [
  { name = "one", need = 1, share = 0.5, size = { distribution = "exponential", mean = 1.0 } },
  { name = "four", need = 4, share = 0.5, size = { distribution = "exponential", mean = 1.0 } },
]
arrivals.load = 0.8
policy = "first_fit"
run = { jobs = 1000, replications = 4 }
)";
  const auto result =
      shell("muster tune " + at("short.toml") + " --over policy=first_fit,msf --minimize response_time --quiet");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("note: first_fit: the measured window is short"), std::string::npos) << result.output;
}

TEST_F(tune_test, a_parameter_without_effect_is_told_after_the_first_look) {
  const auto found = tuned(scenario() +
                           " --quiet --set arrivals.rate=1 --set policy.name=msf --replications 8 --over "
                           "platform.servers.node.power.active=1.0:5.0 --minimize response_time --class light");
  EXPECT_NE(output_.find("\nplatform.servers.node.power.active has no effect on response_time[light]: 10 values give "
                         "the same numbers to the last digit\n40 of at most 160 replications\n"),
            std::string::npos)
      << output_;
  EXPECT_EQ(output_.find("best:"), std::string::npos) << output_;
  EXPECT_EQ(output_.find("worse"), std::string::npos) << output_;
  EXPECT_EQ(found.size(), 10u);
  for (const auto& [value, row] : found) {
    EXPECT_EQ(row.at("verdict"), "no_effect") << value;
    EXPECT_EQ(row.at("replications"), "4") << value;
  }
}

// Three values beside the best, at 2 looks: after 4 and 8 replications.
TEST_F(tune_test, the_number_of_statements_stands_beside_the_table) {
  tuned(scenario() +
        " --quiet --set arrivals.rate=1 --set policy.name=msfq --replications 8 --over "
        "policy.threshold=0:3 --minimize weighted_response_time");
  EXPECT_NE(
      output_.find("\nby t-tests, paired between values, corrected for 3 statements at 2 looks: with a probability "
                   "of 95 %\nthe best of those tried is not dropped\n\npolicy.threshold  replications  "
                   "weighted_response_time"),
      std::string::npos)
      << output_;
}

TEST_F(tune_test, csv_is_the_file_that_is_left_in_the_directory) {
  const auto result = shell("muster tune " + scenario() +
                            " --quiet --set policy.name=msfq --set run.jobs=500 --over policy.threshold=0:3 --minimize "
                            "response_time --format csv --out " +
                            at("tuned"));
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output, content_of(at("tuned/tune.csv")));
  EXPECT_EQ(
      result.output.rfind("scenario,point,arrivals.rate,key,value,class,metric,replications,estimate,ci_low,ci_high,"
                          "difference,difference_ci_low,difference_ci_high,verdict,reason,constraint,"
                          "policy.threshold\n",
                          0),
      0u)
      << result.output;
}

TEST_F(tune_test, numbers_do_not_depend_on_the_workers) {
  const std::string words =
      scenario() + " --set policy.name=msfq --over arrivals.rate=0.1:1.5 --minimize slowdown --class light";
  shell("muster tune " + words + " -j 1 --out " + at("one") + " && muster tune " + words + " -j 3 --out " +
        at("three"));
  EXPECT_GT(content_of(at("one/tune.csv")).size(), 500U);
  EXPECT_EQ(content_of(at("one/tune.csv")), content_of(at("three/tune.csv")));
}

TEST_F(tune_test, the_same_command_goes_on_after_an_interruption_and_ends_with_the_same_bytes) {
  const std::string words = " tune " + scenario() +
                            " --set policy.name=msfq --over policy.threshold=0:3 --minimize response_time --set "
                            "run.jobs=40000 -j 2 --out ",
                    trials = at("kept/tune_trials.sqlite");
  // Each trial names its point: the search is in the second one.
  const auto first =
      shell(MUSTER_BINARY + words + at("kept") + " & job=$!; for i in $(seq 900); do sleep 0.02; grep -aq 'point 1' " +
            trials + " 2>/dev/null && break; done; kill -INT $job; wait $job");
  EXPECT_EQ(first.status, 130) << first.output;
  EXPECT_NE(first.output.find("interrupted; the values that were finished are in " + at("kept") + "\n"),
            std::string::npos)
      << first.output;
  EXPECT_EQ(content_of(at("kept/tune.csv")).rfind("scenario,point,", 0), 0u);
  const auto second = shell("muster" + words + at("kept")), whole = shell("muster" + words + at("whole"));
  EXPECT_EQ(second.output.find(" replications in " + at("kept") + " are used again\n") == std::string::npos, false)
      << second.output;
  EXPECT_EQ(second.output.substr(second.output.find('\n') + 1), whole.output);
  EXPECT_EQ(content_of(at("kept/tune.csv")), content_of(at("whole/tune.csv")));
}

TEST_F(tune_test, tries_the_steps_of_a_range_alone) {
  const std::string words = scenario() +
                            " --quiet --set policy={} --set policy.name=msfq --set arrivals.rate=1 --set "
                            "sweep={} --set run.jobs=500 ";
  for (const auto& [more, expected] :
       {std::pair{"--over policy.threshold=0:3:2 --minimize response_time", std::set<std::string>{"0", "2"}},
        std::pair{"--over policy.threshold=0:3:2 --over platform.servers.node.capacity=1.0:2.0:0.5 --minimize "
                  "response_time",
                  std::set<std::string>{"0;1.0", "0;1.5", "0;2.0", "2;1.0", "2;1.5", "2;2.0"}}}) {
    std::set<std::string> found;
    for (const auto& [value, row] : tuned(words + more)) found.insert(value);
    EXPECT_EQ(found, expected);
  }
}

const std::string at_rate_1 = " --quiet --set sweep={} --set arrivals.rate=1 --set run.jobs=500 ";

TEST_F(tune_test, names_of_policies_are_searched_as_numbers_are) {
  const auto found =
      tuned(scenario() + at_rate_1 + "--over policy=fcfs,msf,first_fit,nonsense --minimize response_time");
  ASSERT_EQ(found.size(), 4u);
  EXPECT_NE(output_.find("small: policy among fcfs, msf, first_fit, nonsense, to minimize response_time\n"),
            std::string::npos)
      << output_;
  EXPECT_NE(best(), "fcfs");
  EXPECT_EQ(found.at("nonsense").at("verdict"), "excluded");
  EXPECT_NE(output_.find("unknown policy 'nonsense'"), std::string::npos) << output_;
}

TEST_F(tune_test, says_what_was_read_of_a_log) {
  tuned(MUSTER_SOURCE
        "/scenarios/log_replay.toml --quiet --set sweep={} --replications 3 --over policy=fcfs,first_fit "
        "--minimize waiting_time");
  EXPECT_NE(output_.find("\nnote: log office.swf (swf): 362 jobs of "), std::string::npos) << output_;
}

TEST_F(tune_test, policies_are_searched_together_with_numbers) {
  const auto found = tuned(scenario() + at_rate_1 +
                           "--over policy=msf,fcfs --over platform.servers.node.capacity=1.0:2.0:0.5 --minimize "
                           "response_time");
  std::set<std::string> values;
  for (const auto& [value, row] : found) values.insert(value);
  EXPECT_EQ(values, (std::set<std::string>{"msf;1.0", "msf;1.5", "msf;2.0", "fcfs;1.0", "fcfs;1.5", "fcfs;2.0"}));
  EXPECT_NE(output_.find("\nbest: policy = msf\nbest: platform.servers.node.capacity = 2.0\n"), std::string::npos)
      << output_;
}

TEST_F(tune_test, help_has_the_budgets_of_one_key_and_of_several) {
  EXPECT_NE(shell("muster tune --help")
                .output.find("(default: 20 times run.replications, 100 times with several keys, goals or bounds)"),
            std::string::npos);
}

TEST_F(tune_test, every_point_of_a_sweep_is_tuned_by_itself) {
  tuned(scenario() + " --quiet --set policy.name=msfq --over policy.threshold=0:3 --minimize response_time");
  for (const char* words : {"small: policy.threshold from 0 to 3, to minimize response_time\n",
                            "each of the 2 points of the sweep is tuned by itself\n",
                            "\npoint 0, arrivals.rate = 0.5\n", "\npoint 1, arrivals.rate = 1\n"})
    EXPECT_NE(output_.find(words), std::string::npos) << words << '\n' << output_;
  EXPECT_EQ(rows_of(at("tuned/tune.csv")).size(), 8U);
}

// A point may take 20 times its own run.replications.
TEST_F(tune_test, every_point_of_a_sweep_has_its_own_number_of_replications) {
  tuned(scenario() +
        " --quiet --set arrivals.rate=1 --set policy.name=msf --set run.jobs=100 "
        "--set 'sweep.\"run.replications\"=[4,16]' "
        "--over platform.servers.node.power.active=1.0:5.0 --minimize response_time");
  const std::size_t first = output_.find("\npoint 0, run.replications = 4\n"),
                    second = output_.find("\npoint 1, run.replications = 16\n");
  ASSERT_TRUE(first < second && second != std::string::npos) << output_;
  EXPECT_NE(output_.substr(first, second - first).find(" of at most 80 replications\n"), std::string::npos) << output_;
  EXPECT_NE(output_.substr(second).find(" of at most 320 replications\n"), std::string::npos) << output_;
}

TEST_F(tune_test, faults_everywhere_exit_with_3) {
  const auto result =
      shell("muster tune " + scenario() +
            " --plugin " MUSTER_PLUGINS
            "/adversaries.so --set policy.name=starts_twice --over arrivals.rate=0.5:1.0 --minimize slowdown");
  EXPECT_EQ(result.status, 3) << result.output;
  EXPECT_NE(result.output.find("fault: no value from 0.5 to 1.0 can be measured; 0.5: fault in replication 0: "),
            std::string::npos)
      << result.output;
  EXPECT_NE(result.output.find("the policy started job 0 a second time"), std::string::npos) << result.output;
}

TEST_F(tune_test, mistakes_exit_with_2_and_say_what_was_expected) {
  const auto expect = [&](const std::string& words, const std::string& message) {
    const auto result = shell("muster tune " + scenario() + " --set policy.name=msfq " + words);
    EXPECT_EQ(result.status, 2) << result.output;
    EXPECT_EQ(result.output.rfind(message + "\n", 0), 0U) << result.output;
  };
  const std::string least = " --minimize response_time";
  expect("--over policy.treshold=0:3" + least,
         "--over policy.treshold=0:3:1:1: policy.treshold: unknown key; did you mean 'threshold'?");
  expect("--over policy.threshold=0:4" + least,
         "--over policy.threshold=0:4:1:18: policy.threshold: expected an integer from 0 to 3, found 4");
  expect("--over policy.threshold=0.5:3" + least,
         "--over policy.threshold=0.5:3:1:18: policy.threshold: expected an integer, found 0.5");
  expect("--over platform.servers.node.cores=2:8" + least,
         scenario() + ":11:8: classes.heavy.need: need 4 is more than the 2 cores of its compatible servers");
  expect("--over policy.name=0:3" + least,
         "--over policy.name=0:3:1:13: policy.name: expected a string, found an integer");
  expect("--over run.seed=1:9" + least,
         "--over run.seed=1:9:1:1: run.seed: belongs to the run; expected a parameter of the model");
  expect("--over policy.threshold=3:3" + least, "--over: the range is empty: expected LOW below HIGH");
  expect("--over policy.threshold" + least,
         "--over: expected a range of its values, such as --over policy.threshold=0:31 (integers) or --over "
         "policy.threshold=0.1:10.0, or KEY=A,B, such as policy=fcfs,msf");
  expect("--minimize response_time",
         "--over with a range, such as --over policy.threshold=0:31 or --over arrivals.rate=1.0:4.0, is required");
  expect("--over policy.threshold=0:3 --minimize respone_time",
         "--minimize: unknown metric 'respone_time'; did you mean 'response_time'?");
  expect("--over policy.threshold=0:3 --maximize utility",
         "--maximize: utility is not measured in this scenario; it needs slotted jobs");
  expect("--over policy.threshold=0:3 --class lihgt" + least, "--class: unknown class 'lihgt'; did you mean 'light'?");
  expect("--over policy.threshold=0:3 --class light --maximize fairness_jain",
         "--class: fairness_jain is measured of all classes together; expected 'all', found 'light'");
  expect("--over policy.threshold=0:3 --budget 3" + least,
         "--budget: expected at least 6: a first look takes 2 values of 3 replications each");
  expect("--over policy.threshold=0:3 --replications 1" + least,
         "run.replications: expected at least 2, to tell candidates apart");
  expect("--over policy.threshold=0:3 --set 'sweep.\"run.replications\"=[4,1]'" + least,
         "run.replications: expected at least 2, to tell candidates apart");
  expect("--over arrivals.rate=50:90" + least,
         "no value from 50 to 90 can be measured; 50: unstable: the rate 50 is not below the limit 2.5");
}

}  // namespace
}  // namespace muster
