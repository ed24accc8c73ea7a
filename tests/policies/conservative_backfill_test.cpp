#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/policies/policy_scene.h"
#include "tests/policies/schedule_on_pool.h"

// Jobs are {arrival, size, estimate, cores, user}; a schedule is when each job starts.

namespace muster {
namespace {

using start_times = std::vector<ticks>;

start_times conservative(unsigned cores, const std::vector<estimated_job>& jobs,
                         const backfilling_scene::changes& changed = {}) {
  return schedule_on_pool(cores, jobs, "conservative_backfill", changed);
}

TEST(conservative_backfill, delays_no_job_that_waits) {
  // Job 3 would use a core until 33 that job 2 needs from 20 to 25.
  EXPECT_EQ(conservative(4, {{0, 10, 10, 3}, {1, 10, 10, 2}, {2, 5, 5, 4}, {3, 30, 30, 1}}),
            (start_times{0, 10, 20, 25}));
  EXPECT_EQ(conservative(4, {{0, 10, 10, 3}, {1, 10, 10, 2}, {2, 5, 5, 4}, {3, 17, 17, 1}}),
            (start_times{0, 10, 20, 3}));
}

// Job 0 ends at 3 instead of 10. Job 3 has its reservation at 10, and job 4 at 5, when job 2 ends.
const std::vector<estimated_job> first_ends_early{
    {0, 3, 10, 2}, {0, 6, 6, 1}, {0, 5, 5, 1}, {1, 10, 10, 3}, {2, 8, 8, 1}};

TEST(conservative_backfill, compresses_one_reservation_after_the_other) {
  // Job 3 moves up to 6, beside the reservation of job 4, which then moves up to 3.
  EXPECT_EQ(conservative(4, first_ends_early), (start_times{0, 0, 0, 6, 3}));
}

TEST(conservative_backfill, replans_as_if_there_were_no_reservations) {
  EXPECT_EQ(conservative(4, first_ends_early, {{"on_early_end", "replan"}}), (start_times{0, 0, 0, 5, 6}));
}

TEST(conservative_backfill, makes_reservations_anew_in_their_order_where_a_job_exceeds_its_estimate) {
  // At 5 job 0 is believed to end at 10, at 10 at 20. It ends at 12; job 2, of one core, has had room at 5.
  for (const char* way : {"compress", "replan"})
    EXPECT_EQ(conservative(4, {{0, 12, 5, 3}, {1, 5, 5, 4}, {2, 5, 5, 1}}, {{"on_early_end", way}}),
              (start_times{0, 12, 5}))
        << way;
}

TEST(conservative_backfill, gives_jobs_of_one_instant_reservations_in_the_order_that_is_set) {
  const std::vector<estimated_job> jobs{{0, 10, 10, 1}, {1, 9, 9, 1}, {1, 2, 2, 1}, {3, 1, 1, 1}};
  EXPECT_EQ(conservative(1, jobs), (start_times{0, 10, 19, 21}));
  EXPECT_EQ(conservative(1, jobs, {{"order", "shortest"}}), (start_times{0, 12, 10, 21}));
  EXPECT_EQ(conservative(1, jobs, {{"order", "shortest"}, {"on_early_end", "replan"}}), (start_times{0, 13, 11, 10}));
}

std::vector<estimated_job> jobs_at_random(unsigned seed) {
  std::mt19937 bits{seed};
  const auto any = [&](ticks low, ticks high) { return std::uniform_int_distribution<ticks>{low, high}(bits); };
  std::vector<estimated_job> jobs;
  for (ticks t = 0; jobs.size() < 60; t += any(0, 6)) {
    const ticks size = any(1, 30);
    jobs.push_back({t, size, size, static_cast<unsigned>(any(1, 8))});
  }
  return jobs;
}

// Each job in the order of arrival where it first fits beside those before it.
start_times one_after_the_other(const std::vector<estimated_job>& jobs) {
  std::vector<unsigned> free(4000, 8);
  start_times found;
  for (const estimated_job& j : jobs) {
    ticks start = j.arrival;
    for (ticks t = start; t < start + j.size; ++t)
      if (free[t] < j.cores) start = t + 1;
    for (ticks t = start; t < start + j.size; ++t) free[t] -= j.cores;
    found.push_back(start);
  }
  return found;
}

TEST(conservative_backfill, with_exact_estimates_starts_each_job_when_it_could_as_it_arrived) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const auto jobs = jobs_at_random(seed);
    EXPECT_EQ(conservative(8, jobs), one_after_the_other(jobs)) << seed;
    EXPECT_EQ(conservative(8, jobs, {{"on_early_end", "replan"}}), one_after_the_other(jobs)) << seed;
  }
}

// A stable cluster of many cores has more jobs in service than may wait.
TEST(conservative_backfill, ends_a_run_early_by_the_jobs_that_wait_and_not_by_those_in_service) {
  EXPECT_EQ((policy_scene{8, {1}, "conservative_backfill"}.most_jobs_in_system()), 1'008u);
  EXPECT_EQ((policy_scene{100'000, {1}, "conservative_backfill"}.most_jobs_in_system()), 101'000u);
}

}  // namespace
}  // namespace muster
