#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/policies/schedule_on_pool.h"

// Jobs are {arrival, size, estimate, cores, user}; a schedule is when each job starts.

namespace muster {
namespace {

using starts = std::vector<ticks>;

starts easy(unsigned cores, const std::vector<estimated_job>& jobs, const backfilling_scene::changes& changed = {}) {
  return schedule_on_pool(cores, jobs, "easy_backfill", changed);
}

TEST(easy_backfill, starts_jobs_that_end_before_the_reservation_or_use_other_cores) {
  // Job 1 is to start when job 0 ends, at 10. Two cores are left over then for job 2; job 3 has ended.
  EXPECT_EQ(easy(10, {{0, 10, 10, 6}, {1, 5, 5, 8}, {2, 100, 100, 2}, {3, 7, 7, 2}, {4, 1, 1, 1}}),
            (starts{0, 10, 2, 3, 15}));
}

TEST(easy_backfill, starts_no_job_that_would_delay_the_reservation) {
  EXPECT_EQ(easy(10, {{0, 10, 10, 6}, {1, 5, 5, 8}, {2, 9, 9, 3}}), (starts{0, 10, 15}));
  EXPECT_EQ(easy(10, {{0, 10, 10, 6}, {1, 5, 5, 8}, {2, 8, 8, 3}}), (starts{0, 10, 2}));
}

// Job 3 uses a core that job 1 leaves over, for 30 ticks; job 2 needs all four.
const std::vector<estimated_job> second_is_delayed{{0, 10, 10, 3}, {1, 10, 10, 2}, {2, 5, 5, 4}, {3, 30, 30, 1}};

TEST(easy_backfill, may_delay_all_jobs_but_the_first) { EXPECT_EQ(easy(4, second_is_delayed), (starts{0, 10, 33, 3})); }

TEST(easy_backfill, with_more_reservations_delays_none_of_these) {
  EXPECT_EQ(easy(4, second_is_delayed, {{"reservations", std::int64_t{2}}}), (starts{0, 10, 20, 25}));
}

TEST(easy_backfill, believes_a_job_that_exceeds_its_estimate_to_take_twice_as_long) {
  // At 6 job 0 is believed to end at 10, when job 3 does; job 2 would go on until 12.
  EXPECT_EQ(easy(4, {{0, 9, 5, 3}, {1, 5, 5, 4}, {2, 6, 6, 1}, {6, 4, 4, 1}}), (starts{0, 10, 15, 6}));
}

TEST(easy_backfill, uses_the_cores_of_a_job_that_ends_early) {
  EXPECT_EQ(easy(4, {{0, 3, 10, 3}, {1, 5, 5, 4}, {2, 9, 9, 1}}), (starts{0, 3, 8}));
}

TEST(easy_backfill, starts_jobs_in_the_order_that_is_set) {
  const std::vector<estimated_job> jobs{{0, 10, 10, 2, 0}, {1, 5, 5, 1, 0}, {2, 3, 3, 2, 1}};
  EXPECT_EQ(easy(2, jobs), (starts{0, 10, 15}));
  EXPECT_EQ(easy(2, jobs, {{"order", "shortest"}}), (starts{0, 13, 10}));
  EXPECT_EQ(easy(2, jobs, {{"order", "smallest_area"}}), (starts{0, 10, 15}));
  EXPECT_EQ(easy(2, jobs, {{"order", "fair_share"}}), (starts{0, 13, 10}));
  // (9 + 9) / 9 is less than (4 + 2) / 2.
  EXPECT_EQ(easy(1, {{0, 10, 10, 1}, {1, 9, 9, 1}, {6, 2, 2, 1}}, {{"order", "expansion_factor"}}),
            (starts{0, 12, 10}));
}

TEST(easy_backfill, lets_equal_jobs_start_in_the_order_of_arrival) {
  for (const char* order : {"arrival", "shortest", "smallest_area", "fair_share"})
    EXPECT_EQ(easy(1, {{0, 10, 10, 1}, {1, 5, 5, 1}, {1, 5, 5, 1}, {2, 5, 5, 1}}, {{"order", order}}),
              (starts{0, 10, 15, 20}))
        << order;
}

TEST(easy_backfill, scans_other_jobs_in_an_order_of_their_own) {
  const std::vector<estimated_job> jobs{{0, 20, 20, 3}, {1, 5, 5, 4}, {2, 9, 9, 1}, {2, 3, 3, 1}};
  EXPECT_EQ(easy(4, jobs), (starts{0, 20, 2, 11}));
  EXPECT_EQ(easy(4, jobs, {{"backfill_order", "shortest"}}), (starts{0, 20, 5, 2}));
}

TEST(easy_backfill, knows_all_events_of_an_instant_unless_it_makes_a_pass_at_each) {
  // Both jobs end at 5. When the first has, the second is believed to go on until 10: job 3 would end before.
  const std::vector<estimated_job> jobs{{0, 5, 5, 2}, {0, 5, 5, 2}, {1, 5, 5, 4}, {2, 4, 4, 2}};
  EXPECT_EQ(easy(4, jobs), (starts{0, 0, 5, 10}));
  EXPECT_EQ(easy(4, jobs, {{"pass", "each_event"}}), (starts{0, 0, 9, 5}));
}

TEST(easy_backfill, refuses_a_job_without_an_estimate) { EXPECT_THROW(easy(4, {{0, 5, 0, 2}}), policy_error); }

// When the earlier of two jobs have started, the time at which the running ones leave enough cores is the time at which
// the job starts, whatever has started before it since.
TEST(easy_backfill, never_delays_the_first_job) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 bits{seed};
    const auto any = [&](ticks low, ticks high) { return std::uniform_int_distribution<ticks>{low, high}(bits); };
    std::vector<estimated_job> jobs;
    for (ticks t = 0; jobs.size() < 50; t += any(0, 6)) {
      const ticks size = any(1, 30);
      jobs.push_back({t, size, size, static_cast<unsigned>(any(1, 8))});
    }
    const starts found = easy(8, jobs);
    ticks first_since = 0;
    for (std::size_t n = 0; n < jobs.size(); ++n) {
      first_since = std::max(first_since, jobs[n].arrival);
      if (found[n] < first_since) continue;  // it has started before it was the first
      const auto free_at = [&](ticks t) {
        unsigned held = 0;
        for (std::size_t other = 0; other < jobs.size(); ++other)
          if ((other < n ? found[other] <= first_since : found[other] < first_since) &&
              found[other] + jobs[other].size > t)
            held += jobs[other].cores;
        return 8 - held;
      };
      ticks reserved = first_since;
      while (free_at(reserved) < jobs[n].cores) ++reserved;
      EXPECT_EQ(found[n], reserved) << "seed " << seed << ", job " << n;
      first_since = std::max(first_since, found[n]);
    }
  }
}

}  // namespace
}  // namespace muster
