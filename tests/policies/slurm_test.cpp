#include <array>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "muster/policies/slurm/pass_times.h"
#include "tests/oracles/slurm_loops.h"
#include "tests/policies/backfilling_scene.h"
#include "tests/policies/placing_scene.h"

// Slurm's policy, where a tick is a second, against its loops gone through second by second, and by hand.

namespace muster {
namespace {

using starts = std::vector<ticks>;

void set_limits(settings& to, const oracle::slurm_loop_limits& of) {
  to.set("GrpJobs", std::int64_t(of.jobs_of_all));
  to.set("GrpCPUs", std::int64_t(of.cores_of_all));
  to.set("GrpNodes", std::int64_t(of.nodes_of_all));
  to.set("MaxJobsPerUser", std::int64_t(of.jobs_of_user));
  to.set("MaxCPUsPerUser", std::int64_t(of.cores_of_user));
  to.set("MaxNodesPerUser", std::int64_t(of.nodes_of_user));
}

/// The QOS are called q0, q1 and so on.
std::vector<named_settings> tables_of(const std::vector<oracle::slurm_loop_qos>& qos) {
  std::vector<named_settings> all;
  for (const oracle::slurm_loop_qos& q : qos) {
    settings& own = all.emplace_back(named_settings{"q" + std::to_string(all.size()), {}}).values;
    own.set("Priority", std::int64_t(q.priority));
    set_limits(own, q.limits);
    own.set("OverPartQOS", std::string(q.over_partition ? "yes" : "no"));
    std::string preempted;
    for (const std::size_t other : q.preempts) preempted += (preempted.empty() ? "q" : ",q") + std::to_string(other);
    own.set("Preempt", preempted);
  }
  return all;
}

placing_scene::changes in_settings(const oracle::slurm_loop_settings& of) {
  placing_scene::changes all{{"sched_interval", of.sched_interval},
                             {"batch_sched_delay", std::int64_t(of.batch_sched_delay)},
                             {"default_queue_depth", std::int64_t(of.default_queue_depth)},
                             {"defer", std::string(of.defer ? "yes" : "no")},
                             {"SchedulerType", std::string(of.backfill ? "backfill" : "builtin")},
                             {"bf_interval", std::int64_t(of.bf_interval)},
                             {"bf_window", std::int64_t(of.bf_window / 60)},
                             {"bf_resolution", std::int64_t(of.bf_resolution)},
                             {"bf_window_linear", std::int64_t(of.bf_window_linear)},
                             {"KillWait", std::int64_t(of.kill_wait)},
                             {"completing_time", static_cast<double>(of.completing_time)},
                             {"bf_max_job_test", std::int64_t(of.bf_max_job_test)},
                             {"bf_max_job_start", std::int64_t(of.bf_max_job_start)}};
  if (of.weight_age > 0.0 || of.weight_size > 0.0 || of.weight_qos > 0.0) {
    all.emplace_back("PriorityType", std::string("multifactor"));
    all.emplace_back("PriorityWeightAge", std::int64_t(of.weight_age));
    all.emplace_back("PriorityWeightJobSize", std::int64_t(of.weight_size));
    all.emplace_back("PriorityWeightQOS", std::int64_t(of.weight_qos));
    all.emplace_back("PriorityMaxAge", static_cast<double>(of.max_age));
    all.emplace_back("PriorityCalcPeriod", static_cast<double>(of.calc_period));
  }
  if (of.preempts) {
    all.emplace_back("PreemptType", std::string(of.by_qos ? "qos" : "partition_prio"));
    all.emplace_back("PreemptMode", std::string("requeue"));
    all.emplace_back("PreemptExemptTime", static_cast<double>(of.exempt_time));
    all.emplace_back("preempt_youngest_first", std::string(of.youngest_first ? "yes" : "no"));
    all.emplace_back("preempt_reorder_count", std::int64_t(of.reorder_count));
    all.emplace_back("preempt_strict_order", std::string(of.strict_order ? "yes" : "no"));
  }
  if (!of.qos.empty()) all.emplace_back("qos", tables_of(of.qos));
  return all;
}

/// A log that is drawn, with nodes and settings.
struct drawn_case {
  std::vector<std::vector<std::uint64_t>> nodes;
  std::vector<oracle::slurm_loop_need> needs;
  std::vector<oracle::slurm_loop_job> jobs;
  oracle::slurm_loop_settings settings;
};

drawn_case draw(std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  const auto between = [&](std::uint64_t low, std::uint64_t high) { return low + bits() % (high - low + 1); };
  const auto one_of = [&](const std::vector<std::uint64_t>& words) { return words[bits() % words.size()]; };
  drawn_case all;
  const bool memory = seed % 3 == 1, whole = seed % 3 == 2, devices = seed % 6 == 4;  // devices in place of memory
  const std::uint64_t cores = between(1, 4), count = between(2, 9);
  for (std::uint64_t n = 0; n < count; ++n)
    all.nodes.push_back(memory ? std::vector<std::uint64_t>{cores, devices ? 3U : 10U}
                               : std::vector<std::uint64_t>{cores});
  for (std::uint64_t n = between(2, 5); n > 0; --n) {
    oracle::slurm_loop_need need{1, {between(1, cores)}, whole && bits() % 2 == 0};
    if (memory) need.each.push_back(between(1, 10) % (devices ? 3 : 11));
    std::uint64_t most = cores / need.each[0];
    if (memory && need.each[1] > 0) most = std::min(most, all.nodes[0][1] / need.each[1]);
    if (need.exclusive) most = cores / need.each[0];
    need.tasks = static_cast<unsigned>(between(1, count * most));
    all.needs.push_back(need);
  }
  const bool apart = bits() % 2 == 0, overruns = bits() % 4 == 0;
  std::uint64_t at = 0;
  for (std::uint64_t n = 0; n < 40; ++n) {
    at += bits() % 3 == 0 ? between(0, 150) : 0;
    const std::uint64_t limit = apart ? between(10, 900) : 60 * between(1, 15);
    const std::uint64_t size = bits() % 3 == 0 ? limit : between(1, overruns ? 2 * limit : limit);
    all.jobs.push_back({at, size, limit, bits() % all.needs.size()});
  }
  oracle::slurm_loop_settings& set = all.settings;
  if (devices) set.first_device = 1;
  set.sched_interval = static_cast<std::int64_t>(one_of({0, 7, 60, 60}));
  if (bits() % 4 == 0) set.sched_interval = -1;
  set.batch_sched_delay = one_of({0, 3, 10});
  set.default_queue_depth = one_of({1, 3, 100});
  set.defer = bits() % 3 == 0;
  set.bf_interval = one_of({1, 5, 30, 30});
  set.bf_window = 60 * one_of({10, 30, 1440});
  set.bf_resolution = one_of({1, 60, 300});
  set.bf_window_linear = one_of({0, 0, 1, 20});
  set.kill_wait = one_of({0, 30});
  set.bf_max_job_test = one_of({2, 500, 500});
  set.bf_max_job_start = one_of({0, 0, 1});
  if (bits() % 3 == 0) {
    set.weight_age = static_cast<double>(between(0, 1000));
    set.weight_size = static_cast<double>(between(1, 1000));
    set.max_age = one_of({500, 5000});
    set.calc_period = one_of({60, 300});
  }
  if (set.sched_interval >= 0 && bits() % 5 == 0) set.backfill = false;
  set.completing_time = one_of({0, 0, 1, 8, 40});
  return all;
}

/// A drawn case with seven times as many nodes, of which a start or an end concerns a few.
drawn_case with_many_nodes(drawn_case all, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  const auto nodes = all.nodes;
  for (int n = 0; n < 6; ++n) all.nodes.insert(all.nodes.end(), nodes.begin(), nodes.end());
  for (oracle::slurm_loop_need& need : all.needs) need.tasks *= static_cast<unsigned>(1 + bits() % 7);
  return all;
}

/// Gives partitions of a drawn case tiers, and lets jobs of the higher ones preempt others.
drawn_case with_preemption(drawn_case all, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  for (oracle::slurm_loop_need& need : all.needs) {
    need.tier = 1 + bits() % 3;
    need.gives_way = bits() % 5 > 0;
  }
  for (oracle::slurm_loop_job& j : all.jobs) j.arrival *= 6;  // the queue is short at times: jobs of lower tiers run
  all.settings.preempts = true;
  all.settings.youngest_first = bits() % 3 == 0;
  all.settings.strict_order = bits() % 3 == 0;
  all.settings.reorder_count = bits() % 4;
  all.settings.exempt_time = bits() % 3 == 0 ? 100 : 0;
  return all;
}

/// Gives partitions of a drawn case limits that some job of theirs can keep, and jobs one of three users.
drawn_case with_limits(drawn_case all, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  for (oracle::slurm_loop_need& need : all.needs) {
    const std::uint64_t cores = need.tasks * need.each[0];
    if (bits() % 2 == 0) need.limits.cores_of_all = cores + bits() % (3 * cores);
    if (bits() % 2 == 0) need.limits.cores_of_user = cores + bits() % (2 * cores);
    if (bits() % 2 == 0) need.limits.jobs_of_user = 1 + bits() % 3;
  }
  for (oracle::slurm_loop_job& j : all.jobs) j.user = static_cast<std::uint32_t>(bits() % 3);
  return all;
}

/// Gives jobs of a drawn case one of three QOS, or none. Each job keeps the limits of each QOS alone.
drawn_case with_qos(drawn_case all, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  std::uint64_t most_cores = 1;
  for (const oracle::slurm_loop_need& need : all.needs)
    most_cores = std::max<std::uint64_t>(most_cores, need.tasks * need.each[0]);
  const std::uint64_t nodes = all.nodes.size();
  for (std::size_t n = 0; n < 3; ++n) {
    oracle::slurm_loop_qos& q = all.settings.qos.emplace_back();
    q.priority = bits() % 4 * (bits() % 2 == 0 ? 1 : 40'000);  // beyond 16 bits at times
    if (bits() % 3 == 0) q.limits.jobs_of_all = 1 + bits() % 5;
    if (bits() % 3 == 0) q.limits.cores_of_all = most_cores + bits() % (2 * most_cores);
    if (bits() % 3 == 0) q.limits.nodes_of_all = nodes + bits() % (2 * nodes);
    if (bits() % 3 == 0) q.limits.jobs_of_user = 1 + bits() % 3;
    if (bits() % 3 == 0) q.limits.cores_of_user = most_cores + bits() % most_cores;
    if (bits() % 3 == 0) q.limits.nodes_of_user = nodes + bits() % nodes;
    q.over_partition = bits() % 2 == 0;
    for (std::size_t other = 0; other < n; ++other)
      if (bits() % 3 > 0) q.preempts.push_back(other);
  }
  for (oracle::slurm_loop_job& j : all.jobs) {
    j.user = static_cast<std::uint32_t>(bits() % 3);
    j.qos = bits() % 4;  // 3: none
  }
  if (bits() % 2 == 0) all.settings.weight_qos = static_cast<double>(bits() % 1000);
  if (all.settings.weight_qos > 0.0) all.settings.calc_period = 300;
  all.settings.by_qos = all.settings.preempts;
  return all;
}

task_need need_of(const oracle::slurm_loop_need& of) {
  task_need need;
  need.tasks = of.tasks;
  need.per_task = of.each;
  need.exclusive = of.exclusive;
  return need;
}

/// @return how many jobs were preempted
unsigned hold_against_loops(const drawn_case& all) {
  std::vector<resource_type> types{{"cores"}};
  if (all.nodes[0].size() > 1) types.push_back({"second", all.settings.first_device == 1 ? 1U : 0U});
  std::vector<task_need> needs;
  std::vector<settings> of_classes;
  for (const auto& n : all.needs) {
    needs.push_back(need_of(n));
    of_classes.emplace_back();
    of_classes.back().set("PriorityTier", std::int64_t(n.tier));
    of_classes.back().set("PreemptMode", std::string(n.gives_way ? "of_cluster" : "off"));
    set_limits(of_classes.back(), n.limits);
  }
  std::vector<placed_job> jobs;
  for (const auto& j : all.jobs)
    jobs.push_back({j.arrival, j.size, j.limit, static_cast<std::uint32_t>(j.need), j.user,
                    j.qos < all.settings.qos.size() ? static_cast<std::uint32_t>(j.qos) : job::no_qos});
  const amounts none(types.size());
  placing_scene scene(types, {{static_cast<std::uint32_t>(all.nodes.size()), all.nodes[0]}}, none, needs, "slurm",
                      in_settings(all.settings), {}, of_classes);
  const starts found = scene.run(jobs);
  const auto expected = slurm_loops(all.nodes, all.needs, all.jobs, all.settings);
  unsigned preemptions = 0;
  for (std::size_t n = 0; n < jobs.size(); ++n) {
    EXPECT_EQ(found[n], expected[n].start) << "job " << n;
    std::vector<std::size_t> nodes;
    for (const task_placement& part : scene.placed(n)) nodes.push_back(part.server);
    EXPECT_EQ(nodes, expected[n].nodes) << "job " << n;
    EXPECT_EQ(scene.kills(n), expected[n].preemptions) << "job " << n;
    preemptions += scene.kills(n);
  }
  return preemptions;
}

TEST(slurm, starts_each_job_of_random_logs_when_and_where_its_loops_do_second_by_second) {
  for (const std::uint64_t seed :
       {0u, 1u, 2u, 3u, 4u, 5u, 10u, 16u, 181u}) {  // 181: a job is to start as bf_window ends
    SCOPED_TRACE(seed);
    hold_against_loops(draw(seed));
    if (HasFailure()) break;
  }
}

TEST(slurm, starts_each_job_of_random_logs_on_many_nodes_when_and_where_its_loops_do) {
  for (const std::uint64_t seed : {0u, 4u, 6u}) {
    SCOPED_TRACE(seed);
    hold_against_loops(with_many_nodes(draw(seed), seed));
    if (HasFailure()) break;
  }
}

TEST(slurm, passes_over_the_jobs_of_random_logs_that_would_exceed_limits_of_their_partitions_as_its_loops_do) {
  for (const std::uint64_t seed : {1u, 4u, 7u, 10u, 16u}) {
    SCOPED_TRACE(seed);
    hold_against_loops(with_limits(draw(seed), seed));
    hold_against_loops(with_limits(with_preemption(draw(seed), seed), seed));
  }
}

TEST(slurm, orders_passes_over_and_preempts_the_jobs_of_random_logs_by_their_qos_as_its_loops_do) {
  unsigned preemptions = 0;
  for (const std::uint64_t seed : {0u, 1u, 2u, 3u, 4u, 5u, 7u, 11u}) {
    SCOPED_TRACE(seed);
    hold_against_loops(with_qos(draw(seed), seed));
    hold_against_loops(with_qos(with_limits(draw(seed), seed), seed));
    preemptions += hold_against_loops(with_qos(with_preemption(draw(seed), seed), seed));
    if (HasFailure()) break;
  }
  EXPECT_GT(preemptions, 10u);
}

TEST(slurm, preempts_the_jobs_of_random_logs_and_starts_each_job_for_the_last_time_when_and_where_its_loops_do) {
  unsigned preemptions = 0;
  for (const std::uint64_t seed : {5u, 14u, 19u, 50u, 80u, 90u}) {
    SCOPED_TRACE(seed);
    preemptions += hold_against_loops(with_preemption(draw(seed), seed));
    if (HasFailure()) break;
  }
  EXPECT_GT(preemptions, 30u);
}

const std::vector<resource_type> only_cores{{"cores"}};

// Two nodes of four cores. Classes 0 to 3: both nodes, three cores of both, three cores, one core.
placing_scene two_nodes(const placing_scene::changes& changed, const std::vector<planned_outage>& known = {},
                        const std::vector<std::int64_t>& tiers = {}) {
  std::vector<task_need> needs(4);
  needs[0].tasks = needs[1].tasks = 2;
  const std::uint64_t cores[] = {4, 3, 3, 1};
  for (std::uint32_t n = 0; n < 4; ++n) needs[n].per_task = {cores[n]};
  std::vector<settings> of_classes(tiers.size());
  for (std::size_t n = 0; n < tiers.size(); ++n) of_classes[n].set("PriorityTier", tiers[n]);
  return {only_cores, {{2, {4}}}, {0}, needs, "slurm", changed, known, of_classes};
}

TEST(slurm, blocks_the_partition_of_a_job_that_does_not_fit_for_the_rest_of_a_main_pass) {
  placing_scene scene = two_nodes({{"SchedulerType", std::string("builtin")}});
  EXPECT_EQ(scene.run({{0, 10, 60, 2}, {0, 10, 60, 0}, {0, 5, 60, 3}}), (starts{0, 10, 20}));
}

// Both jobs wait for both nodes, which job 0 has until 100.
TEST(slurm, starts_jobs_of_the_partition_of_the_higher_tier_first_whenever_they_come) {
  const std::vector<placed_job> jobs{{0, 100, 100, 0}, {1, 50, 60, 1}, {2, 50, 60, 0}};
  EXPECT_EQ(two_nodes({}).run(jobs), (starts{0, 100, 150}));
  EXPECT_EQ(two_nodes({}, {}, {2, 1}).run(jobs), (starts{0, 150, 100}));
  EXPECT_EQ(two_nodes({}, {}, {1, 2}).run(jobs), (starts{0, 100, 150}));
}

// Three cores are taken until 100. Job 2 needs both nodes; job 1, which came before it, has room at once.
TEST(slurm, keeps_jobs_of_lower_tiers_off_the_nodes_of_a_partition_that_is_blocked) {
  const std::vector<placed_job> jobs{{0, 100, 100, 2}, {1, 10, 60, 3}, {1, 10, 60, 0}};
  const placing_scene::changes builtin{{"SchedulerType", std::string("builtin")}};
  EXPECT_EQ(two_nodes(builtin).run(jobs), (starts{0, 3, 100}));
  EXPECT_EQ(two_nodes(builtin, {}, {2, 1, 1, 1}).run(jobs), (starts{0, 110, 100}));
}

// Jobs of classes 0 and 1 need both nodes, those of classes 2 and 3 a part of one. Classes 0 and 1 may preempt the
// others.
placing_scene preempting(const placing_scene::changes& more = {}, const char* mode_of_class_3 = "of_cluster") {
  std::vector<settings> of_classes(4);
  for (std::size_t n = 0; n < 4; ++n) of_classes[n].set("PriorityTier", std::int64_t(n < 2 ? 2 : 1));
  of_classes[3].set("PreemptMode", std::string(mode_of_class_3));
  std::vector<task_need> needs(4);
  needs[0].tasks = needs[1].tasks = 2;
  const std::uint64_t cores[] = {4, 2, 3, 1};
  for (std::uint32_t n = 0; n < 4; ++n) needs[n].per_task = {cores[n]};
  placing_scene::changes set{{"PreemptType", std::string("partition_prio")}, {"PreemptMode", std::string("requeue")}};
  set.insert(set.end(), more.begin(), more.end());
  return {only_cores, {{2, {4}}}, {0}, needs, "slurm", set, {}, of_classes};
}

// Jobs 0 and 1 run on a node each. Job 2 comes at 10 and takes both; they may start again 121 s later.
TEST(slurm, requeues_jobs_of_a_lower_tier_that_are_in_the_way_and_starts_them_anew_two_minutes_later) {
  placing_scene scene = preempting();
  const starts found = scene.run({{0, 100, 200, 2}, {0, 100, 200, 2}, {10, 20, 60, 0}});
  EXPECT_EQ(found[2], 10u);
  EXPECT_EQ(found, (starts{131, 131, 10}));
  for (std::uint64_t n = 0; n < 3; ++n) EXPECT_EQ(scene.kills(n), n < 2 ? 1u : 0u) << n;
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
           {"partition_prio", "off", "expected 'requeue' with PreemptType 'partition_prio', found 'off'"},
           {"none", "requeue", "expected 'off' with PreemptType 'none', found 'requeue'"}})
    try {
      two_nodes({{"PreemptType", std::string(type)}, {"PreemptMode", std::string(mode)}});
      ADD_FAILURE() << type << ' ' << mode;
    } catch (const policy_error& e) {
      EXPECT_NE(std::string(e.what()).find(text), std::string::npos) << e.what();
    }
}

// There is room for all jobs. Passes are at 30, 60, and so on.
TEST(slurm, tests_as_many_jobs_of_a_partition_in_a_backfill_pass_as_bf_max_job_part_says) {
  const std::vector<placed_job> jobs{{0, 500, 600, 3}, {0, 500, 600, 3}, {0, 500, 600, 3}, {0, 500, 600, 2}};
  placing_scene::changes set{{"sched_interval", std::int64_t{-1}}};
  EXPECT_EQ(two_nodes(set).run(jobs), (starts{30, 30, 30, 30}));
  set.emplace_back("bf_max_job_part", std::int64_t{1});
  EXPECT_EQ(two_nodes(set).run(jobs), (starts{30, 60, 90, 30}));
  set.back().second = std::int64_t{2};
  EXPECT_EQ(two_nodes(set).run(jobs), (starts{30, 30, 60, 30}));
}

TEST(slurm, looks_at_submissions_batch_sched_delay_after_its_latest_look) {
  placing_scene scene = two_nodes({});
  EXPECT_EQ(scene.run({{0, 9, 60, 3}, {1, 9, 60, 3}, {4, 9, 60, 3}}), (starts{0, 3, 6}));
  placing_scene at_once = two_nodes({{"batch_sched_delay", std::int64_t{0}}});
  EXPECT_EQ(at_once.run({{0, 9, 60, 3}, {1, 9, 60, 3}, {4, 9, 60, 3}}), (starts{0, 1, 4}));
}

// Job 1 is to have both nodes from 100 on, rounded to 60. Job 2 would still run then, job 3 has ended.
TEST(slurm, backfills_jobs_whose_limits_end_before_a_reservation_begins) {
  const std::vector<placed_job> jobs{{0, 100, 100, 2}, {0, 10, 60, 0}, {0, 20, 31, 3}, {0, 20, 29, 3}};
  EXPECT_EQ(two_nodes({}).run(jobs), (starts{0, 100, 110, 30}));
}

// The pass at 30 looks ahead until 90, and rounds to 60. Job 0 starts then. Job 1 is to have both nodes when its limit
// ends: as the window does, so that job 2 is in the way from 60 on, or behind it.
TEST(slurm, reserves_nodes_for_jobs_that_are_to_start_as_its_window_ends_but_not_later) {
  const auto with_limit = [](ticks limit) {
    return two_nodes({{"sched_interval", std::int64_t{-1}}, {"bf_window", std::int64_t{1}}})
        .run({{0, 60, limit, 2}, {0, 10, 60, 0}, {0, 10, 60, 3}});
  };
  EXPECT_EQ(with_limit(60), (starts{30, 90, 120}));
  EXPECT_EQ(with_limit(61), (starts{30, 90, 30}));
}

// The reservation of job 3 leaves a core over on each node, but takes the nodes whole. By cores, job 4 starts at once.
TEST(slurm, reserves_whole_nodes) {
  const std::vector<placed_job> jobs{
      {0, 500, 600, 0}, {0, 100, 600, 2}, {0, 100, 600, 2}, {0, 100, 600, 1}, {0, 100, 6000, 3}};
  EXPECT_EQ(two_nodes({}).run(jobs), (starts{0, 500, 500, 600, 600}));
}

// Classes 0 and 256 share a place in the memory of what fits. The node has four cores, which the second job needs.
TEST(slurm, knows_what_fits_of_each_of_many_classes) {
  std::vector<task_need> needs(257);
  for (task_need& need : needs) {
    need.tasks = 1;
    need.per_task = {1};
  }
  needs[256].per_task = {4};
  placing_scene scene(only_cores, {{1, {4}}}, {0}, needs, "slurm", {{"SchedulerType", std::string("builtin")}});
  EXPECT_EQ(scene.run({{0, 10, 60, 0}, {0, 10, 60, 256}, {0, 10, 60, 0}}), (starts{0, 10, 20}));
}

// Three nodes of four cores and two GPUs. Job 0 has a GPU of the first one, so that job 1, of three tasks with a GPU
// each, goes to the others. Job 2 needs no GPU: the first node suffices for it, and has the least room.
TEST(slurm, takes_the_nodes_with_the_most_free_devices_for_jobs_that_need_devices) {
  std::vector<task_need> needs(3);
  const unsigned tasks[] = {1, 3, 3}, gpus[] = {1, 1, 0};
  for (std::uint32_t n = 0; n < 3; ++n) {
    needs[n].tasks = tasks[n];
    needs[n].per_task = {1, gpus[n]};
  }
  placing_scene scene({{"cores"}, {"gpu", 1}}, {{3, {4, 2}}}, {0, 0}, needs, "slurm",
                      {{"SchedulerType", std::string("builtin")}});
  scene.run({{0, 10, 60, 0}, {0, 10, 60, 1}, {0, 10, 60, 2}});
  const auto nodes = [&](std::size_t job) {
    std::vector<std::uint32_t> all;
    for (const task_placement& part : scene.placed(job)) all.push_back(part.server);
    return all;
  };
  EXPECT_EQ(nodes(0), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(nodes(1), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(nodes(2), (std::vector<std::uint32_t>{0}));
}

// Three nodes of four cores and two GPUs. Until 101 jobs 0 and 1 hold a GPU and three cores of node 0, and jobs 2 and 3
// nodes 1 and 2; job 0 goes on. The test of job 4, of two tasks with a GPU each, finds two GPUs on nodes 1 and 2 and
// one on node 0, and it is to start on node 1. Job 5, without GPUs, is therefore to start on node 2. Node 0 alone would
// suffice for it with less room, and job 6, which starts there at once, would be in its way.
TEST(slurm, prefers_nodes_with_the_most_devices_in_the_latest_test_for_jobs_without_devices_too) {
  const std::vector<std::vector<std::uint64_t>> each{{1, 1}, {2, 0}, {4, 0}, {1, 1}, {1, 0}, {1, 0}};
  const unsigned tasks[] = {1, 1, 1, 2, 3, 1};
  std::vector<task_need> needs(6);
  for (std::size_t n = 0; n < 6; ++n) {
    needs[n].tasks = tasks[n];
    needs[n].per_task = each[n];
  }
  placing_scene scene(
      {{"cores"}, {"gpu", 1}}, {{3, {4, 2}}}, {0, 0}, needs, "slurm",
      {{"sched_interval", std::int64_t{-1}}, {"bf_interval", std::int64_t{1}}, {"bf_resolution", std::int64_t{1}}});
  const auto started = scene.run({{0, 900, 1000, 0},
                                  {0, 90, 100, 1},
                                  {0, 90, 100, 2},
                                  {0, 90, 100, 2},
                                  {2, 10, 100, 3},
                                  {2, 10, 30, 4},
                                  {2, 10, 500, 5}});
  ASSERT_EQ(scene.placed(1)[0].server, 0u);
  EXPECT_EQ(started[6], 2);
}

// Node 0 is free and node 1 has one core left. A job with one GPU could use one of the two of each: both have as much
// room for it, and it gets the first one.
TEST(slurm, counts_no_more_room_on_a_node_than_the_devices_of_a_job_allow) {
  std::vector<task_need> needs(3);
  const std::vector<std::vector<std::uint64_t>> each{{4, 0}, {3, 0}, {1, 1}};
  for (std::size_t n = 0; n < 3; ++n) {
    needs[n].tasks = 1;
    needs[n].per_task = each[n];
  }
  placing_scene scene({{"cores"}, {"gpu", 1}}, {{2, {4, 2}}}, {0, 0}, needs, "slurm",
                      {{"SchedulerType", std::string("builtin")}});
  scene.run({{0, 10, 60, 0}, {0, 100, 100, 1}, {20, 10, 60, 2}});
  ASSERT_EQ(scene.placed(1)[0].server, 1u);
  EXPECT_EQ(scene.placed(2)[0].server, 0u);
}

// Two nodes. Job 0 leaves node 0 at 11, where it is cleaned up at 16. At 11 job 1, which needs both, is to start a
// second later: job 2 would be in its way on node 1, where there is room for it.
TEST(slurm, plans_nodes_that_are_completing_for_the_next_second) {
  std::vector<task_need> needs(2);
  for (task_need& need : needs) need.per_task = {4};
  needs[0].tasks = 2;
  needs[1].tasks = 1;
  const auto starts_with = [&](double completing) {
    placing_scene scene(only_cores, {{2, {4}}}, {0}, needs, "slurm",
                        {{"sched_interval", std::int64_t{-1}},
                         {"bf_interval", std::int64_t{1}},
                         {"bf_resolution", std::int64_t{1}},
                         {"completing_time", completing}});
    return scene.run({{0, 10, 60, 1}, {2, 10, 60, 0}, {11, 10, 30, 1}});
  };
  EXPECT_EQ(starts_with(5.0), (starts{1, 16, 31}));
  EXPECT_EQ(starts_with(0.0), (starts{1, 11, 21}));
}

TEST(slurm, leaves_nodes_that_are_completing_out_of_main_passes) {
  const placing_scene::changes builtin{
      {"SchedulerType", std::string("builtin")}, {"sched_interval", std::int64_t{1}}, {"completing_time", 5.0}};
  EXPECT_EQ(two_nodes(builtin).run({{0, 10, 60, 0}, {3, 10, 60, 3}}), (starts{0, 15}));
}

// A second is 10 ticks, and passes are 3 ticks behind full seconds.
TEST(slurm, makes_main_passes_at_their_phase) {
  main_times times(20, 0, 0, 10, 3);
  times.ask_at_once(5);
  EXPECT_EQ(times.next(), 13u);
  times.make(13);
  times.ask_full(14);
  EXPECT_EQ(times.next(), 23u);
  EXPECT_TRUE(times.is_full(23));
  EXPECT_THROW(two_nodes({{"main_phase", 1.0}}), policy_error);
}

// Three nodes in a row, of which the first one has three cores left for jobs 1 and 2. Spread from it on, job 1 would
// have two nodes.
TEST(slurm, takes_the_node_of_the_least_room_where_one_of_a_row_suffices) {
  std::vector<task_need> needs(3);
  const unsigned cores[] = {1, 4, 2};
  for (std::uint32_t n = 0; n < 3; ++n) {
    needs[n].tasks = cores[n];
    needs[n].per_task = {1};
  }
  placing_scene scene(only_cores, {{3, {4}}}, {0}, needs, "slurm", {});
  ASSERT_EQ(scene.run({{0, 100, 100, 0}, {0, 100, 100, 1}, {0, 100, 100, 2}}), (starts{0, 0, 0}));
  for (std::uint32_t n = 0; n < 3; ++n) {
    ASSERT_EQ(scene.placed(n).size(), 1u) << n;
    EXPECT_EQ(scene.placed(n)[0].server, n % 2) << n;
  }
}

// Both jobs need both nodes, and only the second one ends by its limit before server 0 leaves. The first has a
// reservation from 100 on, rounded up to 120.
TEST(slurm, keeps_jobs_off_nodes_whose_planned_outage_begins_within_their_limits) {
  const std::vector<planned_outage> maintenance{{{group_id{0}, 0}, 50, 100, 4}};
  EXPECT_EQ(two_nodes({}, maintenance).run({{0, 10, 60, 0}, {0, 10, 15, 0}}), (starts{120, 30}));
  EXPECT_EQ(two_nodes({}, maintenance).run({{0, 10, 40, 0}}), (starts{0}));
  // A limit may end as the outage begins: in a main pass at 0, and in a backfill pass at 30.
  EXPECT_EQ(two_nodes({}, maintenance).run({{0, 10, 50, 0}}), (starts{0}));
  EXPECT_EQ(two_nodes({}, maintenance).run({{0, 10, 60, 0}, {0, 10, 20, 0}}), (starts{120, 30}));
  EXPECT_EQ(two_nodes({}, maintenance).run({{0, 10, 60, 0}, {0, 10, 21, 0}}), (starts{120, 130}));
}

// Jobs 0 to 2 are to end at 100, 250 and 500, each on a node of its own. Jobs 3 and 4 get node 0 from 100 and from 200
// to 300, which makes one slot of time, and job 5 node 1 from 250 to 270. The limit of job 6, which needs two nodes,
// would end before 200. In this slot it looks one slot further, is tried again, and gets nodes 0 and 1 from 300 on.
// With a slot from 200 on it would get nodes 1 and 2 from 500 on, which job 7 would then be in the way of.
TEST(slurm, makes_one_slot_of_time_of_two_with_the_same_nodes) {
  std::vector<task_need> needs(4);
  const std::uint64_t cores[] = {4, 4, 3, 1};
  for (std::uint32_t n = 0; n < 4; ++n) {
    needs[n].tasks = n == 1 ? 2 : 1;
    needs[n].per_task = {cores[n]};
  }
  placing_scene scene(only_cores, {{3, {4}}}, {0}, needs, "slurm", {{"bf_resolution", std::int64_t{1}}});
  const auto started = scene.run({{0, 100, 100, 0},
                                  {0, 250, 250, 0},
                                  {0, 500, 500, 2},
                                  {0, 100, 100, 0},
                                  {0, 100, 100, 0},
                                  {0, 20, 20, 0},
                                  {0, 100, 100, 1},
                                  {0, 480, 480, 3}});
  EXPECT_EQ(started[7], 30);
}

// Job 0 needs both nodes, and is tried again at 101: so is its reservation. A limit of job 1 may end at 100, of a
// backfill pass at 30, but not as the reservation begins.
TEST(slurm, tries_jobs_again_a_second_after_a_planned_outage) {
  const std::vector<planned_outage> maintenance{{{group_id{0}, 0}, 50, 100, 4}};
  const placing_scene::changes fine{{"bf_resolution", std::int64_t{1}}};
  EXPECT_EQ(two_nodes(fine, maintenance).run({{0, 10, 60, 0}, {0, 10, 70, 3}}), (starts{120, 30}));
  EXPECT_EQ(two_nodes(fine, maintenance).run({{0, 10, 60, 0}, {0, 10, 71, 3}}), (starts{120, 130}));
}

TEST(slurm, waits_for_servers_that_are_down) {
  placing_scene scene = two_nodes({});
  scene.fail_at(5, {group_id{0}, 1});
  scene.repair_at(200, {group_id{0}, 1});
  EXPECT_EQ(scene.run({{0, 10, 60, 0}}), (starts{200}));
}

/// A pool of cores, where jobs have users.
starts on_cores(std::uint64_t cores, const std::vector<std::array<std::uint64_t, 4>>& jobs, const char* policy,
                const backfilling_scene::changes& changed) {
  oracle::backfill_cluster pool{{0}, {{{cores}}}, {}, {}};
  std::vector<oracle::backfill_job> given;
  for (const auto& [arrival, size, of_cores, user] : jobs) {
    given.push_back({arrival, size, size, pool.needs.size(), static_cast<std::uint32_t>(user)});
    pool.needs.push_back({1, {of_cores}});
  }
  return backfilling_scene(pool, policy, changed).run(given);
}

// Jobs 1 and 2 wait for the only core, which user 0 has had before.
TEST(slurm, starts_jobs_of_the_user_of_less_usage_first_by_fair_share) {
  const std::vector<std::array<std::uint64_t, 4>> jobs{{0, 1000, 1, 0}, {5, 10, 1, 0}, {6, 10, 1, 1}};
  EXPECT_EQ(on_cores(1, jobs, "slurm", {}), (starts{0, 1000, 1010}));
  EXPECT_EQ(on_cores(1, jobs, "slurm",
                     {{"PriorityType", std::string("multifactor")}, {"PriorityWeightFairshare", std::int64_t{1000}}}),
            (starts{0, 1010, 1000}));
}

// Users 0 and 1 have used 1,000 and 500 core seconds when jobs 2 and 3, which need both cores, may start.
TEST(slurm, starts_jobs_of_the_user_first_whose_account_has_used_less_of_its_share) {
  const std::vector<std::array<std::uint64_t, 4>> jobs{{0, 1000, 1, 0}, {0, 500, 1, 1}, {5, 10, 2, 0}, {6, 10, 2, 1}};
  const auto with = [&](std::int64_t shares_of_first) {
    std::vector<named_settings> accounts{{"first", {}}, {"second", {}}}, users{{"ann", {}}, {"bob", {}}};
    accounts[0].values.set("Fairshare", shares_of_first);
    users[0].values.set("account", std::string("first"));
    users[1].values.set("account", std::string("second"));
    return on_cores(2, jobs, "slurm",
                    {{"PriorityType", std::string("multifactor")},
                     {"PriorityWeightFairshare", std::int64_t{1000}},
                     {"accounts", accounts},
                     {"users", users}});
  };
  EXPECT_EQ(with(1), (starts{0, 0, 1010, 1000}));
  EXPECT_EQ(with(10), (starts{0, 0, 1000, 1010}));
}

TEST(slurm, leaves_out_jobs_of_users_that_run_as_many_as_they_may) {
  const std::vector<std::array<std::uint64_t, 4>> jobs{{0, 50, 1, 0}, {0, 50, 1, 0}, {0, 50, 1, 1}};
  EXPECT_EQ(on_cores(4, jobs, "slurm", {{"MaxJobsPerUser", std::int64_t{1}}}), (starts{0, 50, 0}));
}

TEST(slurm, refuses_classes_whose_jobs_exceed_a_limit_of_their_partition_alone) {
  settings limited;
  limited.set("GrpCPUs", std::int64_t{7});
  try {
    std::vector<task_need> needs(1);
    needs[0].tasks = 2;
    needs[0].per_task = {4};
    placing_scene(only_cores, {{2, {4}}}, {0}, needs, "slurm", {}, {}, {limited});
    ADD_FAILURE() << "was taken";
  } catch (const policy_error& e) {
    EXPECT_NE(std::string(e.what()).find("jobs of class 'need_0' need 8 cores, more than its GrpCPUs; expected at "
                                         "least as many, found 7"),
              std::string::npos)
        << e.what();
  }
}

/// QOS of which "high" has the priority 10, preempts "low", and has other parameters, too.
std::vector<named_settings> high_and_low(const std::vector<std::pair<const char*, settings::value>>& of_high = {}) {
  std::vector<named_settings> all{{"high", {}}, {"low", {}}};
  all[0].values.set("Priority", std::int64_t{10});
  all[0].values.set("Preempt", std::string("low"));
  for (const auto& [name, value] : of_high) all[0].values.set(name, value);
  return all;
}

// Jobs 1 and 2 wait for both nodes, which job 0 has until 100.
TEST(slurm, starts_jobs_of_the_qos_of_the_higher_priority_first) {
  const std::vector<placed_job> jobs{{0, 100, 100, 0}, {1, 50, 60, 0, 0, 1}, {2, 50, 60, 0, 0, 0}};
  const placing_scene::changes set{{"qos", high_and_low()}, {"PriorityType", std::string("multifactor")}};
  EXPECT_EQ(two_nodes(set).run(jobs), (starts{0, 100, 150}));
  placing_scene::changes weighed = set;
  weighed.emplace_back("PriorityWeightQOS", std::int64_t{1000});
  EXPECT_EQ(two_nodes(weighed).run(jobs), (starts{0, 150, 100}));
}

// A partition allows a job of a user, the QOS two.
TEST(slurm, keeps_the_limit_of_the_partition_where_that_of_the_qos_is_not_over_it) {
  const std::vector<placed_job> jobs{{0, 50, 60, 3, 0, 0}, {0, 50, 60, 3, 0, 0}, {0, 50, 60, 3, 0, 0}};
  std::vector<settings> of_classes(4);
  for (settings& of_class : of_classes) of_class.set("MaxJobsPerUser", std::int64_t{1});
  std::vector<task_need> needs(4);
  for (task_need& need : needs) {
    need.tasks = 1;
    need.per_task = {1};
  }
  const auto with = [&](const char* over) {
    const placing_scene::changes set{
        {"qos", high_and_low({{"MaxJobsPerUser", std::int64_t{2}}, {"OverPartQOS", std::string(over)}})}};
    return placing_scene(only_cores, {{2, {4}}}, {0}, needs, "slurm", set, {}, of_classes).run(jobs);
  };
  EXPECT_EQ(with("no"), (starts{0, 50, 100}));
  EXPECT_EQ(with("yes"), (starts{0, 0, 50}));
}

// Jobs 0 and 1 run on a node each, of which job 0 is of the QOS that gives way.
TEST(slurm, lets_jobs_of_the_qos_give_way_that_that_of_the_waiting_job_preempts) {
  const std::vector<placed_job> jobs{{0, 900, 900, 2, 0, 1}, {0, 900, 900, 2, 0, 0}, {10, 20, 60, 2, 0, 0}};
  placing_scene scene = two_nodes(
      {{"qos", high_and_low()}, {"PreemptType", std::string("qos")}, {"PreemptMode", std::string("requeue")}});
  const starts found = scene.run(jobs);
  EXPECT_EQ(found[2], 10u);
  EXPECT_EQ(scene.kills(0), 1u);
  EXPECT_EQ(scene.kills(1), 0u);
}

TEST(slurm, refuses_qos_that_preempt_in_a_circle_or_one_that_there_is_not_and_jobs_that_exceed_a_limit_alone) {
  const auto refusal_of = [](const std::vector<named_settings>& qos) -> std::string {
    try {
      two_nodes({{"qos", qos}}).run({{0, 50, 60, 0, 0, 0}});
    } catch (const policy_error& e) {
      return e.what();
    }
    return "none";
  };
  std::vector<named_settings> circle = high_and_low();
  circle[1].values.set("Preempt", std::string("high"));
  EXPECT_NE(refusal_of(circle).find("'high' preempts itself, or such a QOS, by way of others"), std::string::npos);
  EXPECT_NE(refusal_of(high_and_low({{"Preempt", std::string("low,lwo")}}))
                .find("Preempt of 'high' names 'lwo', which there is not"),
            std::string::npos);
  EXPECT_EQ(refusal_of(high_and_low({{"GrpCPUs", std::int64_t{7}}})),
            "job 0 of class 'need_0' needs 8 cores on 2 nodes, more than the limits of its partition and of QOS 'high' "
            "allow; expected a job that keeps them");
  EXPECT_EQ(refusal_of(high_and_low({{"GrpCPUs", std::int64_t{8}}})), "none");
}

TEST(slurm, tests_as_many_jobs_of_a_user_in_a_backfill_pass_as_bf_max_job_user_says) {
  const std::vector<std::array<std::uint64_t, 4>> jobs{{0, 500, 1, 0}, {0, 500, 1, 0}, {0, 500, 1, 0}, {0, 500, 1, 1}};
  const auto with = [&](std::int64_t most) {
    return on_cores(8, jobs, "slurm", {{"sched_interval", std::int64_t{-1}}, {"bf_max_job_user", most}});
  };
  EXPECT_EQ(with(0), (starts{30, 30, 30, 30}));
  EXPECT_EQ(with(1), (starts{30, 60, 90, 30}));
  EXPECT_EQ(with(2), (starts{30, 30, 60, 30}));
  EXPECT_EQ(with(3), (starts{30, 30, 30, 30}));
}

TEST(slurm, without_backfilling_and_delays_is_first_come_first_served) {
  std::mt19937_64 bits(3);
  std::vector<std::array<std::uint64_t, 4>> jobs;
  for (std::uint64_t at = 0; jobs.size() < 200; at += bits() % 20)
    jobs.push_back({at, 1 + bits() % 60, 1 + bits() % 8, 0});
  const starts expected = on_cores(8, jobs, "fcfs", {});
  EXPECT_EQ(
      on_cores(8, jobs, "slurm", {{"SchedulerType", std::string("builtin")}, {"batch_sched_delay", std::int64_t{0}}}),
      expected);
}

}  // namespace
}  // namespace muster
