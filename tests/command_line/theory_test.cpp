#include <algorithm>

#include <gtest/gtest.h>

#include "tests/command_line/command.h"

namespace muster {
namespace {

class theory_command_test : public command_line_test {
 protected:
  void SetUp() override {
    command_line_test::SetUp();
    std::ofstream(folder_ / "queue.toml") << R"(name = "queue"
platform.servers = [{ name = "node", cores = 2 }]
classes = [{ name = "job", need = 1, size = { distribution = "exponential", mean = 1.0 }, share = 1.0 }]
policy = "fcfs"
run = { jobs = 2000, replications = 2 }
[sweep]
"arrivals.rate" = [1.0, 1.5, 2.5]
)";
    std::string text = content_of(scenario());
    const std::string policies = R"([{ name = "msf" }, { name = "msfq", threshold = 2 }])";
    text.replace(text.find(policies), policies.size(), R"(["first_fit", "adaptive_quickswap"])");
    std::ofstream(folder_ / "unknown.toml") << text;
    std::ofstream(folder_ / "tree.toml") << R"(name = "tree"
[platform]
servers = [{ name = "left" }, { name = "right" }, { name = "shared" }, { name = "spare" }]
[[classes]]
name = "a"
need = 1
share = 0.5
size = { distribution = "exponential", mean = 1.0 }
servers = ["left", "shared"]
[[classes]]
name = "b"
need = 1
share = 0.5
size = { distribution = "exponential", mean = 1.0 }
servers = ["right", "shared"]
[arrivals]
rate = 2.0
[policy]
name = "fcfs_pooled"
)";
  }
  /// One-or-all by policies that have no theory; the one of theory is scenario().
  std::string unknown() const { return at("unknown.toml"); }
  std::string queue() const { return at("queue.toml"); }
  std::string tree() const { return at("tree.toml"); }
};

constexpr const char* columns = "class,metric,unit,estimate,ci_low,ci_high,replications,jobs,note";

TEST_F(theory_command_test, theory_prints_every_point_and_says_what_it_is) {
  const auto result = shell("muster theory " + queue());
  EXPECT_EQ(result.status, 0);
  for (const char* words : {"response_time", "1.333", "points 0-1: M/M/k, Erlang's C formula: exact",
                            "point 2: no answer: unstable", "all                -"})
    EXPECT_NE(result.output.find(words), std::string::npos) << words << '\n' << result.output;
}

TEST_F(theory_command_test, theory_of_pooled_classes_has_a_line_for_each) {
  const auto result = shell("muster theory " + tree());
  EXPECT_EQ(result.status, 0);
  for (const char* words : {"\n    0  a                1.4             1.4           1        0.7143", "\n    0  all",
                            "equations 10 and 11): exact"})
    EXPECT_NE(result.output.find(words), std::string::npos) << words << '\n' << result.output;
}

TEST_F(theory_command_test, theory_without_any_answer_says_so_without_a_table) {
  const auto result = shell("muster theory " + unknown());
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output, "small\npoints 0-3: no answer: none is known for this policy and workload\n");
}

TEST_F(theory_command_test, theory_of_msfq_tells_exact_corrected_and_printed_values_and_the_best_threshold) {
  const auto result = shell("muster theory " + scenario() + " --out " + at("out"));
  EXPECT_EQ(result.status, 0);
  for (const char* words : {"response_time_analysis", "response_time_as_printed", "best_threshold",
                            "exact solution of the chain of MSFQ's light periods", "outside its domain here"})
    EXPECT_NE(result.output.find(words), std::string::npos) << words << '\n' << result.output;
  const std::string csv = content_of(folder_ / "out" / "theory.csv");
  for (const char* row :
       {",all,response_time,s,", ",heavy,response_time_analysis,s,", ",all,weighted_response_time_as_printed,s,",
        ",all,response_time_error_bound,s,", ",all,best_threshold,,", ",phase_1,phase_share,,0.2",
        ",phase_2,jobs_at_phase_start_as_printed,,", ",phase_4,phase_duration_squared_as_printed,s^2,"})
    EXPECT_NE(csv.find(row), std::string::npos) << row << '\n' << csv;
}

TEST_F(theory_command_test, theory_has_columns_of_msfq_for_msfq_alone) {
  const std::string output = shell("muster theory " + queue()).output;
  EXPECT_EQ(output.find("as_printed"), std::string::npos) << output;
}

TEST_F(theory_command_test, theory_csv_has_the_columns_of_results_csv) {
  ASSERT_EQ(shell("muster theory " + queue() + " --out " + at("out")).status, 0);
  const std::string csv = content_of(folder_ / "out" / "theory.csv");
  EXPECT_EQ(csv.substr(0, csv.find('\n')), std::string("scenario,point,arrivals.rate,") + columns);
  EXPECT_NE(csv.find("\nqueue,1,1.5,all,response_time,s,2.28571428571428"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",,,0,0,\n"), std::string::npos) << csv;
  EXPECT_EQ(csv.find("\nqueue,2,"), std::string::npos) << csv;
}

TEST_F(theory_command_test, theory_leaves_results_alone_and_refuses_those_of_another_scenario) {
  ASSERT_EQ(shell("muster run " + queue() + " --quiet --out " + at("out")).status, 0);
  const std::string before = content_of(folder_ / "out" / "results.csv");
  EXPECT_EQ(shell("muster theory " + queue() + " --out " + at("out")).status, 0);
  EXPECT_EQ(content_of(folder_ / "out" / "results.csv"), before);
  const auto refused = shell("muster theory " + tree() + " --out " + at("out"));
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.output, at("out") + ": holds results of another scenario; choose another directory with --out\n");
}

TEST_F(theory_command_test, run_follows_theory_into_the_same_directory) {
  ASSERT_EQ(shell("muster theory " + queue() + " --out " + at("out")).status, 0);
  EXPECT_EQ(shell("muster run " + queue() + " --quiet --out " + at("out")).status, 0);
}

TEST_F(theory_command_test, run_shows_and_stores_the_theory_beside_its_results) {
  const auto result = shell("muster run " + queue() + " --out " + at("out"));
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.output.find("response_time  theory  "), std::string::npos) << result.output;
  ASSERT_EQ(shell("muster theory " + queue() + " --out " + at("alone")).status, 0);
  EXPECT_EQ(content_of(folder_ / "out" / "theory.csv"), content_of(folder_ / "alone" / "theory.csv"));
}

TEST_F(theory_command_test, run_without_any_answer_shows_and_stores_none) {
  const auto result = shell("muster run " + unknown() + " --out " + at("out"));
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output.find("theory"), std::string::npos) << result.output;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out" / "theory.csv"));
}

TEST_F(theory_command_test, theory_is_a_known_word) {
  EXPECT_NE(shell("muster teory").output.find("did you mean 'theory'?"), std::string::npos);
  EXPECT_NE(shell("muster --help").output.find("theory"), std::string::npos);
  EXPECT_EQ(shell("muster theory").status, 2);
  EXPECT_EQ(shell("muster theory " + queue() + " --out ''").status, 2);
}

TEST_F(theory_command_test, check_names_sets_capacities_and_idle_servers) {
  const auto result = shell("muster check " + tree() + " --set arrivals.rate=3.5");
  EXPECT_EQ(result.status, 0);
  for (const char* words :
       {"largest service rate", "Capacity set", "a, b on left, right, shared   3.5         3", "hardest pressed",
        "Theorem 1", "warning: server 'spare' stands idle: no class can use it",
        "is unstable: the rate 3.5 is not below the limit 3; a, b on left, right, shared has load 3.5 and capacity 3;"})
    EXPECT_NE(result.output.find(words), std::string::npos) << words << '\n' << result.output;
}

TEST_F(theory_command_test, metrics_of_pooled_jobs_are_listed) {
  const std::string listed = shell("muster list metrics").output;
  for (const char* metric : {"service_rate", "interruptions_per_job", "migrations_per_job", "sensitivity"})
    EXPECT_NE(listed.find(std::string("\n") + metric + " "), std::string::npos) << metric;
}

}  // namespace
}  // namespace muster
