#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "platform/model/synthetic_workload.h"
#include "tests/scenario/graph_folder.h"

// Replications of a log: those without a rule, shaken ones, and ones whose users are drawn anew.

namespace muster {
namespace {

constexpr ticks second = 1'000'000'000;
constexpr ticks day = 86400 * second;

/// Arrival, size and class, which is the user, of all jobs of a replication.
using submitted_job = std::tuple<ticks, ticks, class_id>;

std::vector<submitted_job> jobs_of(const scenario& model, std::uint32_t replication) {
  std::vector<submitted_job> all;
  const std::unique_ptr<workload> jobs = make_workload(model, replication);
  for (job_request job; jobs->next(job);) all.emplace_back(job.arrival, job.size, job.type);
  return all;
}

class log_replications : public graph_folder {
 protected:
  /// Four weeks of three jobs a day of nine users, each job of a size of its own.
  scenario replicated(const std::string& keys) const {
    std::string log;
    for (int n = 0; n < 3 * 28 + 1; ++n)
      log += fmt::format("{} {} -1 {} 1 -1 -1 1 -1 -1 1 {} 1 -1 -1 -1 -1 -1\n", n + 1, n * 28800, n + 1, n % 9);
    write("log.swf", log);
    return read_here(
               "name = \"x\"\n[platform]\nservers = [{ name = \"node\", cores = 4 }]\n[arrivals]\nprocess = \"log\"\n"
               "file = \"log.swf\"\nclass_by = \"user\"\n" +
               keys + "[policy]\nname = \"fcfs\"\n")
        .points.front()
        .model;
  }
};

TEST_F(log_replications, are_all_the_log_without_a_rule) {
  const scenario model = replicated("");
  EXPECT_EQ(jobs_of(model, 0).size(), 85u);
  EXPECT_EQ(jobs_of(model, 0), jobs_of(model, 7));
  EXPECT_EQ(model.run.replications, 1u);
}

TEST_F(log_replications, that_are_shaken_shift_each_arrival_within_the_limit) {
  const scenario model = replicated("replicate = \"shake\"\nshift = \"10 h\"\n");
  const std::vector<submitted_job> log = jobs_of(model, 0);
  EXPECT_EQ(log, jobs_of(replicated(""), 0));
  EXPECT_EQ(jobs_of(model, 1), jobs_of(model, 1));
  EXPECT_NE(jobs_of(model, 1), jobs_of(model, 2));
  EXPECT_EQ(model.run.replications, 10u);
  double sum = 0.0, squares = 0.0;
  std::size_t out_of_order = 0;
  constexpr unsigned replications = 100;
  for (std::uint32_t r = 1; r <= replications; ++r) {
    const std::vector<submitted_job> shaken = jobs_of(model, r);
    ASSERT_EQ(shaken.size(), log.size());
    EXPECT_TRUE(std::is_sorted(shaken.begin(), shaken.end(),
                               [](const auto& a, const auto& b) { return std::get<0>(a) < std::get<0>(b); }));
    for (std::size_t n = 0; n < log.size(); ++n) {
      const auto& [arrival, size, type] = shaken[n];
      const std::size_t of_log = size / second - 1;  // sizes are 1, 2, ..
      out_of_order += of_log != n ? 1 : 0;
      EXPECT_EQ(type, std::get<2>(log[of_log]));
      const double shift = (static_cast<double>(arrival) - static_cast<double>(std::get<0>(log[of_log]))) / 3.6e12;
      EXPECT_LE(std::abs(shift), 10.0);
      if (of_log < 2) continue;  // which may have been reflected at 0
      sum += shift;
      squares += shift * shift;
    }
  }
  // Uniform from -10 to 10: mean 0 with a standard error of 0.063, mean square 100 / 3 with one of 0.33.
  const double count = replications * (static_cast<double>(log.size()) - 2.0);
  EXPECT_NEAR(sum / count, 0.0, 0.25);
  EXPECT_NEAR(squares / count, 100.0 / 3.0, 1.3);
  EXPECT_GT(out_of_order, 0u);
}

TEST_F(log_replications, that_are_resampled_draw_users_with_all_their_jobs_and_move_them_by_weeks) {
  const scenario model = replicated("replicate = \"resample\"\n");
  const std::vector<submitted_job> log = jobs_of(model, 0);
  EXPECT_EQ(jobs_of(model, 1), jobs_of(model, 1));
  std::map<class_id, std::size_t> jobs_of_user;
  for (const auto& [arrival, size, type] : log) ++jobs_of_user[type];
  std::map<std::uint64_t, unsigned> weeks;
  std::size_t left_out = 0, all_jobs_of_users = 0, users = 0;
  for (std::uint32_t r = 1; r <= 50; ++r) {
    const std::vector<submitted_job> drawn = jobs_of(model, r);
    ASSERT_EQ(drawn.size(), log.size());
    std::map<class_id, std::map<ticks, unsigned>> times;  // of each job of each user
    for (const auto& [arrival, size, type] : drawn) {
      const auto& [arrival_of_log, size_of_log, type_of_log] = log[size / second - 1];
      EXPECT_EQ(type, type_of_log);
      const ticks moved = (arrival + 28 * day - arrival_of_log) % (28 * day);
      EXPECT_EQ(moved % (7 * day), 0u);
      ++weeks[moved / (7 * day)];
      ++times[type][size];
    }
    left_out += model.classes.size() - times.size();
    for (const auto& [type, of_jobs] : times) {
      unsigned most = 0, least = ~0u;
      for (const auto& [size, n] : of_jobs) {
        most = std::max(most, n);
        least = std::min(least, n);
      }
      ++users;
      if (most == least && of_jobs.size() == jobs_of_user[type]) ++all_jobs_of_users;
    }
  }
  EXPECT_GT(left_out, 50u);
  // Only the user who is drawn last brings some of its jobs alone.
  EXPECT_GE(all_jobs_of_users, users - 50);
  ASSERT_EQ(weeks.size(), 4u);
  for (const auto& [week, jobs] : weeks) EXPECT_NEAR(jobs, 50 * 85 / 4.0, 350.0) << week;
}

}  // namespace
}  // namespace muster
