#include "platform/search/backlog_rounds.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace muster {
namespace {

constexpr std::uint64_t short_backlog = 1000, backlog = 4000;

/// Work in the system as a random walk, its changes over batches of arrivals being independent.
class random_walk {
 public:
  /// @param drift of the work in 1,000 arrivals, in jobs' work
  random_walk(double drift, std::uint32_t seed) : step_(drift / 10.0, deviation / std::sqrt(10.0)), bits_(seed) {}

  backlog_course follow(const backlog_run& run) {
    const auto whole = static_cast<double>(run.waiting);
    double work = whole, squares = 0.0;
    int steps = 0;
    while (std::abs(work - whole) < run.reach * whole && steps < 390 * static_cast<int>(run.waiting / short_backlog)) {
      const double change = step_(bits_);
      work += change;
      squares += change * change;
      ++steps;
    }
    const double change = (work - whole) / whole, of_batches = squares - (work - whole) * (work - whole) / steps;
    return {std::abs(change) < run.reach ? backlog_outcome::neither
            : change < 0.0               ? backlog_outcome::drains
                                         : backlog_outcome::grows,
            change, steps < 16 ? 0.0 : of_batches / (whole * whole)};
  }

  backlog_outcome verdict() {
    backlog_rounds rounds(short_backlog, backlog);
    while (!rounds.next().empty()) {
      std::vector<backlog_course> courses;
      for (const backlog_run& r : rounds.next()) courses.push_back(follow(r));
      rounds.take(courses);
    }
    return rounds.verdict();
  }

 private:
  static constexpr double deviation = 300.0;  // of the change in 1,000 arrivals
  std::normal_distribution<> step_;
  std::mt19937 bits_;
};

TEST(backlog_rounds, have_a_verdict_on_work_without_drift_less_than_once_in_a_hundred_times) {
  random_walk walk(0.0, 1);
  int verdicts = 0;
  for (int n = 0; n < 4000; ++n) verdicts += walk.verdict() != backlog_outcome::neither;
  EXPECT_LT(verdicts, 40);
}

TEST(backlog_rounds, find_the_sign_of_a_drift) {
  random_walk shrinking(-150.0, 1), growing(150.0, 2);
  int found = 0;
  for (int n = 0; n < 50; ++n) {
    found += shrinking.verdict() == backlog_outcome::drains;
    found += growing.verdict() == backlog_outcome::grows;
  }
  EXPECT_EQ(found, 100);
}

constexpr backlog_course drains_clearly{backlog_outcome::drains, -0.9, 0.01},
    grows_clearly{backlog_outcome::grows, 0.9, 0.01}, drains_by_chance{backlog_outcome::drains, -0.9, 1.0};

TEST(backlog_rounds, end_with_two_short_backlogs_that_clearly_drain) {
  backlog_rounds rounds(short_backlog, backlog);
  ASSERT_EQ(rounds.next().size(), 2U);
  EXPECT_EQ(rounds.next().front().waiting, short_backlog);
  rounds.take({drains_clearly, drains_clearly});
  EXPECT_TRUE(rounds.next().empty());
  EXPECT_EQ(rounds.verdict(), backlog_outcome::drains);
}

TEST(backlog_rounds, confirm_growth_by_a_backlog_ten_times_as_long) {
  backlog_rounds rounds(short_backlog, backlog);
  rounds.take({grows_clearly, grows_clearly});
  ASSERT_EQ(rounds.next().size(), 1U);
  EXPECT_EQ(rounds.next().front().waiting, 10 * backlog);
  rounds.take({grows_clearly});
  EXPECT_TRUE(rounds.next().empty());
  EXPECT_EQ(rounds.verdict(), backlog_outcome::grows);
}

TEST(backlog_rounds, go_on_with_whole_backlogs_where_a_longer_one_does_not_confirm_growth_of_short_ones) {
  backlog_rounds rounds(short_backlog, backlog);
  rounds.take({grows_clearly, grows_clearly});
  rounds.take({drains_clearly});
  ASSERT_EQ(rounds.next().size(), 2U);
  EXPECT_EQ(rounds.next().front().waiting, backlog);
  rounds.take({drains_clearly, drains_clearly});
  EXPECT_EQ(rounds.verdict(), backlog_outcome::drains);
}

TEST(backlog_rounds, conclude_nothing_from_outcomes_that_differ) {
  backlog_rounds rounds(0, backlog);
  rounds.take({drains_clearly, grows_clearly});
  EXPECT_TRUE(rounds.next().empty());
  EXPECT_EQ(rounds.verdict(), backlog_outcome::neither);
}

TEST(backlog_rounds, are_up_to_four_where_whole_backlogs_drain_but_not_clearly) {
  backlog_rounds rounds(0, backlog);
  int count = 0;
  for (; !rounds.next().empty(); ++count) rounds.take({drains_by_chance, drains_by_chance});
  EXPECT_EQ(count, 4);
  EXPECT_EQ(rounds.verdict(), backlog_outcome::drains);
}

TEST(backlog_rounds, do_not_take_a_change_for_clear_that_contradicts_the_outcome) {
  backlog_rounds rounds(short_backlog, backlog);
  const backlog_course contradicts{backlog_outcome::drains, 0.9, 0.01};
  rounds.take({contradicts, contradicts});
  EXPECT_FALSE(rounds.next().empty());
}

}  // namespace
}  // namespace muster
