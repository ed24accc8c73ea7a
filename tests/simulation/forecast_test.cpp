#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include <fmt/format.h>
#include <boost/math/distributions/gamma.hpp>

#include "platform/forecast/forecast.h"
#include "platform/forecast/queue_replication.h"
#include "tests/scenario/graph_folder.h"

// When jobs of a queue start, beside exact answers, a naive loop and schedules made by hand.

namespace muster {
namespace {

using starts_by_replication = std::vector<std::vector<double>>;

class forecast_of_a_queue : public graph_folder {
 protected:
  /// Cores on which FCFS starts the jobs of a queue alone, of the class `job` with cores of their own.
  std::string fcfs_on(unsigned cores) const {
    return fmt::format(
        "name = \"x\"\n[platform]\nservers = [{{ name = \"node\", cores = {} }}]\n[[classes]]\nname = \"job\"\n"
        "need = 1\n[arrivals]\nprocess = \"none\"\n[initial]\nfile = \"queue.csv\"\n[policy]\nname = \"fcfs\"\n",
        cores);
  }
  forecast_variant variant_of(const std::string& text, const std::vector<std::string>& set = {}) const {
    write("f.toml", text);
    study_with_queues found = read_study_with_queues((folder_ / "f.toml").string(), set);
    return {set.empty() ? "" : set.front(), found.read.points.front().model, found.queues.front()};
  }
  static starts_by_replication simulated(const forecast_variant& variant, const run_time_history& history,
                                         std::uint32_t replications) {
    starts_by_replication all;
    for (std::uint32_t r = 0; r < replications; ++r) all.push_back(simulate_queue(variant, history, r).starts);
    return all;
  }
};

// Eight cores: four until 30 and two until 10 are held. Each waits for those before it.
TEST_F(forecast_of_a_queue, with_known_run_times_starts_each_job_to_the_tick) {
  write("queue.csv",
        "job,state,size,elapsed,cores,requested,user\n11,waiting,5,,2,10,c\n1,running,40,10,4,70,a\n"
        "12,waiting,20,,8,40,a\n2,running,15,5,2,25,b\n13,waiting,8,,2,9,b\n");
  const forecast_variant variant = variant_of(fcfs_on(8));
  std::string names;
  for (const queued_job& j : variant.queue) names += fmt::format("{} of {} in line {}; ", j.name, j.user, j.line);
  EXPECT_EQ(names, "1 of a in line 3; 2 of b in line 5; 11 of c in line 2; 12 of a in line 4; 13 of b in line 6; ");
  for (const std::uint32_t replication : {0u, 7u})
    EXPECT_EQ(simulate_queue(variant, {}, replication).starts, (std::vector<double>{0, 0, 0, 30, 50}));
}

// The job that runs has an exponential time left, whatever has passed: the k-th that waits starts after k of them.
TEST_F(forecast_of_a_queue, of_exponential_run_times_on_one_core_starts_jobs_at_erlang_times) {
  write("queue.csv",
        "state,elapsed,requested\nrunning,300,3600\nwaiting,,3600\nwaiting,,3600\nwaiting,,3600\n"
        "waiting,,3600\nwaiting,,3600\n");
  const forecast_variant variant = variant_of(
      "name = \"x\"\n[platform]\nservers = [{ name = \"node\" }]\n[[classes]]\nname = \"job\"\nshare = 1.0\n"
      "size = { distribution = \"exponential\", mean = 600.0 }\n[arrivals]\nrate = 0.001\n[initial]\n"
      "file = \"queue.csv\"\n[policy]\nname = \"fcfs\"\n");
  constexpr std::uint32_t replications = 3000;
  constexpr double tolerance = 3.9;  // standard deviations: one of 10,000 is beyond
  const starts_by_replication starts = simulated(variant, {}, replications);
  for (std::size_t k = 1; k <= 5; ++k)
    for (const double p : {0.1, 0.5, 0.9}) {
      const double exact =
          boost::math::quantile(boost::math::gamma_distribution<double>(static_cast<double>(k), 600.0), p);
      const auto below = std::count_if(starts.begin(), starts.end(), [&](const auto& s) { return s[k] <= exact; });
      EXPECT_NEAR(static_cast<double>(below) / replications, p, tolerance * std::sqrt(p * (1 - p) / replications))
          << "job " << k << ", quantile " << p;
    }
}

// Run times are shares of the request: of user a any share, of user b mostly a tenth. The truth is drawn from these
// laws by a loop of its own.
TEST_F(forecast_of_a_queue, by_the_users_history_covers_four_of_five_truths_of_a_naive_loop) {
  struct listed {
    char user;
    double requested, elapsed;  // elapsed < 0: it waits
    unsigned cores;
  };
  const std::vector<listed> jobs{{'a', 1000, 300, 2}, {'b', 4000, 500, 1}, {'b', 2000, -1, 2}, {'a', 500, -1, 3},
                                 {'a', 3000, -1, 1},  {'b', 9000, -1, 4},  {'a', 700, -1, 2}};
  std::mt19937_64 bits(20260101);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  const auto share = [&](char user) {
    return user == 'a' ? uniform(bits) : uniform(bits) < 0.7 ? 0.1 * uniform(bits) : 0.8 + 0.2 * uniform(bits);
  };
  run_time_history history;
  for (int n = 0; n < 4000; ++n)
    for (const char user : {'a', 'b'}) history.add(std::string(1, user), 100.0 * share(user), 100.0);
  history.settle();
  std::string queue = "state,requested,elapsed,cores,user\n";
  for (const listed& j : jobs)
    queue += fmt::format("{},{},{},{},{}\n", j.elapsed < 0 ? "waiting" : "running", j.requested,
                         j.elapsed < 0 ? "" : fmt::format("{}", j.elapsed), j.cores, j.user);
  write("queue.csv", queue);
  const starts_by_replication starts = simulated(variant_of(fcfs_on(4)), history, 1000);
  // The starts of the jobs of one truth, first come, first served, on four cores.
  const auto truth = [&] {
    std::multiset<std::pair<double, unsigned>> ends;
    std::vector<double> begun;
    unsigned free = 4;
    double now = 0.0;
    for (const listed& j : jobs) {
      double run = j.requested * share(j.user);
      while (j.elapsed >= 0 && run <= j.elapsed) run = j.requested * share(j.user);
      for (; free < j.cores; ends.erase(ends.begin())) {
        now = std::max(now, ends.begin()->first);
        free += ends.begin()->second;
      }
      free -= j.cores;
      begun.push_back(now);
      ends.emplace(now + run - std::max(j.elapsed, 0.0), j.cores);
    }
    return begun;
  };
  std::vector<time_quantiles> intervals;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    std::vector<double> of_job;
    for (const auto& s : starts) of_job.push_back(s[j]);
    intervals.push_back(quantiles_of(of_job));
  }
  constexpr int truths = 400;
  std::vector<int> covered(jobs.size());
  for (int n = 0; n < truths; ++n) {
    const std::vector<double> begun = truth();
    for (std::size_t j = 0; j < jobs.size(); ++j)
      covered[j] += intervals[j].p10 <= begun[j] && begun[j] <= intervals[j].p90 ? 1 : 0;
  }
  // 3.9 standard deviations of the truths, and of the ends of an interval from 1000 replications and such a history.
  const double tolerance = 3.9 * std::sqrt(0.16 / truths + 2 * 0.09 / 1000 + 2 * 0.09 / 4000);
  for (const std::size_t j : {4u, 5u, 6u}) EXPECT_NEAR(covered[j] / double{truths}, 0.8, tolerance) << "job " << j;
}

// On one core A starts after X, what is left of the job that runs, and B after X + Y, where Y is A's run time; on two
// cores A starts at once, and B after the shorter of X and Y.
TEST_F(forecast_of_a_queue, with_a_change_is_compared_on_the_same_run_times) {
  write("queue.csv", "state,requested,elapsed\nrunning,100,20\nwaiting,100,\nwaiting,100,\n");
  run_time_history history;
  for (int n = 1; n <= 50; ++n) history.add("", 2.0 * n, 100.0);
  history.settle();
  forecast_request request;
  request.variants = {variant_of(fcfs_on(1)), variant_of(fcfs_on(1), {"platform.servers.node.cores=2"})};
  request.history = history;
  request.within = {100.0};
  const std::vector<starts_by_replication> starts{simulated(request.variants[0], history, 60),
                                                  simulated(request.variants[1], history, 60)};
  double sum = 0.0, squares = 0.0, soon = 0.0;
  for (std::size_t r = 0; r < 60; ++r) {
    const double x = starts[0][r][1], y = starts[0][r][2] - x;
    EXPECT_GT(x, 0.0);
    EXPECT_LE(x, 80.0);
    EXPECT_EQ(starts[1][r][1], 0.0);
    EXPECT_NEAR(starts[1][r][2], std::min(x, y), 1e-6) << r;
    sum -= std::max(x, y);
    squares += std::max(x, y) * std::max(x, y);
    soon += x + y <= 100.0 ? 1.0 : 0.0;
  }
  request.replications = 60;
  const std::vector<queue_forecast> found = judge_queue(request, starts);
  const job_forecast& b = found[1].jobs.at(1);
  const double error = std::sqrt((squares - sum * sum / 60) / 59 / 60);
  EXPECT_NEAR(b.shift->apart.mean, sum / 60, 1e-6);
  EXPECT_NEAR(*b.shift->apart.ci_high - *b.shift->apart.ci_low, 2 * 2.000995 * error, 1e-4);  // t of 59 degrees
  EXPECT_EQ(b.shift->answer, time_shift::verdict::earlier);
  EXPECT_EQ(found[0].jobs.at(1).within.front(), soon / 60);
  EXPECT_FALSE(found[0].jobs.at(1).shift);
}

// What a job gets depends on its place in the file alone, also where another one is left out before it.
TEST_F(forecast_of_a_queue, draws_the_same_run_times_where_other_jobs_are_left_out) {
  write("queue.csv", "state,requested,elapsed,cores\nwaiting,100,,4\nwaiting,100,,1\nrunning,100,20,1\n");
  run_time_history history;
  for (int n = 1; n <= 1000; ++n) history.add("", 0.1 * n, 100.0);
  history.settle();
  const forecast_variant all = variant_of(fcfs_on(4)), few = variant_of(fcfs_on(2));
  ASSERT_EQ(all.queue.size(), 3u);
  ASSERT_EQ(few.queue.size(), 2u);
  for (const std::uint32_t r : {0u, 1u, 2u}) {
    const scenario a = with_drawn_run_times(all.model, all.queue, history, r).model;
    const scenario b = with_drawn_run_times(few.model, few.queue, history, r).model;
    EXPECT_EQ((*a.arrivals.jobs)[0].size, (*b.arrivals.jobs)[0].size);
    EXPECT_EQ((*a.arrivals.jobs)[2].size, (*b.arrivals.jobs)[1].size);
    EXPECT_NE((*a.arrivals.jobs)[1].size, (*a.arrivals.jobs)[2].size);
  }
}

// A job that needs both cores waits behind one that drains for ever.
TEST_F(forecast_of_a_queue, tells_which_jobs_do_not_start) {
  write("queue.csv", "state,size,cores\nwaiting,10,1\nwaiting,10,2\n");
  const forecast_variant variant = variant_of(
      fcfs_on(1) + "[run]\nseed = 3\n", {"platform.servers=[{ name = \"node\", cores = 1, count = 2 }]",
                                         "events=[{ at = 5.0, servers = \"node\", action = \"drain\", count = 1 }]"});
  queue_starts found;
  try {
    found = simulate_queue(variant, {}, 0);
  } catch (const std::exception& fault) {
    FAIL() << fault.what();
  }
  ASSERT_EQ(found.starts.size(), 2u);
  EXPECT_EQ(found.starts[0], 0.0);
  EXPECT_TRUE(std::isinf(found.starts[1]));
  EXPECT_EQ(starts_to_text(found), R"({"drawn":false,"starts":[0.0,null]})");
  EXPECT_EQ(starts_from_text(R"({"drawn":true,"starts":[0.0,null]})").starts, found.starts);
  EXPECT_TRUE(starts_from_text(R"({"drawn":true,"starts":[]})").drawn);
}

// A policy that draws has replications that differ, even where all run times are known.
TEST_F(forecast_of_a_queue, knows_whether_a_replication_has_drawn_anything) {
  write("queue.csv", "state,size,cores\nrunning,10,1\nwaiting,10,1\nwaiting,10,1\n");
  EXPECT_FALSE(simulate_queue(variant_of(fcfs_on(1)), {}, 0).drawn);
  EXPECT_FALSE(simulate_queue(variant_of(fcfs_on(1), {"policy.name=first_fit"}), {}, 0).drawn);
  EXPECT_TRUE(simulate_queue(variant_of(fcfs_on(1), {"platform.placement=random"}), {}, 0).drawn);
  EXPECT_TRUE(simulate_queue(variant_of(fcfs_on(1), {"policy=randomized_timers"}), {}, 0).drawn);
}

}  // namespace
}  // namespace muster
