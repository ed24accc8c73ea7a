#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/policies/slurm_scene.h"

// Which jobs give way to others under Slurm's policy, by hand.

namespace muster {
namespace {

// Jobs of classes 0 and 1 need both nodes, those of classes 2 and 3 a part of one. Classes 0 and 1 may preempt the
// others.
placing_scene preempting(const placing_scene::changes& more = {}, const char* mode_of_class_3 = "of_cluster",
                         std::int64_t grace_of_class_3 = 0) {
  std::vector<settings> of_classes(4);
  for (std::size_t n = 0; n < 4; ++n) of_classes[n].set("PriorityTier", std::int64_t(n < 2 ? 2 : 1));
  of_classes[3].set("PreemptMode", std::string(mode_of_class_3));
  of_classes[3].set("GraceTime", grace_of_class_3);
  placing_scene::changes set{{"PreemptType", std::string("partition_prio")}, {"PreemptMode", std::string("requeue")}};
  set.insert(set.end(), more.begin(), more.end());
  return {only_cores, {{2, {4}}}, {0}, needs_of({{2, {4}}, {2, {2}}, {1, {3}}, {1, {1}}}),
          "slurm",    set,        {},  of_classes};
}

// Jobs 0 and 1 run on a node each. Job 2 comes at 10 and takes both; they may start again 121 s later.
TEST(slurm, requeues_jobs_of_a_lower_tier_that_are_in_the_way_and_starts_them_anew_two_minutes_later) {
  placing_scene scene = preempting();
  const starts found = scene.run({{0, 100, 200, 2}, {0, 100, 200, 2}, {10, 20, 60, 0}});
  EXPECT_EQ(found[2], 10u);
  EXPECT_EQ(found, (starts{131, 131, 10}));
  for (std::uint64_t n = 0; n < 3; ++n) EXPECT_EQ(scene.kills(n), n < 2 ? 1u : 0u) << n;
}

// Job 2 comes at 10 and takes both nodes. Job 1 has a partition whose mode is the other one.
TEST(slurm, cancels_jobs_or_lets_them_start_anew_as_their_partitions_say) {
  const std::vector<placed_job> jobs{{0, 100, 200, 2}, {0, 100, 200, 3}, {10, 20, 60, 0}};
  EXPECT_EQ(preempting({{"PreemptMode", std::string("cancel")}}).run(jobs), (starts{0, 0, 10}));
  EXPECT_EQ(preempting({{"PreemptMode", std::string("cancel")}}, "requeue").run(jobs), (starts{0, 131, 10}));
  EXPECT_EQ(preempting({}, "cancel").run(jobs), (starts{131, 0, 10}));
}

// Job 1 needs all nodes at 10. Slurm looks at 30, 60 and so on whether a grace time is over.
TEST(slurm, lets_a_job_that_is_to_give_way_run_on_for_its_grace_time) {
  for (const auto& [grace, size, start, kills] : std::vector<std::array<ticks, 4>>{
           {20, 100, 30, 1}, {21, 100, 60, 1}, {21, 45, 45, 0}, {400, 100, 100, 0}, {1, 100, 30, 1}})
    for (const char* mode : {"requeue", "cancel"}) {
      placing_scene scene = preempting({}, mode, static_cast<std::int64_t>(grace));
      const starts found = scene.run({{0, size, 200, 3}, {10, 20, 60, 0}});
      EXPECT_EQ(found[1], start) << grace << ' ' << size;
      EXPECT_EQ(found[0], kills > 0 && mode == std::string("requeue") ? start + 121 : 0) << grace << ' ' << size;
      EXPECT_EQ(scene.kills(0), kills) << grace << ' ' << size;
    }
}

// The limit of job 0 is over at 40, before its grace time is.
TEST(slurm, ends_the_grace_time_of_a_job_with_its_limit) {
  EXPECT_EQ(preempting({}, "requeue", 300).run({{0, 100, 40, 3}, {10, 20, 60, 0}}), (starts{181, 60}));
}

TEST(slurm, leaves_jobs_alone_of_partitions_whose_preempt_mode_is_off_and_that_run_for_less_than_the_exempt_time) {
  const std::vector<placed_job> jobs{{0, 100, 200, 3}, {10, 20, 60, 0}};
  EXPECT_EQ(preempting().run(jobs)[1], 10u);
  EXPECT_EQ(preempting({}, "off").run(jobs)[1], 100u);
  const ticks late = preempting({{"PreemptExemptTime", 50.0}}).run(jobs)[1];
  EXPECT_GE(late, 50u);
  EXPECT_LE(late, 80u);
}

// Four jobs of one core each are on node 0, a later one of three cores is on node 1. Job 5 needs two cores twice: all
// of node 0, or of node 1.
TEST(slurm, lets_the_latest_starts_give_way_where_the_youngest_go_first) {
  const std::vector<placed_job> jobs{{0, 900, 900, 3}, {3, 900, 900, 3},  {6, 900, 900, 3},
                                     {9, 900, 900, 3}, {12, 900, 900, 2}, {30, 20, 60, 1}};
  for (const bool youngest : {false, true}) {
    placing_scene scene = preempting({{"preempt_youngest_first", std::string(youngest ? "yes" : "no")},
                                      {"preempt_reorder_count", std::int64_t{0}},
                                      {"preempt_strict_order", std::string("yes")}});
    EXPECT_EQ(scene.run(jobs)[5], 30u);
    std::vector<unsigned> kills;
    for (std::uint64_t n = 0; n < 5; ++n) kills.push_back(scene.kills(n));
    EXPECT_EQ(kills, (youngest ? std::vector<unsigned>{0, 0, 0, 0, 1} : std::vector<unsigned>{1, 1, 1, 1, 0}))
        << youngest;
  }
}

TEST(slurm, refuses_a_preempt_type_without_a_mode_and_a_mode_without_a_type) {
  for (const auto& [type, mode, text] : std::vector<std::array<const char*, 3>>{
           {"partition_prio", "off", "expected 'requeue' or 'cancel' with PreemptType 'partition_prio', found 'off'"},
           {"none", "requeue", "expected 'off' with PreemptType 'none', found 'requeue'"},
           {"none", "cancel", "expected 'off' with PreemptType 'none', found 'cancel'"}})
    try {
      two_nodes({{"PreemptType", std::string(type)}, {"PreemptMode", std::string(mode)}});
      ADD_FAILURE() << type << ' ' << mode;
    } catch (const policy_error& e) {
      EXPECT_NE(std::string(e.what()).find(text), std::string::npos) << e.what();
    }
}

}  // namespace
}  // namespace muster
