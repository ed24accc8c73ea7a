#include <gtest/gtest.h>

#include "tests/policies/policy_scene.h"

// FCFS, First-Fit, MSF and dominant resource fairness: policies without a memory.

namespace muster {
namespace {

constexpr unsigned large = 0, medium = 1, small = 2;
const std::vector<unsigned> needs{4, 2, 1};  // of 4 cores

TEST(fcfs, starts_jobs_in_order_of_arrival_whatever_their_need) {
  policy_scene s(4, needs, "fcfs");
  s.arrive({small, medium, small});
  EXPECT_EQ(s.serving(), (job_numbers{0, 1, 2}));
}

TEST(fcfs, lets_a_job_that_does_not_fit_hold_up_all_behind_it) {
  policy_scene s(4, needs, "fcfs");
  s.arrive({small, large, small, small});
  EXPECT_EQ(s.serving(), (job_numbers{0}));
  s.complete(0);
  EXPECT_EQ(s.serving(), (job_numbers{1}));
  s.complete(1);
  EXPECT_EQ(s.serving(), (job_numbers{2, 3}));
}

TEST(fcfs, starts_as_many_as_fit_when_a_large_job_leaves) {
  policy_scene s(4, needs, "fcfs");
  s.arrive({large, medium, small, medium, small});
  s.complete(0);
  EXPECT_EQ(s.serving(), (job_numbers{1, 2}));  // job 3 needs two cores, so job 4 waits though one is idle
}

TEST(first_fit, passes_over_a_job_that_does_not_fit) {
  policy_scene s(4, needs, "first_fit");
  s.arrive({small, large, medium});
  EXPECT_EQ(s.serving(), (job_numbers{0, 2}));
}

TEST(first_fit, examines_jobs_in_order_of_arrival_not_of_need) {
  policy_scene s(4, needs, "first_fit");
  s.arrive({large, small, small, medium, small});
  s.complete(0);
  EXPECT_EQ(s.started(), (job_numbers{0, 1, 2, 3}));
}

TEST(first_fit, takes_the_jobs_of_a_class_in_order_of_arrival) {
  policy_scene s(4, needs, "first_fit");
  s.arrive({large, medium, small, medium, medium});
  s.complete(0);
  EXPECT_EQ(s.serving(), (job_numbers{1, 2}));
  s.complete(1);
  EXPECT_EQ(s.serving(), (job_numbers{2, 3}));
  s.complete(3);
  EXPECT_EQ(s.serving(), (job_numbers{2, 4}));
}

TEST(msf, starts_jobs_in_descending_order_of_need) {
  policy_scene s(4, needs, "msf");
  s.arrive({large, small, medium, large});
  s.complete(0);
  EXPECT_EQ(s.serving(), (job_numbers{3}));
  s.complete(3);
  EXPECT_EQ(s.started(), (job_numbers{0, 3, 2, 1}));
}

TEST(msf, starts_a_smaller_job_where_the_largest_does_not_fit) {
  policy_scene s(4, needs, "msf");
  s.arrive({medium, large, small});
  EXPECT_EQ(s.serving(), (job_numbers{0, 2}));
}

TEST(msf, takes_the_jobs_of_a_class_in_order_of_arrival) {
  policy_scene s(4, needs, "msf");
  s.arrive({large, small, medium, medium, medium});
  s.complete(0);
  EXPECT_EQ(s.started(), (job_numbers{0, 2, 3}));
  s.complete(3);
  EXPECT_EQ(s.started(), (job_numbers{0, 2, 3, 4}));
}

TEST(msf, counts_classes_of_equal_need_as_one_first_come_first_served) {
  policy_scene s(4, {4, 2, 2, 1}, "msf");
  s.arrive({0, 2, 1, 2, 1});
  s.complete(0);
  EXPECT_EQ(s.started(), (job_numbers{0, 1, 2}));
  s.complete({1, 2});
  EXPECT_EQ(s.started(), (job_numbers{0, 1, 2, 3, 4}));
}

TEST(first_fit_and_msf, reserve_nothing_for_a_job_that_does_not_fit) {
  for (const char* name : {"first_fit", "msf"}) {
    policy_scene s(4, needs, name);
    s.arrive({small, large});
    for (std::uint64_t i = 0; i < 10; ++i) {
      s.arrive(small);
      s.complete(i == 0 ? 0 : i + 1);
      EXPECT_EQ(s.waiting(), (job_numbers{1})) << name;
    }
  }
}

TEST(policies_without_phases, say_so) {
  for (const char* name : {"fcfs", "first_fit", "msf"}) {
    policy_scene s(4, needs, name);
    s.arrive({small, large});
    EXPECT_EQ(s.phases(), 0u) << name;
    EXPECT_EQ(s.phase(), 0u) << name;
  }
}

// Of 10 cores 3 times 1/10 and once 3/10, which differ by rounding: job 5, of the small class, has arrived first.
TEST(dominant_resource_fairness, starts_the_earliest_arrival_among_classes_that_hold_equal_shares) {
  policy_scene s(10, {4, 3, 1}, "dominant_resource_fairness");
  s.arrive({0, 1, 2, 2, 2, 2, 1});
  s.complete(0);
  EXPECT_EQ(s.started(), (job_numbers{0, 1, 2, 3, 4, 5, 6}));
}

}  // namespace
}  // namespace muster
