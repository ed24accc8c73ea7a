#include <gtest/gtest.h>

#include "tests/policies/policy_scene.h"

// Adaptive Quickswap with 4 cores and classes that need 4, 2 and 1 of them, unless said otherwise.

namespace muster {
namespace {

constexpr unsigned large = 0, medium = 1, small = 2;
constexpr unsigned working = 1, draining = 2;
const std::vector<unsigned> needs{4, 2, 1};

policy_scene scene() { return {4, needs, "adaptive_quickswap"}; }

TEST(adaptive_quickswap, starts_in_its_working_phase) {
  policy_scene s = scene();
  EXPECT_EQ(s.phase(), working);
  EXPECT_EQ(s.phases(), 2u);
}

TEST(adaptive_quickswap, admits_in_the_order_of_msf_while_working) {
  policy_scene s(8, {4, 2, 1}, "adaptive_quickswap");
  s.arrive({small, medium, large, small, small, medium, small});  // two small ones and one medium in service at first
  EXPECT_EQ(s.serving(), (job_numbers{0, 1, 2, 3}));
  EXPECT_EQ(s.phase(), working);
  s.complete(2);
  EXPECT_EQ(s.started(), (job_numbers{0, 1, 2, 3, 5, 4, 6}));
}

TEST(adaptive_quickswap, drains_when_a_class_waits_unserved_and_no_class_in_service_has_a_job_waiting) {
  policy_scene s = scene();
  s.arrive({small, small, large});
  EXPECT_EQ(s.phase(), draining);
  s.arrive(small);
  EXPECT_EQ(s.serving(), (job_numbers{0, 1}));
}

TEST(adaptive_quickswap, goes_on_working_while_a_class_in_service_has_a_job_waiting) {
  policy_scene s = scene();
  s.arrive({small, small, small, small, small, medium});
  EXPECT_EQ(s.phase(), working);
  s.complete(0);
  EXPECT_EQ(s.serving(), (job_numbers{1, 2, 3, 4}));
  EXPECT_EQ(s.phase(), draining);  // looked at after the admissions: now no small job waits
}

TEST(adaptive_quickswap, goes_on_working_while_every_waiting_class_is_in_service) {
  policy_scene s = scene();
  s.arrive({medium, small, small, medium});
  EXPECT_EQ(s.phase(), working);
  s.complete(1);
  s.arrive(small);
  EXPECT_EQ(s.serving(), (job_numbers{0, 2, 4}));
  EXPECT_EQ(s.phase(), working);
}

TEST(adaptive_quickswap, goes_on_working_while_only_one_of_the_classes_in_service_has_a_job_waiting) {
  policy_scene s = scene();
  s.arrive({medium, small, small, small, large});
  EXPECT_EQ(s.phase(), working);  // large waits unserved, but so does a small job
  s.complete(1);
  EXPECT_EQ(s.serving(), (job_numbers{0, 2, 3}));
  EXPECT_EQ(s.phase(), draining);
}

TEST(adaptive_quickswap, is_working_in_an_empty_cluster) {
  policy_scene s = scene();
  s.arrive(small);
  s.complete(0);
  EXPECT_EQ(s.phase(), working);
}

TEST(adaptive_quickswap, lets_the_largest_waiting_job_enter_as_soon_as_it_fits) {
  policy_scene s = scene();
  s.arrive({small, small, small, medium});
  EXPECT_EQ(s.phase(), draining);
  s.complete(0);  // two cores are idle
  EXPECT_EQ(s.serving(), (job_numbers{1, 2, 3}));
  EXPECT_EQ(s.phase(), working);
}

TEST(adaptive_quickswap, looks_for_the_largest_waiting_job_afresh_after_each_event) {
  policy_scene s = scene();
  s.arrive({small, small, small, medium});
  s.arrive(large);
  s.complete(0);  // medium would fit, but now large is to enter
  EXPECT_EQ(s.serving(), (job_numbers{1, 2}));
  s.complete({1, 2});
  EXPECT_EQ(s.serving(), (job_numbers{4}));
}

TEST(adaptive_quickswap, resumes_working_with_the_admissions_of_msf) {
  policy_scene s(6, {4, 2, 1}, "adaptive_quickswap");
  s.arrive({small, small, small, large});
  s.arrive({small, medium, small});
  EXPECT_EQ(s.serving(), (job_numbers{0, 1, 2}));
  s.complete({0, 1});
  // Large enters with five of six cores taken; medium does not fit beside it; the first small job does.
  EXPECT_EQ(s.serving(), (job_numbers{2, 3, 4}));
  EXPECT_EQ(s.phase(), working);  // a small job waits and small ones are in service
}

TEST(adaptive_quickswap, may_drain_again_in_the_event_that_ended_a_draining_phase) {
  policy_scene s = scene();
  s.arrive({small, large, medium});
  const auto begun = s.phases_begun();
  s.complete(0);
  EXPECT_EQ(s.serving(), (job_numbers{1}));
  EXPECT_EQ(s.phase(), draining);  // for medium
  EXPECT_EQ(s.phases_begun(), begun + 2);
}

TEST(adaptive_quickswap, takes_classes_of_equal_need_as_one_in_order_of_arrival) {
  policy_scene s(4, {4, 4, 1}, "adaptive_quickswap");
  s.arrive({2, 1, 0});
  s.complete(0);
  EXPECT_EQ(s.serving(), (job_numbers{1}));
}

}  // namespace
}  // namespace muster
