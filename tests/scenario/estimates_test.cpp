#include <gtest/gtest.h>

#include <tuple>

#include "platform/model/synthetic_workload.h"
#include "tests/scenario/graph_folder.h"
#include "tests/scenario/mistake.h"
#include "tests/scenario/timed_list_sample.h"

// What the scheduler believes of the sizes of rigid jobs, and jobs that are killed at it.

namespace muster {
namespace {

using rule = estimate_spec::rule;
constexpr std::uint32_t nobody = job_facts::no_user;

constexpr const char* jobs_with_requests =
    "id,arrival,size,requested,user\n"
    "1,0,10,30,ann\n"
    "2,1,20,15,\n"
    "3,2,40,40,bob\n"
    "4,3,5,6,ann\n";

class estimates_of_jobs : public graph_folder {
 protected:
  scenario first(const std::vector<std::string>& overrides = {}, const std::string& jobs = jobs_with_requests) const {
    write("jobs.csv", jobs);
    return read_here(timed_list_sample, overrides).points.front().model;
  }
  std::string complaints_about(const std::vector<std::string>& overrides, const std::string& jobs) const {
    write("jobs.csv", jobs);
    return complaints_here(timed_list_sample, overrides);
  }
};

using row = std::tuple<double, double, std::uint32_t, bool>;  // size, estimate (0: none), user, whether it is killed

std::vector<row> submitted(const scenario& model, std::size_t most = 10) {
  const auto jobs = make_workload(model, 0);
  std::vector<row> all;
  job_request job;
  while (all.size() < most && jobs->next(job))
    all.emplace_back(model.unit.to_units(job.size), model.unit.to_units(job.estimate), job.user, job.killed);
  return all;
}

TEST_F(estimates_of_jobs, are_the_requests_where_all_jobs_have_one) {
  const scenario model = first();
  EXPECT_EQ(model.arrivals.estimates.from, rule::requested);
  EXPECT_EQ(model.arrivals.users, (std::vector<std::string>{"ann", "bob"}));
  EXPECT_EQ(submitted(model),
            (std::vector<row>{
                {10.0, 30.0, 0, false}, {20.0, 15.0, nobody, false}, {40.0, 40.0, 1, false}, {5.0, 6.0, 0, false}}));
}

TEST_F(estimates_of_jobs, are_exact_where_a_job_has_no_request) {
  const scenario model = first({}, "id,arrival,size,requested\n1,0,10,30\n2,1,20,\n");
  EXPECT_EQ(model.arrivals.estimates.from, rule::exact);
  EXPECT_EQ(submitted(model), (std::vector<row>{{10.0, 0.0, nobody, false}, {20.0, 0.0, nobody, false}}));
}

TEST_F(estimates_of_jobs, are_a_factor_of_the_sizes_whatever_was_requested) {
  EXPECT_EQ(submitted(first({"arrivals.estimate={ factor = 2.5 }"})),
            (std::vector<row>{
                {10.0, 25.0, 0, false}, {20.0, 50.0, nobody, false}, {40.0, 100.0, 1, false}, {5.0, 12.5, 0, false}}));
}

TEST_F(estimates_of_jobs, begin_with_the_request_where_they_are_learnt) {
  const scenario model = first({"arrivals.estimate=learnt"});
  EXPECT_EQ(model.arrivals.estimates.from, rule::learnt);
  EXPECT_EQ(submitted(model), submitted(first()));
}

TEST_F(estimates_of_jobs, cut_the_size_of_a_job_that_is_killed_and_its_share_of_the_load) {
  const scenario killed = first({"arrivals.kill_at_estimate=true"});
  EXPECT_EQ(submitted(killed),
            (std::vector<row>{
                {10.0, 30.0, 0, false}, {15.0, 15.0, nobody, true}, {40.0, 40.0, 1, false}, {5.0, 6.0, 0, false}}));
  EXPECT_DOUBLE_EQ(killed.classes[0].size.mean(), (10.0 + 15.0 + 40.0 + 5.0) / 4.0);
  EXPECT_DOUBLE_EQ(first().classes[0].size.mean(), (10.0 + 20.0 + 40.0 + 5.0) / 4.0);
}

TEST_F(estimates_of_jobs, state_no_request_of_a_job_that_is_killed_at_it_where_they_are_exact) {
  EXPECT_EQ(submitted(first({"arrivals.kill_at_estimate=true", "arrivals.estimate=exact"})),
            (std::vector<row>{
                {10.0, 0.0, 0, false}, {15.0, 0.0, nobody, true}, {40.0, 0.0, 1, false}, {5.0, 0.0, 0, false}}));
}

TEST_F(estimates_of_jobs, leave_the_sizes_of_synthetic_jobs_as_they_are) {
  const scenario exact = first_point(sample);
  const scenario twice = first_point(sample, {"arrivals.estimate={ factor = 2.0 }"});
  EXPECT_EQ(exact.arrivals.estimates.from, rule::exact);
  const std::vector<row> sizes = submitted(exact), doubled = submitted(twice);
  ASSERT_EQ(sizes.size(), doubled.size());
  for (std::size_t n = 0; n < sizes.size(); ++n) {
    const double size = std::get<0>(sizes[n]);
    EXPECT_EQ(sizes[n], (row{size, 0.0, nobody, false}));
    EXPECT_EQ(std::get<0>(doubled[n]), size);
    EXPECT_NEAR(std::get<1>(doubled[n]), 2.0 * size, 1e-9);
  }
}

TEST_F(estimates_of_jobs, read_back_as_they_were_resolved) {
  write("jobs.csv", jobs_with_requests);
  for (const char* given : {"arrivals.kill_at_estimate=true", "arrivals.estimate={ factor = 2.0 }"}) {
    const study once = read_here(timed_list_sample, {given});
    const study again = read_here(once.resolved);
    EXPECT_EQ(again.resolved, once.resolved);
    EXPECT_EQ(submitted(again.points[0].model), submitted(once.points[0].model));
  }
}

struct wrong_estimate {
  std::vector<std::string> overrides;
  const char* jobs;
  const char* message;
};

TEST_F(estimates_of_jobs, that_the_jobs_do_not_have_are_refused_word_for_word) {
  const char* const plain = "id,arrival,size\n1,0,1\n";
  const char* const some = "id,arrival,size,requested\n1,0,1,2\n2,0,1,\n";
  const char* const all = "id,arrival,size,requested\n1,0,1,2\n";
  const wrong_estimate cases[] = {
      {{"arrivals.estimate=request"},
       plain,
       "--set arrivals.estimate=request:1:19: arrivals.estimate: unknown estimate 'request'; did you mean "
       "'requested'?"},
      {{"arrivals.estimate=2"},
       plain,
       "--set arrivals.estimate=2:1:19: arrivals.estimate: expected exact, requested, learnt or { factor = 2.0 }, "
       "found an "
       "integer"},
      {{"arrivals.estimate={ factor = 0 }"},
       plain,
       "--set arrivals.estimate={ factor = 0 }:1:30: arrivals.estimate.factor: expected a number > 0, found 0"},
      {{"arrivals.estimate=requested"},
       some,
       "--set arrivals.estimate=requested:1:19: arrivals.estimate: requested needs a request of every job, in the "
       "column "
       "requested; 1 of 2 jobs have one"},
      {{"arrivals.estimate=learnt"},
       plain,
       "--set arrivals.estimate=learnt:1:19: arrivals.estimate: learnt needs a request of every job, in the column "
       "requested; 0 of 1 jobs have one"},
      {{"arrivals.estimate=learnt"},
       all,
       "--set arrivals.estimate=learnt:1:19: arrivals.estimate: learnt needs to know whose the jobs are; expected a "
       "column "
       "user"},
      {{"arrivals.kill_at_estimate=true"},
       plain,
       "--set arrivals.kill_at_estimate=true:1:27: arrivals.kill_at_estimate: has no effect without requests; expected "
       "a "
       "list of jobs with a column requested"},
      {{"arrivals.estimate={ factor = 0.5 }", "arrivals.kill_at_estimate=true"},
       plain,
       "--set arrivals.kill_at_estimate=true:1:27: arrivals.kill_at_estimate: every job would be killed, as it is "
       "estimated "
       "at 0.5 of its size; expected a factor >= 1, or no kill_at_estimate"},
      {{"policy.name=fcfs_pooled", "arrivals.estimate=exact"},
       plain,
       "--set arrivals.estimate=exact:1:19: arrivals.estimate: expected no estimate here, because only sizes of rigid "
       "jobs "
       "are estimated"},
      {{"policy.name=fcfs_pooled", "report.slowdown_bound=3"},
       plain,
       "--set report.slowdown_bound=3:1:23: report.slowdown_bound: expected no slowdown_bound here, because the "
       "slowdown is "
       "bounded of rigid jobs alone"},
      {{"policy.name=fcfs_pooled"},
       "id,arrival,size,user\n1,0,1,ann\n",
       "jobs.csv:1:17: arrivals.file: expected no column user, because the jobs of policy 'fcfs_pooled' are pooled"},
      {{},
       "id,arrival,size,requested\n1,0,1,0\n",
       "jobs.csv:2:7: arrivals.file: column requested: expected a number > 0 and < 4.61e+09, the range of the clock, "
       "found '0'"},
      {{},
       "id,arrival,size,users\n1,0,1,ann\n",
       "jobs.csv:1:17: arrivals.file: unknown column 'users'; did you mean 'user'?"},
  };
  for (const wrong_estimate& wrong : cases) EXPECT_EQ(complaints_about(wrong.overrides, wrong.jobs), wrong.message);
}

TEST_F(estimates_of_jobs, of_synthetic_jobs_cannot_be_requests) {
  EXPECT_EQ(
      complaints(sample, {"arrivals.estimate=learnt"}),
      "--set arrivals.estimate=learnt:1:19: arrivals.estimate: learnt needs what users have requested, which jobs of "
      "process 'poisson' do not tell; expected \"exact\" or { factor = 2.0 }");
}

}  // namespace
}  // namespace muster
