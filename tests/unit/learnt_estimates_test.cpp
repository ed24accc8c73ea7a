#include "muster/modules/scheduler/services/learnt_estimates.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace muster {
namespace {

// Jobs that come and complete in any order, against the history of all sizes of each user.
TEST(learnt_estimates, are_the_mean_of_the_last_two_sizes_of_the_user_and_at_most_what_is_stated) {
  constexpr std::uint32_t users = 5;
  std::mt19937_64 random{7};
  learnt_estimates learnt(users);
  std::vector<std::vector<ticks>> sizes(users);
  unsigned by_history = 0, by_statement = 0;
  for (unsigned step = 0; step < 5'000; ++step) {
    const auto user = static_cast<std::uint32_t>(random() % users);
    const std::vector<ticks>& of = sizes[user];
    if (random() % 2 == 0) {
      const ticks size = 1 + random() % 1'000;
      learnt.complete(user, size);
      sizes[user].push_back(size);
      continue;
    }
    const ticks stated = 1 + random() % 1'000;
    ticks expected = stated;
    if (of.size() >= 2) expected = std::min(expected, (of[of.size() - 2] + of[of.size() - 1]) / 2);
    ASSERT_EQ(learnt.of(user, stated), expected) << "step " << step;
    ++(expected < stated ? by_history : by_statement);
  }
  EXPECT_GT(by_history, 500u);
  EXPECT_GT(by_statement, 500u);
}

TEST(learnt_estimates, are_what_is_stated_until_the_second_job_of_the_user_is_complete) {
  learnt_estimates learnt(2);
  EXPECT_EQ(learnt.of(0, 70), 70u);
  learnt.complete(0, 10);
  EXPECT_EQ(learnt.of(0, 70), 70u);
  learnt.complete(1, 10);
  EXPECT_EQ(learnt.of(0, 70), 70u);
  learnt.complete(0, 20);
  EXPECT_EQ(learnt.of(0, 70), 15u);
  EXPECT_EQ(learnt.of(0, 14), 14u);
}

TEST(learnt_estimates, of_jobs_without_a_user_are_what_is_stated) {
  learnt_estimates learnt(1);
  learnt.complete(job_facts::no_user, 10);
  learnt.complete(job_facts::no_user, 10);
  EXPECT_EQ(learnt.of(job_facts::no_user, 70), 70u);
}

// Sums of two sizes near the end of the clock fit, and a size of one tick is an estimate of one.
TEST(learnt_estimates, hold_at_both_ends_of_the_clock) {
  learnt_estimates learnt(1);
  learnt.complete(0, end_of_clock - 1);
  learnt.complete(0, end_of_clock - 1);
  EXPECT_EQ(learnt.of(0, end_of_clock - 1), end_of_clock - 1);
  learnt.complete(0, 1);
  learnt.complete(0, 1);
  EXPECT_EQ(learnt.of(0, 5), 1u);
}

}  // namespace
}  // namespace muster
