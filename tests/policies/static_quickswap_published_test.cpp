#include <gtest/gtest.h>

#include "tests/policies/policy_scene.h"

// Static Quickswap with hand_over = "published". "Ready to pass": no other class is in service and the current class
// has at least one of its floor(k / i) places idle. Four cores, classes that need 4, 2 and 1 of them.

namespace muster {
namespace {

constexpr unsigned large = 0, medium = 1, small = 2;
const std::vector<unsigned> needs{4, 2, 1};

policy_scene scene(const policy_scene::changes& more = {}) {
  policy_scene::changes changed{{"hand_over", "published"}};
  changed.insert(changed.end(), more.begin(), more.end());
  return {4, needs, "static_quickswap", changed};
}

TEST(static_quickswap_published, has_no_phases) {
  policy_scene s = scene();
  s.arrive({small, medium, large});
  EXPECT_EQ(s.phases(), 0u);
  EXPECT_EQ(s.phase(), 0u);
}

TEST(static_quickswap_published, starts_the_first_arrival_whatever_its_class) {
  for (const unsigned type : {small, medium, large}) {
    policy_scene s = scene();
    s.arrive(type);
    EXPECT_EQ(s.serving(), (job_numbers{0}));
  }
}

TEST(static_quickswap_published, passes_the_turn_at_an_arrival_of_another_class_if_ready) {
  policy_scene s = scene();
  s.arrive({small, medium});  // one of four places is taken: ready
  EXPECT_EQ(s.serving(), (job_numbers{0, 1}));
}

TEST(static_quickswap_published, keeps_the_turn_at_an_arrival_of_another_class_if_all_places_are_taken) {
  policy_scene s = scene();
  s.arrive({medium, medium, medium, small});
  s.complete(0);  // not ready at the arrival of small: medium is admitted
  EXPECT_EQ(s.serving(), (job_numbers{1, 2}));
}

TEST(static_quickswap_published, keeps_the_turn_while_another_class_is_in_service) {
  policy_scene s = scene();
  s.arrive({small, small, small, medium, medium, small});  // medium has the turn; nothing more fits
  EXPECT_EQ(s.serving(), (job_numbers{0, 1, 2}));
  s.complete(0);
  EXPECT_EQ(s.serving(), (job_numbers{1, 2, 3}));  // a place of medium is idle, but small jobs are in service
  s.complete({1, 2});
  EXPECT_EQ(s.serving(), (job_numbers{3, 4}));
}

// Jobs 2 (medium) and 3 (small) wait in an empty cluster; medium got the turn from large when job 1 left.
void empty_with_the_turn_at_medium(policy_scene& s) {
  s.arrive({large, large, medium, small});
  s.complete({0, 1});
}

TEST(static_quickswap_published, leaves_an_empty_cluster_idle_until_the_next_arrival) {
  policy_scene s = scene();
  empty_with_the_turn_at_medium(s);
  EXPECT_EQ(s.serving(), (job_numbers{}));
  EXPECT_EQ(s.waiting(), (job_numbers{2, 3}));
}

TEST(static_quickswap_published, admits_the_class_that_has_the_turn_when_no_job_will_arrive) {
  policy_scene s = scene();
  empty_with_the_turn_at_medium(s);
  s.end_stream();
  EXPECT_EQ(s.serving(), (job_numbers{2}));
  s.complete(2);  // once medium's job was in service, medium was ready: small has the turn
  EXPECT_EQ(s.serving(), (job_numbers{3}));
}

TEST(static_quickswap_published, does_not_pass_the_turn_at_an_arrival_of_the_current_class) {
  policy_scene s = scene();
  empty_with_the_turn_at_medium(s);
  s.arrive(medium);
  EXPECT_EQ(s.serving(), (job_numbers{2, 4}));
}

TEST(static_quickswap_published, passes_the_turn_at_an_arrival_to_the_next_in_the_cycle_not_to_the_newcomer) {
  policy_scene s = scene();
  empty_with_the_turn_at_medium(s);
  s.arrive(large);  // ready: after medium comes small
  EXPECT_EQ(s.serving(), (job_numbers{3}));
}

TEST(static_quickswap_published, passes_the_turn_at_the_end_of_an_arrival_too) {
  policy_scene s = scene();
  empty_with_the_turn_at_medium(s);
  s.arrive(large);  // once small's job is in service, small is ready: the turn goes on to large
  s.arrive(small);
  EXPECT_EQ(s.serving(), (job_numbers{3}));
  s.complete(3);
  EXPECT_EQ(s.serving(), (job_numbers{4}));
}

TEST(static_quickswap_published, passes_the_turn_while_the_current_class_has_nothing_waiting_even_if_not_ready) {
  policy_scene s = scene();
  s.arrive({large, medium});  // large has its one place taken: not ready, but nothing of it waits
  s.arrive(large);
  s.complete(0);
  EXPECT_EQ(s.serving(), (job_numbers{1}));  // medium had the turn
}

TEST(static_quickswap_published, admits_the_current_class_into_all_free_cores_that_fit) {
  policy_scene s = scene();
  s.arrive({large, small, small, small});
  s.complete(0);
  EXPECT_EQ(s.serving(), (job_numbers{1, 2, 3}));
}

TEST(static_quickswap_published, admits_the_class_that_gets_the_turn_at_a_completion_only_at_the_next_event) {
  policy_scene s = scene();
  s.arrive({medium, medium, medium, small, small});
  s.complete({0, 1});  // ready after the admissions: the turn passes
  EXPECT_EQ(s.serving(), (job_numbers{2}));
  EXPECT_EQ(s.waiting(), (job_numbers{3, 4}));
  s.complete(2);
  EXPECT_EQ(s.serving(), (job_numbers{3, 4}));
}

TEST(static_quickswap_published, passes_turns_in_the_order_that_it_is_told) {
  const std::vector<class_id> ascending{class_id{small}, class_id{medium}, class_id{large}};
  policy_scene descends = scene();
  policy_scene ascends = scene({{"order", ascending}});
  for (policy_scene* s : {&descends, &ascends}) {
    s->arrive({medium, medium, medium, small, large});
    s->complete({0, 1, 2});
  }
  EXPECT_EQ(descends.serving(), (job_numbers{3}));
  EXPECT_EQ(ascends.serving(), (job_numbers{4}));
}

TEST(static_quickswap_published, refuses_a_threshold_and_a_drain_rule_because_it_has_neither) {
  EXPECT_THROW(scene({{"threshold", std::int64_t{3}}}), policy_error);
  EXPECT_THROW(scene({{"drain", "if_other_waits"}}), policy_error);
}

}  // namespace
}  // namespace muster
