#include <gtest/gtest.h>

#include "tests/policies/policy_scene.h"

// Static Quickswap with hand_over = "after_drain" and "while_draining". Unless said otherwise: 4 cores, classes that
// need 4, 2 and 1 of them, threshold k - 1, so that a working phase ends as soon as a place of the class is idle.

namespace muster {
namespace {

constexpr unsigned large = 0, medium = 1, small = 2;
constexpr unsigned working = 1, draining = 2;
const std::vector<unsigned> needs{4, 2, 1};

policy_scene scene(const policy_scene::changes& changed = {}) { return {4, needs, "static_quickswap", changed}; }

TEST(static_quickswap, is_in_no_phase_while_the_cluster_is_empty) {
  policy_scene s = scene();
  EXPECT_EQ(s.phase(), 0u);
  s.arrive(medium);
  EXPECT_EQ(s.phase(), working);
  s.complete(0);
  EXPECT_EQ(s.phase(), 0u);
  EXPECT_EQ(s.phases(), 2u);
}

TEST(static_quickswap, gives_the_turn_to_the_first_arrival_to_an_empty_cluster) {
  for (const unsigned type : {small, medium, large}) {
    policy_scene s = scene();
    s.arrive(type);
    EXPECT_EQ(s.serving(), (job_numbers{0}));
    EXPECT_EQ(s.phase(), working);
  }
}

TEST(static_quickswap, admits_up_to_floor_k_over_i_jobs_of_the_class_in_its_working_phase) {
  policy_scene s(5, {2, 1}, "static_quickswap");
  s.arrive({0, 0, 0});
  EXPECT_EQ(s.serving(), (job_numbers{0, 1}));
  EXPECT_EQ(s.phase(), working);
}

TEST(static_quickswap, goes_on_working_while_the_class_fills_all_its_places) {
  policy_scene s = scene();
  s.arrive({small, small, small, small, small, small, large});
  s.complete({0, 1});
  EXPECT_EQ(s.serving(), (job_numbers{2, 3, 4, 5}));
  EXPECT_EQ(s.phase(), working);
}

TEST(static_quickswap, drains_once_a_place_is_idle_and_then_admits_nobody) {
  policy_scene s = scene();
  s.arrive({small, small, small, small, large});
  s.complete(0);
  EXPECT_EQ(s.phase(), draining);
  s.arrive({small, medium});
  s.complete({1, 2});
  EXPECT_EQ(s.serving(), (job_numbers{3}));
  EXPECT_EQ(s.phase(), draining);
}

TEST(static_quickswap, after_drain_starts_the_next_class_only_when_the_drain_is_complete) {
  policy_scene s = scene();
  s.arrive({small, small, small, small, medium});
  s.complete({0, 1, 2});  // medium would fit after the second of these
  EXPECT_EQ(s.serving(), (job_numbers{3}));
  s.complete(3);
  EXPECT_EQ(s.serving(), (job_numbers{4}));
  EXPECT_EQ(s.phase(), working);
}

TEST(static_quickswap, after_drain_is_the_default_hand_over) {
  policy_scene by_default = scene();
  policy_scene stated = scene({{"hand_over", "after_drain"}});
  for (policy_scene* s : {&by_default, &stated}) {
    s->arrive({small, small, medium, small});
    s->complete(0);
    EXPECT_EQ(s->serving(), (job_numbers{1}));
  }
}

TEST(static_quickswap, gives_turns_in_descending_order_of_need_unless_told_otherwise) {
  policy_scene s = scene();
  s.arrive({large, small, medium, large});
  s.complete({0, 3});
  EXPECT_EQ(s.serving(), (job_numbers{2}));
  s.arrive(large);
  s.complete(2);
  EXPECT_EQ(s.serving(), (job_numbers{1}));
  s.complete(1);
  EXPECT_EQ(s.serving(), (job_numbers{4}));
}

TEST(static_quickswap, gives_turns_in_the_order_that_it_is_told) {
  policy_scene s = scene({{"order", std::vector<class_id>{class_id{large}, class_id{small}, class_id{medium}}}});
  s.arrive({large, small, medium, large});
  s.complete({0, 3});
  EXPECT_EQ(s.serving(), (job_numbers{1}));
  s.arrive(large);
  s.complete(1);
  EXPECT_EQ(s.serving(), (job_numbers{2}));
  s.complete(2);
  EXPECT_EQ(s.serving(), (job_numbers{4}));
}

TEST(static_quickswap, skips_a_class_with_nothing_waiting_when_the_turn_passes) {
  policy_scene s = scene();
  s.arrive({large, small});
  s.complete(0);  // medium would be next
  EXPECT_EQ(s.serving(), (job_numbers{1}));
}

TEST(static_quickswap, gives_the_turn_back_to_a_class_that_waits_alone) {
  policy_scene s = scene({{"drain", "always"}});
  s.arrive({small, small});
  s.complete(0);
  EXPECT_EQ(s.serving(), (job_numbers{1}));
  EXPECT_EQ(s.phase(), draining);
}

TEST(static_quickswap, a_class_whose_turn_comes_with_too_few_jobs_drains_at_once) {
  policy_scene s = scene();
  s.arrive({large, medium, small});
  s.complete(0);
  EXPECT_EQ(s.serving(), (job_numbers{1}));
  EXPECT_EQ(s.phase(), draining);  // one of two places is idle, and a small job waits
  s.arrive(medium);
  EXPECT_EQ(s.serving(), (job_numbers{1}));
}

TEST(static_quickswap, threshold_t_ends_the_working_phase_when_k_minus_t_usable_cores_are_idle) {
  policy_scene s = scene({{"threshold", std::int64_t{1}}});
  s.arrive({small, small, small, small, large});
  s.complete({0, 1});
  EXPECT_EQ(s.phase(), working);
  s.arrive(small);
  EXPECT_EQ(s.serving(), (job_numbers{2, 3, 5}));
  s.complete({2, 3});
  EXPECT_EQ(s.phase(), draining);  // three of four cores are idle
}

TEST(static_quickswap, threshold_0_ends_the_working_phase_only_when_nobody_of_the_class_is_in_service) {
  policy_scene s = scene({{"threshold", std::int64_t{0}}});
  s.arrive({small, large});
  s.arrive(small);
  s.complete(0);
  s.arrive(small);
  EXPECT_EQ(s.serving(), (job_numbers{2, 3}));
  EXPECT_EQ(s.phase(), working);
  s.complete({2, 3});
  EXPECT_EQ(s.serving(), (job_numbers{1}));
}

TEST(static_quickswap, counts_idle_cores_in_whole_places_of_the_class) {
  // Five cores, need 2: the fifth is never usable, and one idle place is two idle cores.
  policy_scene full(5, {2, 1}, "static_quickswap");
  full.arrive({0, 0, 1});
  EXPECT_EQ(full.phase(), working);
  policy_scene one_idle_place(5, {2, 1}, "static_quickswap", {{"threshold", std::int64_t{3}}});
  one_idle_place.arrive({0, 0, 1});
  one_idle_place.complete(0);
  EXPECT_EQ(one_idle_place.phase(), draining);
  policy_scene not_three_cores(5, {2, 1}, "static_quickswap", {{"threshold", std::int64_t{2}}});
  not_three_cores.arrive({0, 0, 1});
  not_three_cores.complete(0);
  EXPECT_EQ(not_three_cores.phase(), working);
}

TEST(static_quickswap, at_least_one_idle_core_ends_a_working_phase_even_if_the_threshold_is_above_the_usable_cores) {
  policy_scene s{4, needs, "static_quickswap", {{"threshold", std::int64_t{5}}}, 2};
  s.arrive({small, small, small, small, large});
  EXPECT_EQ(s.phase(), working);
  s.complete(0);
  EXPECT_EQ(s.phase(), draining);
}

TEST(static_quickswap, counts_the_threshold_from_the_cores_that_the_class_may_use) {
  // Four of six: the working phase ends when 4 - 2 are idle.
  policy_scene s{4, needs, "static_quickswap", {{"threshold", std::int64_t{2}}}, 2};
  s.arrive({small, small, small, small, large});
  s.complete(0);
  EXPECT_EQ(s.phase(), working);
  s.complete(1);
  EXPECT_EQ(s.phase(), draining);
}

TEST(static_quickswap, drain_if_other_waits_goes_on_working_while_no_other_class_waits) {
  policy_scene s = scene();
  s.arrive({small, small, small, small});
  s.complete({0, 1});
  EXPECT_EQ(s.phase(), working);
  s.arrive(small);
  EXPECT_EQ(s.serving(), (job_numbers{2, 3, 4}));
  s.arrive(medium);  // its arrival ends the working phase
  EXPECT_EQ(s.phase(), draining);
  EXPECT_EQ(s.serving(), (job_numbers{2, 3, 4}));
}

TEST(static_quickswap, drain_always_ends_the_working_phase_while_no_other_class_waits) {
  policy_scene s = scene({{"drain", "always"}});
  s.arrive({small, small});
  EXPECT_EQ(s.phase(), draining);
  EXPECT_EQ(s.serving(), (job_numbers{0}));
  s.complete(0);
  EXPECT_EQ(s.serving(), (job_numbers{1}));
}

policy_scene handing_over(const policy_scene::changes& more = {}) {
  policy_scene::changes changed{{"hand_over", "while_draining"}};
  changed.insert(changed.end(), more.begin(), more.end());
  return scene(changed);
}

TEST(static_quickswap, while_draining_admits_the_next_class_into_freed_cores) {
  policy_scene s = handing_over();
  s.arrive({small, small, small, small, medium, medium});
  s.complete(0);
  EXPECT_EQ(s.serving(), (job_numbers{1, 2, 3}));  // one idle core is too few
  s.complete(1);
  EXPECT_EQ(s.serving(), (job_numbers{2, 3, 4}));
  s.complete({2, 3});
  EXPECT_EQ(s.serving(), (job_numbers{4, 5}));
}

TEST(static_quickswap, while_draining_hands_over_at_the_arrival_that_ends_the_working_phase) {
  policy_scene s = handing_over();
  s.arrive({small, medium});  // from small the cycle goes to large, which is skipped
  EXPECT_EQ(s.serving(), (job_numbers{0, 1}));
  EXPECT_EQ(s.phase(), working);  // of the class that now has the turn
}

TEST(static_quickswap, while_draining_admits_neither_the_old_class_nor_a_third) {
  policy_scene s = handing_over();
  s.arrive({small, small, small, small, large});
  s.complete(0);  // the turn is with large
  s.arrive({small, medium});
  s.complete({1, 2});
  EXPECT_EQ(s.serving(), (job_numbers{3}));
  s.complete(3);
  EXPECT_EQ(s.serving(), (job_numbers{4}));
}

TEST(static_quickswap, while_draining_keeps_the_turn_until_every_other_class_has_left_service) {
  policy_scene s = handing_over();
  s.arrive({small, small, medium, large});  // small is in service, medium has the turn and an idle place, large waits
  EXPECT_EQ(s.serving(), (job_numbers{0, 1, 2}));
  s.complete(0);
  s.arrive(medium);
  s.complete(1);
  EXPECT_EQ(s.serving(), (job_numbers{2, 4}));  // medium still has the turn
  s.complete(2);
  s.arrive(medium);  // small has left and a place is idle: the turn has passed to large
  EXPECT_EQ(s.serving(), (job_numbers{4}));
  s.complete(4);
  EXPECT_EQ(s.serving(), (job_numbers{3}));
}

TEST(static_quickswap, while_draining_may_pass_the_turn_twice_in_one_event) {
  policy_scene s = handing_over();
  s.arrive({small, medium, small});  // the turn is with medium, which has a place idle; a small job waits
  EXPECT_EQ(s.serving(), (job_numbers{0, 1}));
  s.complete(0);  // medium's working phase is over: the turn is small's again
  EXPECT_EQ(s.serving(), (job_numbers{1, 2}));
}

TEST(static_quickswap, while_draining_with_drain_always_drains_until_another_class_arrives) {
  policy_scene s = handing_over({{"drain", "always"}});
  s.arrive({small, small});
  EXPECT_EQ(s.serving(), (job_numbers{0}));
  EXPECT_EQ(s.phase(), draining);
  s.arrive(medium);
  EXPECT_EQ(s.serving(), (job_numbers{0, 2}));
  EXPECT_EQ(s.phase(), working);
}

TEST(static_quickswap, while_draining_with_drain_always_keeps_the_draining_class_waiting_until_it_has_drained) {
  policy_scene s = handing_over({{"drain", "always"}});
  s.arrive({small, small, small});
  EXPECT_EQ(s.serving(), (job_numbers{0}));  // though three cores are idle and no other class is there
  EXPECT_EQ(s.phase(), draining);
  s.complete(0);
  EXPECT_EQ(s.serving(), (job_numbers{1, 2}));  // a working phase of its own, which ends at once
  EXPECT_EQ(s.phase(), draining);
}

}  // namespace
}  // namespace muster
