#include <sstream>

#include <gtest/gtest.h>

#include "tests/command_line/command.h"

namespace muster {
namespace {

class crossover_test : public command_line_test {
 protected:
  command_result crossover(const std::string& words) {
    const auto result = shell("muster crossover " + scenario() + " --set arrivals.rate=1.0 " + words);
    EXPECT_EQ(result.status, 0) << result.output;
    return result;
  }

  static std::string last_line(const std::string& output) {
    return output.substr(output.rfind('\n', output.size() - 2) + 1);
  }

  static std::size_t lines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
};

const std::string few = " --between msf '{ name = \"msfq\", threshold = 1 }' --metric weighted_response_time";

struct line_of_crossing {
  double value = 0.0, low = 0.0, high = 0.0;
};

// `crossover: KEY = VALUE (LOW .. HIGH)`, in plain decimals.
line_of_crossing parsed(const std::string& line, const std::string& key) {
  line_of_crossing found;
  const std::string begin = "crossover: " + key + " = ";
  EXPECT_EQ(line.rfind(begin, 0), 0u) << line;
  const std::string numbers = line.substr(std::min(begin.size(), line.size()));
  EXPECT_EQ(numbers.find_first_not_of("0123456789. ()\n"), std::string::npos) << line;
  EXPECT_EQ(std::sscanf(numbers.c_str(), "%lf (%lf .. %lf)\n", &found.value, &found.low, &found.high), 3) << line;
  return found;
}

// M/M/1 at 0.5 has a mean response time of 1 / (c - 0.5) at a capacity c; the other queue one of 1 / (1 - 0.3): equal
// at c = 1.2. First-Fit and MSF serve both queues alike, so that the two "policies" are made by a plugin-free trick:
// Jain's index is no difference of policies. Here the integer key decides: MSFQ of threshold 0 is MSF.
TEST_F(crossover_test, policies_that_act_alike_are_told_to_have_the_same_numbers) {
  const auto result = crossover(
      "--quiet --between msf '{ name = \"msfq\", threshold = 0, drain = \"always\" }' --metric response_time "
      "--over classes.light.size.mean=0.5:1.5");
  EXPECT_EQ(last_line(result.output).rfind("crossover: none: both find the same numbers at all 10 values", 0), 0u)
      << result.output;
}

// Exact: tests/simulation has the same chains, which meet at 2.017.
TEST_F(crossover_test, last_line_and_files_have_the_crossing) {
  std::ofstream(folder_ / "chain.toml") << content_of(scenario()).substr(0, content_of(scenario()).find("[sweep]"));
  const auto result =
      shell("muster crossover " + at("chain.toml") +
            " --set classes.light.share=0.9 --set classes.heavy.share=0.1 --set run.jobs=5000 --replications 8 "
            "--over arrivals.rate=1.5:2.4 --precision 15% --budget 3000 "
            "--between msf '{ name = \"msfq\", threshold = 1, drain = \"always\" }' --metric weighted_response_time "
            "--out " +
            at("out"));
  ASSERT_EQ(result.status, 0) << result.output;
  const line_of_crossing found = parsed(last_line(result.output), "arrivals.rate");
  EXPECT_NEAR(found.value, 2.017, 0.15) << result.output;
  EXPECT_LT(found.low, found.value);
  EXPECT_LT(found.value, found.high);
  EXPECT_LE(found.high - found.low, 2 * 0.15 * 0.9 + 0.01);
  EXPECT_NE(result.output.find("msf is better below "), std::string::npos) << result.output;
  EXPECT_NE(result.output.find(" of at most 3000 replications: "), std::string::npos) << "progress\n" << result.output;
  std::istringstream rows(content_of(at("out/crossover.csv")));
  std::string head, row;
  std::getline(rows, head);
  std::getline(rows, row);
  EXPECT_EQ(head,
            "scenario,point,key,class,metric,first,second,value,ci_low,ci_high,better_below,better_above,half_width,"
            "precise,replications,reason");
  EXPECT_EQ(row.rfind("small,0,arrivals.rate,all,weighted_response_time,msf,msfq,", 0), 0u) << row;
  EXPECT_NE(row.find(",first,second,0."), std::string::npos) << row;
  const std::string points = content_of(at("out/crossover_points.csv"));
  for (const char* words : {"small,0,arrivals.rate,1.5,all,weighted_response_time,scan,", ",narrowing,", ",first,\n"})
    EXPECT_NE(points.find(words), std::string::npos) << words << '\n' << points;
}

TEST_F(crossover_test, numbers_do_not_depend_on_the_workers) {
  for (const char* workers : {"1", "3"})
    crossover(std::string("--quiet --over arrivals.rate=0.5:1.9 --budget 300 -j ") + workers + few + " --out " +
              at(workers));
  for (const char* file : {"/crossover.csv", "/crossover_points.csv"}) {
    EXPECT_GT(lines(content_of(at("1") + file)), 1u);
    EXPECT_EQ(content_of(at("1") + file), content_of(at("3") + file));
  }
}

TEST_F(crossover_test, a_parameter_of_one_policy_alone_is_left_away_for_the_other) {
  const auto result = crossover(
      "--quiet --over policy.threshold=0:3 --between msf '{ name = \"msfq\", drain = \"always\" }' --metric "
      "response_time "
      "--budget 100 --out " +
      at("out"));
  // With threshold 0, msfq is the same policy as msf.
  EXPECT_NE(content_of(at("out/crossover_points.csv")).find(",0,all,response_time,scan,"), std::string::npos);
  EXPECT_NE(content_of(at("out/crossover_points.csv")).find(",0,0,0,undecided,"), std::string::npos)
      << content_of(at("out/crossover_points.csv"));
  EXPECT_EQ(
      last_line(result.output).rfind("crossover: none: msf is better at 3 of 4 values from 0 to 3, by 0 +- 0 at 0", 0),
      0u)
      << result.output;
}

TEST_F(crossover_test, two_settings_of_one_policy_are_named_as_given) {
  const auto result = crossover(
      "--quiet --over arrivals.rate=0.5:1.5 --budget 200 --between '{ name = \"msfq\", threshold = 0 }' "
      "'{ name = \"msfq\", threshold = 3 }' --metric weighted_response_time");
  EXPECT_NE(
      result.output.find("small: weighted_response_time of { name = \"msfq\", threshold = 0 } and { name = \"msfq\", "
                         "threshold = 3 }, arrivals.rate from 0.5 to 1.5\n"),
      std::string::npos)
      << result.output;
}

TEST_F(crossover_test, every_point_of_a_sweep_is_searched_by_itself) {
  const auto result =
      shell("muster crossover " + scenario() + " --quiet --over classes.heavy.size.mean=0.8:1.2 --budget 200" + few +
            " --out " + at("out"));
  ASSERT_EQ(result.status, 0) << result.output;
  for (const char* words : {"each of the 2 points of the sweep is searched by itself\n",
                            "\npoint 0, arrivals.rate = 0.5\n", "\npoint 1, arrivals.rate = 1\n"})
    EXPECT_NE(result.output.find(words), std::string::npos) << words << '\n' << result.output;
  EXPECT_NE(content_of(at("out/crossover.csv")).find("\nsmall,1,1,classes.heavy.size.mean,"), std::string::npos);
}

TEST_F(crossover_test, a_sweep_over_a_table_that_holds_the_parameter_is_left_out) {
  crossover(
      "--set 'sweep.\"platform.costs\"=[{ save = 0.0 }, { save = 0.2, set_up = 0.5 }]' --quiet --budget 60 "
      "--over platform.costs.save=0.0:0.4 --between msf server_filling --metric response_time --out " +
      at("out"));
  const std::string points = content_of(at("out/crossover_points.csv"));
  const std::string head = points.substr(0, points.find('\n'));
  EXPECT_EQ(head.find("platform.costs,"), std::string::npos) << head;
  crossover(
      "--quiet --budget 60 --over platform.costs.save=0.0:0.4 --between msf server_filling --metric response_time "
      "--out " +
      at("plain"));
  EXPECT_EQ(points, content_of(at("plain/crossover_points.csv")));
}

TEST_F(crossover_test, interrupted_it_exits_with_130_and_keeps_what_is_finished) {
  const auto result =
      shell(MUSTER_BINARY " crossover " + scenario() +
            " --set run.jobs=20000 --budget 100000000 --precision 0.01% --over arrivals.rate=0.5:1.9" + few +
            " --out " + at("out") + " 2> " + at("log") + " & job=$!; for i in $(seq 600); do [ -s " + at("log") +
            " ] && break; sleep 0.02; done; kill -INT $job; wait $job");
  EXPECT_EQ(result.status, 130) << result.output << content_of(at("log"));
  EXPECT_NE(content_of(at("log")).find("interrupted; the values that were finished are in " + at("out")),
            std::string::npos)
      << content_of(at("log"));
  EXPECT_GE(lines(content_of(at("out/crossover_points.csv"))), 11u);
  EXPECT_EQ(lines(content_of(at("out/crossover.csv"))), 1u) << "no result";
}

TEST_F(crossover_test, csv_is_the_file_that_is_left_in_the_directory) {
  const auto result =
      crossover("--quiet --set run.jobs=500 --over arrivals.rate=0.5:1.0 --format csv --out " + at("out") + few);
  EXPECT_EQ(result.output, content_of(at("out/crossover.csv")));
  EXPECT_EQ(result.output.rfind("scenario,point,key,class,metric,first,second,value,", 0), 0u) << result.output;
}

TEST_F(crossover_test, the_same_command_goes_on_from_what_is_in_the_directory) {
  const std::string words = "--set run.jobs=500 --over arrivals.rate=0.5:1.0 --out " + at("out") + few;
  const auto first = crossover(words);
  const std::string crossings = content_of(at("out/crossover.csv")),
                    points = content_of(at("out/crossover_points.csv"));
  const auto second = crossover(words), other = crossover(words + " --precision 20%");
  const std::string again = " replications in " + at("out") + " are used again\n";
  EXPECT_EQ(first.output.find(again), std::string::npos) << first.output;
  ASSERT_NE(second.output.find(again), std::string::npos) << second.output;
  EXPECT_EQ(second.output.substr(second.output.find('\n') + 1), first.output);
  EXPECT_NE(other.output.find(again), std::string::npos) << other.output;
  crossover(words);
  EXPECT_EQ(content_of(at("out/crossover.csv")), crossings);
  EXPECT_EQ(content_of(at("out/crossover_points.csv")), points);
}

TEST_F(crossover_test, faults_everywhere_exit_with_3) {
  const auto result =
      shell("muster crossover " + scenario() +
            " --plugin " MUSTER_PLUGINS
            "/adversaries.so --between msf starts_twice --over arrivals.rate=0.5:1.0 --metric slowdown");
  EXPECT_EQ(result.status, 3) << result.output;
  EXPECT_NE(
      result.output.find("fault: no value from 0.5 to 1.0 can be measured; 0.5: starts_twice: fault in replication "),
      std::string::npos)
      << result.output;
}

TEST_F(crossover_test, mistakes_exit_with_2_and_say_what_was_expected) {
  const auto expect = [&](const std::string& words, const std::string& message) {
    const auto result = shell("muster crossover " + scenario() + " --set arrivals.rate=1.0 " + words);
    EXPECT_EQ(result.status, 2) << result.output;
    EXPECT_EQ(result.output.rfind(message, 0), 0U) << message << '\n' << result.output;
  };
  const std::string rate = " --over arrivals.rate=0.5:1.5", metric = " --metric response_time";
  const std::string two = " --between msf fcfs";
  expect("--over platform.cotss.set_up=0.0:1.0" + two + metric,
         "--over platform.cotss.set_up=0.0:1.0:1:1: platform.cotss: unknown key; did you mean 'costs'?\n");
  expect("--over policy.treshold=0:3 --between msf msfq" + metric,
         "--over policy.treshold=0:3:1:1: policy.treshold: unknown key; did you mean 'threshold'?\n");
  expect("--over policy.threshold=0:9 --between msf msfq" + metric,
         "--over policy.threshold=0:9:1:18: policy.threshold: expected an integer from 0 to 3, found 9\n");
  expect("--over classes.light.name=0:3" + two + metric, "--over classes.light.name=0:3:1:");
  expect("--over run.jobs=10:30" + two + metric,
         "--over run.jobs=10:30:1:1: run.jobs: belongs to the run; expected a parameter of the model\n");
  expect("--over arrivals.rate=2:1" + two + metric, "--over: the range is empty: expected LOW below HIGH\n");
  expect("--over arrivals.rate" + two + metric,
         "--over: expected a range of its values, such as --over arrivals.rate=0:31 (integers) or --over "
         "arrivals.rate=0.1:10.0\n");
  expect(rate + two + " --metric respone_time",
         "--metric: unknown metric 'respone_time'; did you mean 'response_time'?\n");
  expect(rate + two + " --metric utility",
         "--metric: utility is not measured in this scenario; it needs slotted jobs\n");
  expect(rate + two + " --metric phase_share",
         "--metric: phase_share is measured of phases, which two policies do not share\n");
  expect(rate + two + " --class lihgt" + metric, "--class: unknown class 'lihgt'; did you mean 'light'?\n");
  expect(rate + two + " --class phase_1" + metric, "--class: response_time is not measured of phases; ");
  expect(rate + " --between msf '{ name = \"msf\" }'" + metric,
         "--between: both policies are the same; expected two that differ\n");
  expect(rate + " --between msfq '{ name = \"msfq\", threshold = 3 }'" + metric,
         "--between: both policies are the same; expected two that differ\n");
  expect(rate + " --between msf mfsq" + metric, "--between mfsq:1:1: policy.name: ");
  expect(rate + " --between msf '{ name = \"msfq\", threshold = 9 }'" + metric,
         "--between { name = \"msfq\", threshold = 9 }:1:30: policy.threshold: expected an integer from 0 to 3, found "
         "9\n");
  expect(rate + " --between msf" + metric, "--between: ");
  expect(rate + two + metric + " --precision 60%",
         "--precision: expected a share of the range from 0.01% to 25%, such as 1% or 0.01, found '60%'\n");
  expect(rate + two + metric + " --budget 10",
         "--budget: expected at least 60: a first look takes 10 values, 3 replications of both policies at each\n");
  expect(rate + two + metric + " --replications 1", "run.replications: expected at least 2, to tell policies apart\n");
  expect("--over arrivals.rate=50:90" + two + metric, "no value from 50 to 90 can be measured; 50: msf: unstable: ");
}

}  // namespace
}  // namespace muster
