#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "muster/policies/catalogue.h"
#include "platform/metrics/metric.h"
#include "platform/simulation/replication.h"
#include "tests/scenario/graph_folder.h"
#include "tests/scenario/timed_list_sample.h"

// A dozen jobs of three users on four cores, first come, first served, in seconds. By hand:
//
//  job  arrives  starts  ends  waits  runs
//    1        0       0   100      0   100  ann, 2 cores, requested 120
//    2        0       0    40      0    40  bob, 2 cores, killed: 50 of work, requested 40
//    3       10     100   105     90     5  ann, 4 cores, requested 10
//    4       20     105   125     85    20  cy, 1 core, requested 20
//    5       20     105   305     85   200  bob, 3 cores, killed: 300 of work, requested 200
//    6       30     125   129     95     4  ann, 1 core, requested 60
//    7       35     305   313    270     8  nobody's, 2 cores, requested 8
//    8      400     400   410      0    10  cy, 4 cores, requested 30
//    9      400     410   412     10     2  cy, 1 core, requested 2
//   10      401     410   435      9    25  bob, 3 cores, killed: 30 of work, requested 25
//   11      500     500   560      0    60  ann, 4 cores, requested 100
//   12      500     560   561     60     1  bob, 4 cores, requested 5

namespace muster {
namespace {

std::vector<double> believed;  // estimates in seconds, in the order of arrival

class notes_estimates final : public rigid_policy {
  void arrived(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    believed.push_back(static_cast<double>(j.estimate) / 1e9);
    rigid_policy::arrived(j, cluster, decide);
  }
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    for (const job* next = cluster.earliest(); next && cluster.fits(*next); next = cluster.earliest())
      decide.start(*next);
  }
};

const policy_entry uses_estimates = [] {
  policy_entry entry;
  entry.name = "fcfs_that_notes_estimates";
  entry.about = "of a test";
  entry.construct = without_settings<notes_estimates>;
  entry.uses_estimates = true;
  entry.any_needs = true;
  return entry;
}();

class a_dozen_jobs : public graph_folder {
 protected:
  a_dozen_jobs() {
    add_policy(uses_estimates);
    write("jobs.csv",
          "id,arrival,size,cores,requested,user\n1,0,100,2,120,ann\n2,0,50,2,40,bob\n3,10,5,4,10,ann\n"
          "4,20,20,1,20,cy\n5,20,300,3,200,bob\n6,30,4,1,60,ann\n7,35,8,2,8,\n8,400,10,4,30,cy\n9,400,2,1,2,cy\n"
          "10,401,30,3,25,bob\n11,500,60,4,100,ann\n12,500,1,4,5,bob\n");
  }
  scenario of(const std::vector<std::string>& overrides) const {
    std::vector<std::string> all{"platform.servers=[{ name = \"node\", cores = 4 }]", "arrivals.kill_at_estimate=true"};
    all.insert(all.end(), overrides.begin(), overrides.end());
    return read_here(timed_list_sample, all).points.front().model;
  }
};

double value(const replication_result& result, const char* metric, const char* of = "all") {
  const measurement* found = result.find(of, metric);
  EXPECT_TRUE(found && found->has_value) << metric;
  return found ? found->value : -1.0;
}

TEST_F(a_dozen_jobs, have_the_metrics_that_are_computed_by_hand) {
  const scenario model = of({"policy.name=fcfs_that_notes_estimates"});
  const std::filesystem::path trace = folder_ / "trace.csv";
  watching watch;
  const std::filesystem::path log = folder_ / "trace.swf";
  watch.traces.push_back({find_trace_kind("jobs"), trace});
  watch.traces.push_back({find_trace_kind("swf"), log});
  const replication_result result = run_replication(model, 0, watch);
  for (const char* of : {"all", "job"}) {
    EXPECT_DOUBLE_EQ(value(result, "bounded_slowdown", of), (1 + 1 + 95 / 10.0 + 105 / 20.0 + 285 / 200.0 + 99 / 10.0 +
                                                             278 / 10.0 + 1 + 12 / 10.0 + 34 / 25.0 + 1 + 61 / 10.0) /
                                                                12.0);
    EXPECT_DOUBLE_EQ(value(result, "waited_share", of), 8.0 / 12.0);
    EXPECT_DOUBLE_EQ(value(result, "killed_share", of), 3.0 / 12.0);
    EXPECT_DOUBLE_EQ(value(result, "estimate_error", of),
                     (20 / 120.0 + 5 / 10.0 + 56 / 60.0 + 20 / 30.0 + 40 / 100.0 + 4 / 5.0) / 12.0);
  }
  EXPECT_DOUBLE_EQ(value(result, "makespan"), 561.0);
  EXPECT_DOUBLE_EQ(value(result, "mean_wait_of_users"), (185 / 4.0 + 154 / 4.0 + 95 / 3.0) / 3.0);
  EXPECT_DOUBLE_EQ(value(result, "worst_mean_wait_of_users"), 185 / 4.0);
  EXPECT_EQ(believed, (std::vector<double>{120, 40, 10, 20, 200, 60, 8, 30, 2, 25, 100, 5}));
  std::stringstream rows;
  rows << std::ifstream{trace}.rdbuf();
  const std::string text = rows.str();
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "id,class,arrival,started,completed,size,response,waiting,interruptions,migrations,preemptions,outcome,"
            "utility,user,estimate,requested");
  for (const char* row :
       {"\n1,job,0,0,40,40,40,0,0,0,0,killed,,bob,40,40\n", "\n6,job,35,305,313,8,278,270,0,0,0,completed,,,8,8\n",
        "\n10,job,500,500,560,60,60,0,0,0,0,completed,,ann,100,100\n"})
    EXPECT_NE(text.find(row), std::string::npos) << row << text;
  std::stringstream logged;
  logged << std::ifstream{log}.rdbuf();
  for (const char* row :
       {"\n; Note: user 2 is bob\n", "\n2 0 0 40 2 -1 -1 2 40 -1 0 2 -1 1 -1 -1 -1 -1\n",
        "\n7 35 270 8 2 -1 -1 2 8 -1 1 -1 -1 1 -1 -1 -1 -1\n", "\n11 500 0 60 4 -1 -1 4 100 -1 1 1 -1 1 -1 -1 -1 -1\n"})
    EXPECT_NE(logged.str().find(row), std::string::npos) << row << logged.str();
}

// When a job arrives whose user has two that are complete, its estimate is their mean, at most its request: of ann's
// last job (5 + 4) / 2, of bob's min(25, (40 + 200) / 2) and min(5, (200 + 25) / 2).
TEST_F(a_dozen_jobs, are_believed_to_be_as_long_as_the_last_two_of_their_user) {
  const replication_result result =
      run_replication(of({"policy.name=fcfs_that_notes_estimates", "arrivals.estimate=learnt"}), 0);
  EXPECT_EQ(believed, (std::vector<double>{120, 40, 10, 20, 200, 60, 8, 30, 2, 25, 4.5, 5}));
  EXPECT_DOUBLE_EQ(value(result, "makespan"), 561.0);
}

TEST_F(a_dozen_jobs, have_the_same_times_under_a_policy_that_uses_no_estimates) {
  const replication_result result = run_replication(of({"report.slowdown_bound=50"}), 0);
  EXPECT_DOUBLE_EQ(
      value(result, "bounded_slowdown"),
      (1 + 1 + 95 / 50.0 + 105 / 50.0 + 285 / 200.0 + 99 / 50.0 + 278 / 50.0 + 1 + 1 + 1 + 1 + 61 / 50.0) / 12.0);
  EXPECT_DOUBLE_EQ(value(result, "mean_wait_of_users"), (185 / 4.0 + 154 / 4.0 + 95 / 3.0) / 3.0);
  EXPECT_EQ(result.find("all", "estimate_error"), nullptr);
}

// The first three jobs to arrive and the last three are not measured: means are over jobs 4 to 9, times from the
// arrival of job 4 to the last completion.
TEST_F(a_dozen_jobs, are_all_simulated_and_those_between_warm_up_and_cool_down_measured) {
  const replication_result result =
      run_replication(of({"run.warm_up=0.25", "run.cool_down=0.25", "report.explain=true"}), 0);
  for (const char* of : {"all", "job"}) {
    EXPECT_DOUBLE_EQ(value(result, "response_time", of), (105 + 285 + 99 + 278 + 10 + 12) / 6.0);
    EXPECT_DOUBLE_EQ(value(result, "waiting_time", of), (85 + 85 + 95 + 270 + 0 + 10) / 6.0);
    EXPECT_DOUBLE_EQ(value(result, "waiting_time_max", of), 270.0);
    EXPECT_DOUBLE_EQ(value(result, "time_running", of), (20 + 200 + 4 + 8 + 10 + 2) / 6.0);
    EXPECT_DOUBLE_EQ(value(result, "bounded_slowdown", of),
                     (105 / 20.0 + 285 / 200.0 + 99 / 10.0 + 278 / 10.0 + 1 + 12 / 10.0) / 6.0);
    EXPECT_DOUBLE_EQ(value(result, "killed_share", of), 1.0 / 6.0);
    EXPECT_DOUBLE_EQ(value(result, "jobs_in_system", of),
                     (80 + 20 + 85 + 105 + 285 + 99 + 278 + 10 + 12 + 34 + 60 + 61) / 541.0);
  }
  EXPECT_DOUBLE_EQ(value(result, "mean_wait_of_users"), (95 / 3.0 + 85 + 95) / 3.0);
  EXPECT_DOUBLE_EQ(value(result, "worst_mean_wait_of_users"), 95.0);
  EXPECT_DOUBLE_EQ(value(result, "makespan"), 561.0);
  EXPECT_DOUBLE_EQ(value(result, "utilization"),
                   (160 + 40 + 20 + 20 + 600 + 4 + 16 + 40 + 2 + 75 + 240 + 4) / (4 * 541.0));
  EXPECT_EQ(result.jobs, 12u);
}

// Job 2 is cancelled at 10, when job 4 comes, after which job 3 runs.
TEST_F(graph_folder, counts_jobs_that_the_policy_cancels_as_killed) {
  write("jobs.csv", "id,class,arrival,size,cores,requested\n2,low,0,100,4,200\n3,low,5,10,1,60\n4,high,10,20,4,60\n");
  const auto of = [&](const std::string& mode) {
    return read_here(
               "name = \"cancelled\"\n[platform]\nservers = [ { name = \"node\", cores = 4 } ]\n"
               "[[classes]]\nname = \"low\"\npolicy = { PreemptMode = \"" +
               mode +
               "\" }\n[[classes]]\nname = \"high\"\npolicy = { PriorityTier = 2 }\n"
               "[arrivals]\nprocess = \"list\"\nfile = \"jobs.csv\"\n[policy]\nname = \"slurm\"\n"
               "PreemptType = \"partition_prio\"\nPreemptMode = \"requeue\"\n")
        .points.front()
        .model;
  };
  watching watch;
  watch.traces.push_back({find_trace_kind("jobs"), folder_ / "trace.csv"});
  const replication_result result = run_replication(of("cancel"), 0, watch);
  EXPECT_DOUBLE_EQ(value(result, "killed_share"), 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(value(result, "killed_share", "low"), 1.0 / 2.0);
  EXPECT_DOUBLE_EQ(value(result, "preemptions_per_job"), 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(value(result, "makespan"), 40.0);
  EXPECT_DOUBLE_EQ(value(result, "utilization"), (4 * 10 + 4 * 20 + 10) / (4 * 40.0));
  std::stringstream rows;
  rows << std::ifstream{folder_ / "trace.csv"}.rdbuf();
  for (const char* row : {"\n0,low,0,0,10,100,10,0,0,0,1,killed,", "\n1,low,5,30,40,10,35,25,0,0,0,completed,"})
    EXPECT_NE(rows.str().find(row), std::string::npos) << row << rows.str();
  EXPECT_EQ(run_replication(of("requeue"), 0).find("all", "killed_share"), nullptr);
}

// Without a list there is none of these metrics, but for the slowdown where its bound is given.
TEST_F(a_dozen_jobs, alone_have_these_metrics) {
  const scenario model = first_point(sample, {"report.slowdown_bound=1e-6", "policy.name=fcfs"});
  const replication_result result = run_replication(model, 0);
  EXPECT_NEAR(value(result, "bounded_slowdown"), value(result, "slowdown"), 1e-3 * value(result, "slowdown"));
  for (const char* metric :
       {"waited_share", "makespan", "mean_wait_of_users", "worst_mean_wait_of_users", "killed_share", "estimate_error"})
    EXPECT_EQ(result.find("all", metric), nullptr) << metric;
}

}  // namespace
}  // namespace muster
