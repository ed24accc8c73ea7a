#include <algorithm>
#include <cmath>
#include <deque>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "platform/calibration/estimate_errors.h"
#include "platform/calibration/pass_grid.h"
#include "platform/calibration/replay_comparison.h"
#include "platform/calibration/replay_error.h"
#include "platform/calibration/sample_quantile.h"
#include "platform/calibration/start_delays.h"
#include "platform/calibration/told_values.h"

namespace muster {
namespace {

using moments = std::vector<std::pair<std::int64_t, std::int64_t>>;

// Kendall's tau-b by all pairs.
std::optional<double> plain_kendall(const moments& all) {
  double agree = 0.0, pairs = 0.0, equal_first = 0.0, equal_second = 0.0;
  const auto sign = [](std::int64_t a, std::int64_t b) { return a < b ? -1.0 : a > b ? 1.0 : 0.0; };
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const double first = sign(all[a].first, all[b].first), second = sign(all[a].second, all[b].second);
      agree += first * second;
      equal_first += first == 0.0 ? 1.0 : 0.0;
      equal_second += second == 0.0 ? 1.0 : 0.0;
      pairs += 1.0;
    }
  if (pairs == equal_first || pairs == equal_second) return std::nullopt;
  return agree / std::sqrt((pairs - equal_first) * (pairs - equal_second));
}

// The longest common order by all subsets.
std::size_t plain_in_order(const moments& all) {
  std::size_t most = 0;
  for (unsigned chosen = 0; chosen < 1U << all.size(); ++chosen) {
    std::size_t count = 0;
    bool fits = true;
    for (std::size_t a = 0; a < all.size(); ++a) {
      if ((chosen >> a & 1U) == 0) continue;
      ++count;
      for (std::size_t b = 0; b < a; ++b)
        if ((chosen >> b & 1U) != 0)
          fits = fits && (all[a].first - all[b].first) * (all[a].second - all[b].second) >= 0;
    }
    if (fits) most = std::max(most, count);
  }
  return most;
}

TEST(calibration, orders_agree_as_all_pairs_and_all_subsets_say) {
  std::mt19937 random{3};
  for (int n = 0; n < 300; ++n) {
    moments all(random() % 9);
    for (auto& [first, second] : all) {
      first = static_cast<std::int64_t>(random() % 6);
      second = static_cast<std::int64_t>(random() % 6);
    }
    const order_agreement found = compare_orders(all);
    EXPECT_EQ(found.in_order, plain_in_order(all));
    const auto kendall = plain_kendall(all);
    ASSERT_EQ(found.kendall.has_value(), kendall.has_value());
    if (kendall) {
      EXPECT_NEAR(*found.kendall, *kendall, 1e-12);
    }
  }
}

// The exact probability that the interval of the median covers it, from its ranks.
TEST(calibration, intervals_of_the_median_cover_it_by_the_binomial_law) {
  std::vector<double> ranks(60);
  for (std::size_t n = 0; n < ranks.size(); ++n) ranks[n] = static_cast<double>(n + 1);
  const sample_quantile median = quantile_of(ranks, 0.5);
  EXPECT_EQ(median.value, 30.0);
  ASSERT_TRUE(median.low && median.high);
  double term = std::pow(0.5, 60.0), covered = 0.0;
  for (int below = 0; below <= 60; ++below) {
    if (below >= *median.low && below < *median.high) covered += term;
    term *= (60.0 - below) / (below + 1.0);
  }
  EXPECT_GT(covered, 0.93);
  EXPECT_LT(covered, 0.97);
}

/// How a plain first-come-first-served scheduler of 16 cores works, second by second.
struct plain_scheduler {
  int pass_every = 1, phase = 0;  // seconds
  int epilog = 0;                 // seconds from the end of a job to free cores
  int kill_delay = 0;             // seconds from the limit to the end

  logged_past log(unsigned jobs) const {
    logged_past past;
    std::mt19937 random{11};
    const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
    double arrival = 0.0;
    for (unsigned n = 0; n < jobs; ++n) {
      logged_job job;
      job.line = n + 1;
      job.submit = arrival;
      job.cores = 1 + below(8);
      job.user = below(5);
      job.requested = 60.0 * (1 + below(30));
      job.run = std::min<double>(1 + below(1'500), job.requested + kill_delay);
      past.jobs.push_back(job);
      arrival += below(461);
    }
    std::deque<std::size_t> queue;
    std::vector<std::pair<double, std::uint32_t>> held;  // until when, cores
    std::uint32_t free = 16;
    std::size_t next = 0;
    for (double now = 0.0; next < jobs || !queue.empty(); now += 1.0) {
      for (auto h = held.begin(); h != held.end();) {
        if (h->first > now) {
          ++h;
          continue;
        }
        free += h->second;
        h = held.erase(h);
      }
      for (; next < jobs && past.jobs[next].submit <= now; ++next) queue.push_back(next);
      if (static_cast<int>(now) % pass_every != phase) continue;
      for (; !queue.empty() && past.jobs[queue.front()].cores <= free; queue.pop_front()) {
        logged_job& job = past.jobs[queue.front()];
        job.waited = now - job.submit;
        held.emplace_back(now + job.run + epilog, job.cores);
        free -= job.cores;
      }
    }
    return past;
  }
};

scenario sixteen_cores() {
  scenario model;
  server_spec node;
  node.name = "node";
  node.cores = 16;
  model.servers.push_back(node);
  model.policy.name = "fcfs";
  return model;
}

const told_value& value_of(const std::vector<told_value>& all, const std::string& what) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const told_value& v) { return v.what == what; });
  EXPECT_NE(found, all.end()) << what;
  return *found;
}

TEST(calibration, gives_back_passes_epilogs_and_kill_delays_of_a_plain_scheduler) {
  const logged_past past = plain_scheduler{30, 7, 2, 5}.log(3'000);
  const auto values = values_told(past, sixteen_cores());
  EXPECT_EQ(value_of(values, "interval between passes").value, 30.0);
  EXPECT_EQ(value_of(values, "limit to the end (kill delay): median").value, 5.0);
  const told_value& epilog = value_of(values, "dispatch, prolog and epilog");
  EXPECT_EQ(epilog.value, 2.0);
  EXPECT_EQ(epilog.low, 1.0);  // those of 1 s before a pass are late
  EXPECT_EQ(epilog.high, 2.0);
  EXPECT_EQ(epilog.setting, "platform.costs.dispatch_latency=2");
  EXPECT_EQ(value_of(values, "cores held at once, at most").value, 16.0);
}

TEST(calibration, finds_no_passes_where_each_event_starts_jobs) {
  const logged_past past = plain_scheduler{1, 0, 3, 0}.log(1'000);
  const auto values = values_told(past, sixteen_cores());
  EXPECT_FALSE(value_of(values, "interval between passes").value);
  EXPECT_EQ(value_of(values, "arrival to start, nothing in the way: 95 %").value, 0.0);
  const told_value& epilog = value_of(values, "dispatch, prolog and epilog");
  EXPECT_EQ(epilog.value, 3.0);
  EXPECT_EQ(epilog.setting, "platform.costs.dispatch_latency=3");
}

TEST(calibration, takes_the_clock_of_a_log_for_no_passes) {
  logged_past past = plain_scheduler{1, 0, 0, 0}.log(500);
  for (logged_job& job : past.jobs) {
    const double start = std::ceil(job.start() / 60.0) * 60.0;
    job.submit = std::floor(job.submit / 60.0) * 60.0;
    job.waited = start - job.submit;
  }
  EXPECT_TRUE(find_grid(past).of_all_times);
  EXPECT_FALSE(value_of(values_told(past, sixteen_cores()), "interval between passes").value);
}

// Ten times passes every 30 s begin anew, at another second. Each time five jobs pass over one that waits for long, and
// five more do so a second after these end, at seconds of no grid.
TEST(calibration, tells_passes_of_backfilling_that_begin_anew_beside_starts_at_completions) {
  logged_past past;
  const auto add = [&](double submit, double start, double run) {
    logged_job job;
    job.line = static_cast<std::uint32_t>(past.jobs.size() + 1);
    job.cores = 1;
    std::tie(job.submit, job.run, job.waited) = std::tuple(submit, run, start - submit);
    past.jobs.push_back(job);
  };
  for (int group = 0; group < 10; ++group) {
    const double begin = 10'007.0 * group;
    const std::vector<double> passes{1, 2, 4, 5, 7};
    std::vector<double> ends;
    add(begin, begin + 9'900.0, 50.0);
    for (const double pass : passes) {
      add(begin + pass, begin + 30.0 * pass, 5'000.0 + 17.0 * pass * pass);
      ends.push_back(past.jobs.back().end());
    }
    for (std::size_t n = 0; n < ends.size(); ++n)
      add(begin + 4'000.0 + static_cast<double>(n), ends[n] + 1.0, 1'000.0 + 111.0 * static_cast<double>(n));
  }
  EXPECT_FALSE(find_grid(past).interval);
  const pass_grid found = find_backfill_passes(past);
  EXPECT_EQ(found.interval, 30.0);
  EXPECT_EQ(found.starts, 40U);
  EXPECT_EQ(found.share, 1.0);
  scenario model = sixteen_cores();
  EXPECT_EQ(value_of(values_told(past, model), "interval between backfill passes").setting, "");
  model.policy.name = "slurm";
  EXPECT_EQ(value_of(values_told(past, model), "interval between backfill passes").setting, "policy.bf_interval=30");
}

// Starts that are told to a few nanoseconds are sums that may come out before the end that they follow.
TEST(calibration, takes_the_rounding_of_a_log_for_no_cores_held_at_once) {
  logged_past past;
  for (int n = 0; n < 40; ++n) {
    logged_job job;
    job.cores = 16;
    job.submit = 0.1 * n;
    job.run = 10.0 + 1e-9;
    job.waited = 10.0 * n - job.submit;
    past.jobs.push_back(job);
  }
  const start_delays delays = delays_of(past, 16);
  EXPECT_EQ(delays.most_cores, 16U);
  ASSERT_FALSE(delays.from_completion.empty());
  EXPECT_EQ(*std::max_element(delays.from_completion.begin(), delays.from_completion.end()), 0.0);
}

TEST(calibration, says_what_a_log_of_few_jobs_does_not_tell) {
  const logged_past past = plain_scheduler{1, 0, 0, 0}.log(3);
  for (const told_value& value : values_told(past, sixteen_cores()))
    if (!value.value) {
      EXPECT_EQ(value.remark.rfind("not told by this log: ", 0), 0U) << value.what;
    }
}

logged_job job_of(double submit, double run, double requested) {
  logged_job job;
  job.submit = submit;
  job.run = run;
  job.requested = requested;
  job.cores = 1;
  job.user = 0;
  job.waited = 0.0;
  return job;
}

// Run times 10, 20, 30, 40 of requests of 100. The last job comes when two have ended, 10 and 20: it is taken for 15.
TEST(calibration, errors_of_estimates_are_those_by_hand) {
  logged_past past;
  past.jobs = {job_of(0, 10, 100), job_of(1, 20, 100), job_of(2, 30, 100), job_of(25, 40, 100)};
  const estimate_errors errors = errors_of_estimates(past);
  EXPECT_EQ(errors.jobs, 4U);
  EXPECT_DOUBLE_EQ(errors.requested, (90.0 + 80.0 + 70.0 + 60.0) / 4.0);
  EXPECT_DOUBLE_EQ(errors.learnt, (90.0 + 80.0 + 70.0 + 25.0) / 4.0);
  EXPECT_DOUBLE_EQ(errors.median_ratio, 0.3);
  EXPECT_DOUBLE_EQ(errors.factor, (20.0 + 10.0 + 0.0 + 10.0) / 4.0);
  EXPECT_TRUE(errors.beyond_limit.empty());
}

// A job of 8 cores frees them at 100; the first one of the queue needs 12, of which 4 are free, and starts at 107.
TEST(calibration, delays_begin_with_the_completion_that_frees_enough_cores) {
  logged_past past;
  past.jobs = {job_of(0, 100, 0), job_of(0, 300, 0), job_of(10, 50, 0)};
  past.jobs[0].cores = 8;
  past.jobs[1].cores = 4;
  past.jobs[2].cores = 12;
  past.jobs[2].waited = 97.0;
  const start_delays delays = delays_of(past, 16);
  EXPECT_EQ(delays.from_completion, std::vector<double>{7.0});
  EXPECT_EQ(delays.from_arrival, (std::vector<double>{0.0}));  // the second finds the first one waiting
  EXPECT_EQ(delays.most_cores, 16U);
}

paired_job pair_of(std::uint32_t line, std::uint32_t cores, std::int64_t arrival, std::int64_t logged,
                   std::int64_t again, std::int64_t run) {
  constexpr std::int64_t second = 1'000'000'000;
  paired_job job;
  job.line = line;
  job.cores = cores;
  job.arrival = arrival * second;
  job.logged_wait = (logged - arrival) * second;
  job.logged_end = (logged + run) * second;
  job.wait = (again - arrival) * second;
  job.start = again * second;
  job.end = (again + run) * second;
  return job;
}

TEST(calibration, use_over_time_adds_up_to_the_work_of_the_jobs) {
  paired_jobs pairs;
  constexpr std::int64_t day = 86'400;
  pairs.jobs = {pair_of(1, 4, 0, day - 100, day + 50, 300), pair_of(2, 16, 10, 10, 20, 3 * day)};
  const use_over_time use = use_of(sixteen_cores(), pairs);
  ASSERT_EQ(use.rows.size(), 4U);
  double logged = 0.0, replayed = 0.0;
  for (const use_of_days& row : use.rows) {
    logged += row.logged_cores * day;
    replayed += row.replayed_cores * day;
  }
  EXPECT_NEAR(logged, 4.0 * 300 + 16.0 * 3 * day, 1e-6);
  EXPECT_NEAR(replayed, logged, 1e-6);
  EXPECT_NEAR(use.rows[0].logged_cores * day, 4.0 * 100 + 16.0 * (day - 10), 1e-6);
  EXPECT_NEAR(use.rows[1].replayed_waiting * day, 50.0, 1e-6);
  EXPECT_EQ(use.rows[1].replayed_starts, 1U);
}

// The platform has 16 cores, and the log's jobs hold 20 from 5 on.
TEST(calibration, a_platform_that_is_too_small_is_named_as_the_reason) {
  paired_jobs pairs;
  pairs.jobs = {pair_of(1, 12, 0, 0, 0, 100), pair_of(2, 8, 5, 5, 100, 50)};
  const scenario model = sixteen_cores();
  const auto difference = find_first_difference(model, pairs, 1.0);
  ASSERT_TRUE(difference);
  EXPECT_TRUE(difference->in_log);
  EXPECT_EQ(difference->job.line, 2U);
  EXPECT_EQ(difference->free_in_log, 4);
  EXPECT_EQ(
      reasons_of(model, *difference),
      std::vector<std::string>{"The jobs of the log hold 20 cores then, and the platform has 16: it has too few."});
}

}  // namespace
}  // namespace muster
