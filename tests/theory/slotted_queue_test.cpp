#include "tests/oracles/slotted_queue.h"

#include <stdexcept>

#include <gtest/gtest.h>

// The oracle itself, on cases traced by hand.

namespace muster {
namespace {

using oracle::serve_slots;
using oracle::slot_policy;
using oracle::slotted_job;
using oracle::slotted_outcome;

/// Units that gain 1 each.
std::vector<double> plain(std::size_t units) { return std::vector<double>(units, 1.0); }

constexpr slot_policy without_sharing[] = {slot_policy::ispeed_literal, slot_policy::ispeed_envelope, slot_policy::fifo,
                                           slot_policy::edf, slot_policy::equal_whole};

void expect_complete(const slotted_outcome& o, std::uint64_t left, std::uint64_t first_service,
                     std::uint64_t preemptions, std::uint64_t cores_given) {
  EXPECT_FALSE(o.expired);
  EXPECT_TRUE(o.served);
  EXPECT_EQ(o.left, left);
  EXPECT_EQ(o.first_service, first_service);
  EXPECT_EQ(o.preemptions, preemptions);
  EXPECT_EQ(o.cores_given, cores_given);
}

void expect_expired(const slotted_outcome& o, std::uint64_t left, std::uint64_t units, double utility) {
  EXPECT_TRUE(o.expired);
  EXPECT_EQ(o.left, left);
  EXPECT_EQ(o.units, units);
  EXPECT_DOUBLE_EQ(o.utility, utility);
}

TEST(slotted_queue, a_job_alone_has_as_many_cores_as_it_has_units) {
  for (const slot_policy policy : without_sharing) {
    const auto few = serve_slots(2, 10, 0, {{0, 0, {4, 2, 1}}}, policy);
    expect_complete(few[0], 20, 0, 0, 2);
    EXPECT_EQ(few[0].units, 3u);
    EXPECT_DOUBLE_EQ(few[0].utility, 7.0);
    expect_complete(serve_slots(5, 10, 0, {{0, 0, {4, 2, 1}}}, policy)[0], 10, 0, 0, 3);
  }
}

TEST(slotted_queue, ispeed_gives_each_core_to_the_unit_that_gains_most) {
  for (const slot_policy policy : {slot_policy::ispeed_literal, slot_policy::ispeed_envelope}) {
    // Four cores for the gains 4, 3, 3 and 2.
    const std::vector<slotted_job> jobs{{0, 1, {4, 2, 1}}, {0, 1, {3, 3, 1}}, {0, 1, {1.5}}};
    const auto expiring = serve_slots(4, 10, 0, jobs, policy);
    expect_expired(expiring[0], 10, 2, 6.0);
    expect_expired(expiring[1], 10, 2, 6.0);
    expect_expired(expiring[2], 10, 0, 0.0);
    EXPECT_FALSE(expiring[2].served);
  }
}

TEST(slotted_queue, ispeed_prefers_who_came_earlier_among_equal_gains) {
  for (const slot_policy policy : {slot_policy::ispeed_literal, slot_policy::ispeed_envelope}) {
    const auto o = serve_slots(1, 10, 0, {{0, 0, {2, 2}}, {0, 0, {2, 1}}, {5, 0, {2, 2}}}, policy);
    expect_complete(o[0], 20, 0, 0, 1);
    // Slot 3 is for its first unit, slots 4 and 5 for those of the last job.
    expect_complete(o[1], 60, 20, 1, 2);
    expect_complete(o[2], 50, 30, 0, 1);
  }
}

TEST(slotted_queue, ispeed_looks_beyond_units_without_gain_only_by_the_envelope) {
  // Means from the first job's units on: 3, 4.5 and 9.
  const std::vector<slotted_job> jobs{{0, 3, {0, 0, 9}}, {0, 3, {4, 4}}};
  const auto literal = serve_slots(1, 10, 0, jobs, slot_policy::ispeed_literal);
  expect_expired(literal[0], 30, 1, 0.0);
  EXPECT_EQ(literal[0].first_service, 20u);
  expect_complete(literal[1], 20, 0, 0, 1);
  const auto envelope = serve_slots(1, 10, 0, {jobs[0], {0, 3, {3, 3}}}, slot_policy::ispeed_envelope);
  expect_complete(envelope[0], 30, 0, 0, 1);
  EXPECT_DOUBLE_EQ(envelope[0].utility, 9.0);
  expect_expired(envelope[1], 30, 0, 0.0);
  // A mean of 3 is not enough against gains of 4, and the deadline comes before the gain.
  expect_expired(serve_slots(1, 10, 0, jobs, slot_policy::ispeed_envelope)[0], 30, 1, 0.0);
}

TEST(slotted_queue, ispeed_counts_units_given_in_the_same_slot) {
  // By means: 4 and 4 of the second job, then 3 of the first, whose next units are 4.5 and 9.
  const auto o = serve_slots(4, 10, 0, {{0, 1, {0, 0, 9}}, {0, 1, {4, 4, 3, 3}}}, slot_policy::ispeed_envelope);
  EXPECT_EQ(o[0].units, 2u);
  EXPECT_EQ(o[1].units, 2u);
}

TEST(slotted_queue, ispeed_earns_half_of_the_optimum_at_worst) {
  // Theorem 3: a job that must be served now, and one that gains slightly more, now or later.
  const std::vector<slotted_job> jobs{{0, 1, {0.9}}, {0, 2, {1.0}}};
  for (const slot_policy policy : {slot_policy::ispeed_literal, slot_policy::ispeed_envelope}) {
    const auto o = serve_slots(1, 10, 0, jobs, policy);
    expect_expired(o[0], 10, 0, 0.0);
    expect_complete(o[1], 10, 0, 0, 1);
    EXPECT_DOUBLE_EQ(o[0].utility + o[1].utility, 1.0);
  }
  const auto o = serve_slots(1, 10, 0, jobs, slot_policy::edf);
  expect_complete(o[0], 10, 0, 0, 1);
  expect_complete(o[1], 20, 10, 0, 1);
  EXPECT_DOUBLE_EQ(o[0].utility + o[1].utility, 1.9);
}

TEST(slotted_queue, fifo_serves_whole_jobs_in_order_of_arrival) {
  const auto o = serve_slots(4, 10, 0, {{0, 0, plain(3)}, {0, 1, plain(3)}, {0, 0, plain(3)}}, slot_policy::fifo);
  expect_complete(o[0], 10, 0, 0, 3);
  expect_expired(o[1], 10, 1, 1.0);
  expect_complete(o[2], 20, 10, 0, 3);
}

TEST(slotted_queue, edf_lets_an_earlier_deadline_interrupt) {
  const auto o =
      serve_slots(1, 10, 0, {{0, 0, plain(1)}, {0, 5, plain(3)}, {5, 2, plain(1)}, {5, 5, plain(1)}}, slot_policy::edf);
  expect_complete(o[1], 40, 0, 1, 2);
  expect_complete(o[2], 20, 10, 0, 1);
  // As early as the second job's, but it came later.
  expect_complete(o[3], 50, 40, 0, 1);
  // No deadline is later than any.
  expect_complete(o[0], 60, 50, 0, 1);
}

TEST(slotted_queue, equal_whole_shares_what_small_jobs_leave) {
  const std::vector<slotted_job> jobs{{0, 1, plain(1)}, {0, 1, plain(4)}, {0, 1, plain(4)}};
  const auto five = serve_slots(5, 10, 0, jobs, slot_policy::equal_whole);
  expect_complete(five[0], 10, 0, 0, 1);
  expect_expired(five[1], 10, 2, 2.0);
  expect_expired(five[2], 10, 2, 2.0);
  const auto six = serve_slots(6, 10, 0, jobs, slot_policy::equal_whole);
  expect_expired(six[1], 10, 3, 3.0);
  expect_expired(six[2], 10, 2, 2.0);
}

TEST(slotted_queue, equal_whole_gives_cores_that_remain_to_those_with_the_fewest_units_done) {
  // Given in slots 1 to 4: 3 and 0, 1 and 2, 1 and 2, 1 and 2.
  const auto late = serve_slots(3, 10, 0, {{0, 0, plain(6)}, {10, 0, plain(6)}}, slot_policy::equal_whole);
  expect_complete(late[0], 40, 0, 0, 3);
  expect_complete(late[1], 40, 10, 0, 2);
  // Two cores for three jobs: the first two, then the third and the first, then those with a unit left.
  const auto few =
      serve_slots(2, 10, 0, {{0, 0, plain(2)}, {0, 0, plain(2)}, {0, 0, plain(2)}}, slot_policy::equal_whole);
  expect_complete(few[0], 20, 0, 0, 1);
  expect_complete(few[1], 30, 0, 1, 2);
  expect_complete(few[2], 30, 10, 0, 1);
}

TEST(slotted_queue, equal_fractional_divides_a_core) {
  const auto o = serve_slots(1, 10, 0, {{0, 0, plain(1)}, {0, 0, plain(1)}}, slot_policy::equal_fractional);
  for (const slotted_outcome& each : o) {
    EXPECT_FALSE(each.expired);
    EXPECT_EQ(each.left, 20u);
  }
  // Halves of units are worth nothing.
  for (const slotted_outcome& each :
       serve_slots(1, 10, 0, {{0, 1, plain(1)}, {0, 1, plain(1)}}, slot_policy::equal_fractional))
    expect_expired(each, 10, 0, 0.0);
  // A third of a slot for each of three, which no number of ticks is.
  for (const slotted_outcome& each :
       serve_slots(1, 10, 0, {{0, 3, plain(1)}, {0, 3, plain(1)}, {0, 3, plain(1)}}, slot_policy::equal_fractional)) {
    EXPECT_EQ(each.left, 30u);
    EXPECT_FALSE(each.expired);
  }
}

TEST(slotted_queue, equal_fractional_shares_what_small_jobs_leave) {
  // Core times: 1, 1.5 and 1.5, then 2 and 2, then what is left of 4.
  for (const std::uint64_t deadline : {1u, 2u, 3u}) {
    const auto o = serve_slots(4, 10, 0, {{0, deadline, plain(1)}, {0, deadline, plain(4)}, {0, deadline, plain(4)}},
                               slot_policy::equal_fractional);
    EXPECT_EQ(o[0].left, 10u);
    for (const std::size_t j : {1u, 2u}) {
      EXPECT_EQ(o[j].units, deadline == 1 ? 1u : deadline == 2 ? 3u : 4u);
      EXPECT_EQ(o[j].expired, deadline < 3);
      EXPECT_EQ(o[j].left, deadline * 10);
    }
  }
}

TEST(slotted_queue, a_job_is_served_in_its_last_slot_and_complete_at_its_end) {
  for (const slot_policy policy : without_sharing) {
    expect_complete(serve_slots(1, 10, 0, {{20, 3, plain(1)}}, policy)[0], 30, 20, 0, 1);
    expect_expired(serve_slots(1, 10, 0, {{20, 3, plain(2)}}, policy)[0], 30, 1, 1.0);
    const auto late = serve_slots(1, 10, 0, {{20, 2, plain(1)}}, policy);
    expect_expired(late[0], 20, 0, 0.0);
    EXPECT_FALSE(late[0].served);
  }
}

TEST(slotted_queue, a_job_that_comes_within_a_slot_waits_for_the_next) {
  for (const slot_policy policy : without_sharing) {
    expect_complete(serve_slots(1, 10, 0, {{21, 0, plain(1)}}, policy)[0], 40, 30, 0, 1);
    expect_complete(serve_slots(1, 10, 0, {{29, 4, plain(1)}}, policy)[0], 40, 30, 0, 1);
    const auto late = serve_slots(1, 10, 0, {{21, 3, plain(1)}}, policy);
    expect_expired(late[0], 30, 0, 0.0);
    EXPECT_FALSE(late[0].served);
  }
}

TEST(slotted_queue, slots_without_jobs_pass) {
  const auto o = serve_slots(1, 10, 0, {{0, 0, plain(1)}, {1000, 0, plain(1)}}, slot_policy::fifo);
  expect_complete(o[0], 10, 0, 0, 1);
  expect_complete(o[1], 1010, 1000, 0, 1);
}

TEST(slotted_queue, a_new_core_loses_epsilon_and_one_that_stays_does_not) {
  // 50 cores do 47.5 units in the first slot; 3 of them the other 2.5 in 833 1/3 ticks of the next.
  for (const slot_policy policy : without_sharing) {
    const auto o = serve_slots(50, 1000, 50, {{0, 0, plain(50)}}, policy);
    expect_complete(o[0], 1833, 0, 0, 50);
    expect_expired(serve_slots(50, 1000, 50, {{0, 1, plain(50)}}, policy)[0], 1000, 47, 47.0);
  }
}

TEST(slotted_queue, new_cores_join_those_that_stay_after_epsilon) {
  // Both have a core until the first is complete; then 120 of the second's 300 remain: 20 ticks on one, 50 on two.
  const auto o = serve_slots(2, 100, 20, {{0, 0, plain(1)}, {0, 0, plain(3)}}, slot_policy::fifo);
  expect_complete(o[0], 120, 0, 0, 1);
  expect_complete(o[1], 270, 0, 0, 2);
}

TEST(slotted_queue, an_epsilon_of_a_slot_makes_the_first_slot_on_each_core_useless) {
  expect_complete(serve_slots(1, 10, 10, {{0, 0, plain(1)}}, slot_policy::edf)[0], 20, 0, 0, 1);
  expect_expired(serve_slots(1, 10, 10, {{0, 1, plain(1)}}, slot_policy::edf)[0], 10, 0, 0.0);
  // Two slots for each unit, in turns.
  const auto o = serve_slots(1, 10, 10, {{0, 0, plain(2)}, {0, 0, plain(2)}}, slot_policy::equal_whole);
  expect_complete(o[0], 60, 0, 1, 2);
  expect_complete(o[1], 80, 20, 1, 2);
}

TEST(slotted_queue, a_core_given_back_to_a_job_is_new_again) {
  // The second job takes slots 2 and 3, of which it loses 4 ticks; the first needs 4 + 1 of slots 1 and 4.
  const auto o = serve_slots(1, 10, 4, {{0, 0, {1}}, {10, 0, {5}}}, slot_policy::ispeed_literal);
  expect_complete(o[0], 38, 0, 1, 2);
  expect_complete(o[1], 24, 10, 0, 1);
}

TEST(slotted_queue, what_it_cannot_simulate_is_refused) {
  const std::vector<slotted_job> one{{0, 0, plain(1)}};
  EXPECT_THROW(serve_slots(0, 10, 0, one, slot_policy::fifo), std::invalid_argument);
  EXPECT_THROW(serve_slots(1, 0, 0, one, slot_policy::fifo), std::invalid_argument);
  EXPECT_THROW(serve_slots(1, 10, 11, one, slot_policy::fifo), std::invalid_argument);
  EXPECT_THROW(serve_slots(1, 10, 1, one, slot_policy::equal_fractional), std::invalid_argument);
  EXPECT_THROW(serve_slots(1, 10, 0, {{0, 0, {}}}, slot_policy::fifo), std::invalid_argument);
  EXPECT_THROW(serve_slots(1, 10, 0, {{1, 0, {1}}, {0, 0, {1}}}, slot_policy::fifo), std::invalid_argument);
}

}  // namespace
}  // namespace muster
