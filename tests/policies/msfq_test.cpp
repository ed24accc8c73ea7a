#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/policies/policy_scene.h"

// MSFQ with 4 cores and, unless said otherwise, threshold 2.

namespace muster {
namespace {

constexpr unsigned heavy = 0, light = 1;

policy_scene scene(std::int64_t threshold = 2, const std::string& drain = "always") {
  return {4, {4, 1}, "msfq", {{"threshold", threshold}, {"drain", drain}}};
}

TEST(msfq, is_in_no_phase_while_the_cluster_is_empty) {
  policy_scene s = scene();
  EXPECT_EQ(s.phase(), 0u);
  for (const unsigned type : {heavy, light}) {
    const auto number = s.arrive(type);
    EXPECT_NE(s.phase(), 0u);
    s.complete(number);
    EXPECT_EQ(s.phase(), 0u);
  }
  EXPECT_EQ(s.phases(), 4u);
}

TEST(msfq, starts_phase_1_when_a_heavy_job_arrives_to_an_empty_cluster) {
  policy_scene s = scene();
  s.arrive(heavy);
  EXPECT_EQ(s.serving(), (job_numbers{0}));
  EXPECT_EQ(s.phase(), 1u);
}

TEST(msfq, starts_a_light_period_when_a_light_job_arrives_to_an_empty_cluster) {
  policy_scene with_threshold_0 = scene(0);
  with_threshold_0.arrive(light);
  EXPECT_EQ(with_threshold_0.serving(), (job_numbers{0}));
  EXPECT_EQ(with_threshold_0.phase(), 3u);  // fewer than k light jobs, more than the threshold
}

TEST(msfq, goes_straight_to_phase_4_when_the_light_job_that_arrives_to_an_empty_cluster_is_within_the_threshold) {
  policy_scene s = scene();
  s.arrive({light, light});
  EXPECT_EQ(s.serving(), (job_numbers{0}));
  EXPECT_EQ(s.phase(), 4u);
}

TEST(msfq, serves_heavy_jobs_one_after_the_other_in_phase_1_until_none_remains) {
  policy_scene s = scene();
  s.arrive({heavy, light, heavy, light, heavy});
  s.complete(0);
  EXPECT_EQ(s.serving(), (job_numbers{2}));
  s.arrive(heavy);  // those that arrive meanwhile are served too
  s.complete({2, 4});
  EXPECT_EQ(s.serving(), (job_numbers{5}));
  EXPECT_EQ(s.phase(), 1u);
  s.complete(5);
  EXPECT_EQ(s.serving(), (job_numbers{1, 3}));
}

TEST(msfq, counts_successive_heavy_jobs_as_one_phase_1) {
  policy_scene s = scene();
  s.arrive({heavy, heavy, heavy});
  const auto begun = s.phases_begun();
  s.complete({0, 1});
  EXPECT_EQ(s.phases_begun(), begun);
}

TEST(msfq, stays_in_phase_2_while_at_least_k_light_jobs_are_in_the_system) {
  policy_scene s = scene();
  s.arrive({heavy, light, light, light, light, light});
  s.complete(0);
  EXPECT_EQ(s.serving(), (job_numbers{1, 2, 3, 4}));
  EXPECT_EQ(s.phase(), 2u);
  s.arrive(heavy);  // changes nothing
  s.complete(1);
  EXPECT_EQ(s.serving(), (job_numbers{2, 3, 4, 5}));
  EXPECT_EQ(s.phase(), 2u);
  s.complete(2);
  EXPECT_EQ(s.phase(), 3u);
}

TEST(msfq, admits_light_jobs_in_phase_3_and_does_not_go_back_to_phase_2) {
  policy_scene s = scene();
  s.arrive({heavy, light, light, light, heavy});
  s.complete({0, 4});
  EXPECT_EQ(s.phase(), 3u);
  s.arrive(light);
  EXPECT_EQ(s.serving(), (job_numbers{1, 2, 3, 5}));
  EXPECT_EQ(s.phase(), 3u);
  s.arrive(light);
  s.complete(1);
  EXPECT_EQ(s.serving(), (job_numbers{2, 3, 5, 6}));
  EXPECT_EQ(s.phase(), 3u);
}

// Heavy job 0, then three light ones in service; one completion later there are two, the threshold.
void come_to_drain(policy_scene& s, bool heavy_waits) {
  s.arrive({heavy, light, light, light});
  s.complete(0);
  if (heavy_waits) s.arrive(heavy);
  s.complete(1);
}

TEST(msfq, admits_no_light_job_in_phase_4) {
  policy_scene s = scene(2, "always");
  come_to_drain(s, true);
  EXPECT_EQ(s.phase(), 4u);
  s.arrive({light, light});
  s.complete(2);
  EXPECT_EQ(s.serving(), (job_numbers{3}));
  EXPECT_EQ(s.phase(), 4u);
}

TEST(msfq, starts_phase_1_at_the_end_of_phase_4_with_a_heavy_job_even_if_it_came_during_phase_4) {
  policy_scene s = scene(2, "always");
  come_to_drain(s, false);
  s.arrive({light, heavy});
  s.complete({2, 3});
  EXPECT_EQ(s.serving(), (job_numbers{5}));
  EXPECT_EQ(s.phase(), 1u);
}

TEST(msfq, drain_always_runs_phase_4_to_its_end_without_a_heavy_job_too) {
  policy_scene s = scene(2, "always");
  come_to_drain(s, false);
  EXPECT_EQ(s.phase(), 4u);
  s.arrive(light);
  s.complete(2);
  EXPECT_EQ(s.serving(), (job_numbers{3}));
  EXPECT_EQ(s.phase(), 4u);
}

TEST(msfq, drain_is_always_by_default_and_the_threshold_k_minus_1) {
  policy_scene s(4, {4, 1}, "msfq");
  s.arrive({heavy, light, light, light, light, light});
  s.complete({0, 1});
  EXPECT_EQ(s.phase(), 2u);
  s.complete(2);
  EXPECT_EQ(s.phase(), 4u);  // three jobs are at most the threshold: phase 3 takes no time
  s.arrive(light);
  EXPECT_EQ(s.serving(), (job_numbers{3, 4, 5}));
}

TEST(msfq, starts_a_light_period_at_the_end_of_phase_4_without_a_heavy_job_with_all_waiting_light_jobs_up_to_k) {
  policy_scene s = scene(2, "always");
  come_to_drain(s, false);
  s.arrive({light, light, light, light, light});
  s.complete({2, 3});
  EXPECT_EQ(s.serving(), (job_numbers{4, 5, 6, 7}));
  EXPECT_EQ(s.phase(), 2u);
}

TEST(msfq, starts_a_light_period_between_threshold_and_k_in_phase_3) {
  policy_scene s = scene(2, "always");
  come_to_drain(s, false);
  s.arrive({light, light, light});
  s.complete({2, 3});
  EXPECT_EQ(s.serving(), (job_numbers{4, 5, 6}));
  EXPECT_EQ(s.phase(), 3u);
}

TEST(msfq, goes_straight_to_phase_4_when_a_light_period_starts_with_at_most_threshold_jobs) {
  policy_scene s = scene(2, "always");
  come_to_drain(s, false);
  s.arrive({light, light});
  const auto begun = s.phases_begun();
  s.complete({2, 3});
  EXPECT_EQ(s.serving(), (job_numbers{4, 5}));
  EXPECT_EQ(s.phase(), 4u);
  EXPECT_GT(s.phases_begun(), begun);  // a new phase 4, though the number is the same
  s.arrive(light);
  EXPECT_EQ(s.serving(), (job_numbers{4, 5}));
}

TEST(msfq, starts_a_light_period_after_phase_1_by_the_same_rule) {
  policy_scene s = scene();
  s.arrive({heavy, light, light});
  s.complete(0);
  EXPECT_EQ(s.phase(), 4u);
  s.arrive(light);
  EXPECT_EQ(s.serving(), (job_numbers{1, 2}));
}

TEST(msfq, drain_if_heavy_waits_goes_on_admitting_light_jobs_until_a_heavy_one_is_there) {
  policy_scene s = scene(2, "if_heavy_waits");
  come_to_drain(s, false);
  EXPECT_EQ(s.phase(), 3u);
  s.arrive(light);
  EXPECT_EQ(s.serving(), (job_numbers{2, 3, 4}));
  s.complete({2, 3});
  EXPECT_EQ(s.phase(), 3u);
  s.arrive(heavy);
  EXPECT_EQ(s.phase(), 4u);
  s.arrive(light);
  EXPECT_EQ(s.serving(), (job_numbers{4}));
}

TEST(msfq, drain_if_heavy_waits_starts_only_at_the_threshold) {
  policy_scene s = scene(2, "if_heavy_waits");
  s.arrive({heavy, light, light, light});
  s.complete(0);
  s.arrive({heavy, light});
  EXPECT_EQ(s.serving(), (job_numbers{1, 2, 3, 5}));
  EXPECT_EQ(s.phase(), 3u);
  s.complete({1, 2});
  EXPECT_EQ(s.phase(), 4u);
}

TEST(msfq, refuses_any_other_workload_than_one_or_all) {
  const policy_entry& entry = *find_policy("msfq");
  EXPECT_FALSE(entry.check_classes(policy_scene(4, {4, 1}, "fcfs").view()));
  EXPECT_TRUE(entry.check_classes(policy_scene(4, {4, 2}, "fcfs").view()));
  EXPECT_TRUE(entry.check_classes(policy_scene(4, {3, 1}, "fcfs").view()));
  EXPECT_TRUE(entry.check_classes(policy_scene(4, {1}, "fcfs").view()));
  EXPECT_TRUE(entry.check_classes(policy_scene(4, {4, 1, 1}, "fcfs").view()));
  EXPECT_TRUE(entry.check_classes(policy_scene(1, {1, 1}, "fcfs").view()));
}

RC_GTEST_PROP(msfq, equals_msf_job_by_job_where_the_threshold_is_0, ()) {
  const auto cores = *rc::gen::inRange(2u, 9u);
  const std::string drain = *rc::gen::element<std::string>("always", "if_heavy_waits");
  policy_scene msf(cores, {cores, 1}, "msf");
  policy_scene msfq(cores, {cores, 1}, "msfq", {{"threshold", std::int64_t{0}}, {"drain", drain}});
  const auto events = *rc::gen::scale(2.0, rc::gen::arbitrary<std::vector<std::uint16_t>>());
  for (const unsigned event : events) {
    const job_numbers serving = msf.serving();
    if (event % 2 == 0 && !serving.empty()) {
      const std::uint64_t leaving = serving[event / 2 % serving.size()];
      msf.complete(leaving);
      msfq.complete(leaving);
    } else {
      const unsigned type = event % 3 == 0 ? heavy : light;
      msf.arrive(type);
      msfq.arrive(type);
    }
    RC_ASSERT(msf.started() == msfq.started());
  }
}

}  // namespace
}  // namespace muster
