#include <array>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/oracles/slurm_loops.h"
#include "tests/policies/slurm_scene.h"

// Slurm's policy, where a tick is a second, on random logs against its loops gone through second by second.

namespace muster {
namespace {

using oracle::slurm_loop_terms;

constexpr std::size_t drawn_users = 3;

void set_limits(settings& to, const oracle::slurm_loop_limits& of) {
  to.set("GrpJobs", std::int64_t(of.jobs_of_all));
  to.set("GrpCPUs", std::int64_t(of.cores_of_all));
  to.set("GrpNodes", std::int64_t(of.nodes_of_all));
  to.set("MaxJobsPerUser", std::int64_t(of.jobs_of_user));
  to.set("MaxCPUsPerUser", std::int64_t(of.cores_of_user));
  to.set("MaxNodesPerUser", std::int64_t(of.nodes_of_user));
}

/// @param otherwise the word for the PreemptMode of the cluster
void set_terms(settings& to, const oracle::slurm_loop_terms& of, const char* otherwise) {
  to.set("PreemptMode", std::string(std::array{otherwise, "off", "requeue", "cancel"}[static_cast<int>(of.how)]));
  to.set("GraceTime", std::int64_t(of.grace));
  to.set("PreemptExemptTime", static_cast<double>(of.exempt));
}

/// The QOS are called q0, q1 and so on.
std::vector<named_settings> tables_of(const std::vector<oracle::slurm_loop_qos>& qos) {
  std::vector<named_settings> all;
  for (const oracle::slurm_loop_qos& q : qos) {
    settings& own = all.emplace_back(named_settings{"q" + std::to_string(all.size()), {}}).values;
    own.set("Priority", std::int64_t(q.priority));
    set_limits(own, q.limits);
    own.set("OverPartQOS", std::string(q.over_partition ? "yes" : "no"));
    set_terms(own, q.terms, "cluster");
    std::string preempted;
    for (const std::size_t other : q.preempts) preempted += (preempted.empty() ? "q" : ",q") + std::to_string(other);
    own.set("Preempt", preempted);
  }
  return all;
}

/// Users are called u0, u1 and so on, as are the accounts behind them.
void add_associations(const std::vector<oracle::slurm_loop_association>& of, placing_scene::changes& to) {
  std::vector<named_settings> users, accounts;
  for (std::size_t n = 0; n < of.size(); ++n) {
    auto& [name, own] = (n < drawn_users ? users : accounts).emplace_back();
    name = "u" + std::to_string(n);
    const std::string above = of[n].above < of.size() ? "u" + std::to_string(of[n].above) : "";
    own.set(n < drawn_users ? "account" : "parent", above);
    own.set("GrpJobs", std::int64_t(of[n].jobs));
    own.set("GrpCPUs", std::int64_t(of[n].cores));
    own.set("GrpNodes", std::int64_t(of[n].nodes));
    own.set("MaxJobs", std::int64_t(of[n].max_jobs));
  }
  to.emplace_back("users", users);
  to.emplace_back("accounts", accounts);
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
                             {"bf_max_job_start", std::int64_t(of.bf_max_job_start)},
                             {"bf_max_time", std::int64_t(of.bf_max_time)},
                             {"bf_yield_interval", std::int64_t(of.bf_yield_interval) * 1'000'000},
                             {"bf_yield_sleep", std::int64_t(of.bf_yield_sleep) * 1'000'000},
                             {"bf_continue", std::string(of.bf_continue ? "yes" : "no")},
                             {"CR_LLN", std::string(of.least_loaded ? "yes" : "no")},
                             {"pack_serial_at_end", std::string(of.pack_serial_at_end ? "yes" : "no")}};
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
    all.emplace_back("PreemptMode", std::string(of.cancels ? "cancel" : "requeue"));
    all.emplace_back("PreemptExemptTime", static_cast<double>(of.exempt_time));
    all.emplace_back("preempt_youngest_first", std::string(of.youngest_first ? "yes" : "no"));
    all.emplace_back("preempt_reorder_count", std::int64_t(of.reorder_count));
    all.emplace_back("preempt_strict_order", std::string(of.strict_order ? "yes" : "no"));
  }
  if (!of.qos.empty()) all.emplace_back("qos", tables_of(of.qos));
  if (!of.associations.empty()) add_associations(of.associations, all);
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
    need.terms.how = bits() % 5 > 0 ? slurm_loop_terms::mode::of_cluster : slurm_loop_terms::mode::off;
  }
  for (oracle::slurm_loop_job& j : all.jobs) j.arrival *= 6;  // the queue is short at times: jobs of lower tiers run
  all.settings.preempts = true;
  all.settings.youngest_first = bits() % 3 == 0;
  all.settings.strict_order = bits() % 3 == 0;
  all.settings.reorder_count = bits() % 4;
  all.settings.exempt_time = bits() % 3 == 0 ? 100 : 0;
  return all;
}

/// Lets jobs of a drawn case with preemption give way in ways of their partitions and QOS, at once or after a while.
drawn_case with_terms(drawn_case all, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  all.settings.cancels = bits() % 3 == 0;
  const auto draw_terms = [&](oracle::slurm_loop_terms& terms) {
    const auto how = std::array{slurm_loop_terms::mode::of_cluster, slurm_loop_terms::mode::requeue,
                                slurm_loop_terms::mode::cancel}[bits() % 3];
    if (terms.how != slurm_loop_terms::mode::off) terms.how = how;
    terms.grace = std::array{0, 1, 20, 90, 400}[bits() % 5];
    terms.exempt = std::array{-1, -1, -1, 0, 150}[bits() % 5];
  };
  for (oracle::slurm_loop_need& need : all.needs) draw_terms(need.terms);
  for (oracle::slurm_loop_qos& qos : all.settings.qos) draw_terms(qos.terms);
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

/// The cores of the largest job of a drawn case.
std::uint64_t most_cores_of(const drawn_case& all) {
  std::uint64_t most = 1;
  for (const oracle::slurm_loop_need& need : all.needs) most = std::max<std::uint64_t>(most, need.tasks * need.each[0]);
  return most;
}

/// Gives jobs of a drawn case one of three QOS, or none. Each job keeps the limits of each QOS alone.
drawn_case with_qos(drawn_case all, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  const std::uint64_t most_cores = most_cores_of(all), nodes = all.nodes.size();
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

/// Gives users of a drawn case a tree of four accounts, and limits that each job of theirs can keep.
drawn_case with_associations(drawn_case all, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  const std::uint64_t most_cores = most_cores_of(all), nodes = all.nodes.size();
  for (std::size_t n = 0; n < drawn_users + 4; ++n) {
    oracle::slurm_loop_association& own = all.settings.associations.emplace_back();
    const std::size_t first_above = std::max(n + 1, drawn_users);
    own.above = first_above + bits() % (drawn_users + 5 - first_above);  // the last of these: none
    if (bits() % 3 == 0) own.jobs = 1 + bits() % 6;
    if (bits() % 3 == 0) own.cores = most_cores + bits() % (2 * most_cores);
    if (bits() % 3 == 0) own.nodes = nodes + bits() % (2 * nodes);
    if (bits() % 3 == 0) own.max_jobs = 1 + bits() % 3;
  }
  for (oracle::slurm_loop_job& j : all.jobs)
    j.user = bits() % 4 == 0 ? 1000 : static_cast<std::uint32_t>(bits() % drawn_users);
  return all;
}

/// Lets backfill passes of a drawn case without devices take time.
drawn_case with_long_passes(drawn_case all, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  oracle::slurm_loop_settings& set = all.settings;
  set.backfill = true;
  set.bf_window = 86400;
  set.time_per_job = 1 + bits() % 3;
  set.bf_yield_interval = 1 + bits() % 6;
  set.bf_yield_sleep = 1 + bits() % 9;
  set.bf_max_time = bits() % 3 == 0 ? 5 + bits() % 60 : 3600;
  set.bf_continue = bits() % 3 > 0;
  return all;
}

/// Makes some nodes of a drawn case larger, and lets jobs take the least loaded nodes, or the last one.
drawn_case with_node_orders(drawn_case all, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  for (auto& node : all.nodes)
    if (bits() % 3 == 0) node[0] += 1 + bits() % 4;
  all.settings.least_loaded = bits() % 3 == 0;
  all.settings.pack_serial_at_end = bits() % 2 == 0;
  for (oracle::slurm_loop_need& need : all.needs) {
    need.least_loaded = bits() % 3 == 0;
    if (bits() % 3 == 0) need.each[0] = need.tasks = 1;
  }
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
    set_terms(of_classes.back(), n.terms, "of_cluster");
    of_classes.back().set("LLN", std::string(n.least_loaded ? "yes" : "no"));
    set_limits(of_classes.back(), n.limits);
  }
  std::vector<placed_job> jobs;
  for (const auto& j : all.jobs)
    jobs.push_back({j.arrival, j.size, j.limit, static_cast<std::uint32_t>(j.need), j.user,
                    j.qos < all.settings.qos.size() ? static_cast<std::uint32_t>(j.qos) : job::no_qos});
  const amounts none(types.size());
  std::vector<placing_scene::group> groups;
  std::vector<std::size_t> first_of;  // node of each group
  for (std::size_t n = 0; n < all.nodes.size(); ++n) {
    if (n == 0 || all.nodes[n] != all.nodes[n - 1]) {
      groups.push_back({0, all.nodes[n]});
      first_of.push_back(n);
    }
    ++groups.back().servers;
  }
  placing_scene scene(types, groups, none, needs, "slurm", in_settings(all.settings), {}, of_classes);
  scene.set_time_per_job(all.settings.time_per_job);
  const starts found = scene.run(jobs);
  const auto expected = slurm_loops(all.nodes, all.needs, all.jobs, all.settings);
  unsigned preemptions = 0;
  for (std::size_t n = 0; n < jobs.size(); ++n) {
    EXPECT_EQ(found[n], expected[n].start) << "job " << n;
    std::vector<std::size_t> nodes;
    for (const task_placement& part : scene.placed(n))
      nodes.push_back(first_of[static_cast<std::size_t>(part.group)] + part.server);
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

// User 1000 is not described, and has no limits.
TEST(slurm, passes_over_the_jobs_of_random_logs_that_would_exceed_limits_of_users_and_accounts_as_its_loops_do) {
  for (const std::uint64_t seed : {0u, 1u, 2u, 3u, 4u, 5u, 7u, 8u, 10u}) {
    SCOPED_TRACE(seed);
    hold_against_loops(with_associations(draw(seed), seed));
    hold_against_loops(with_associations(with_qos(with_limits(draw(seed), seed), seed), seed));
    hold_against_loops(with_associations(with_preemption(draw(seed), seed), seed));
    if (HasFailure()) break;
  }
}

TEST(slurm, yields_in_long_backfill_passes_of_random_logs_and_goes_on_or_breaks_off_as_its_loops_do) {
  for (const std::uint64_t seed : {0u, 1u, 2u, 3u, 5u, 6u, 7u, 8u, 9u, 11u, 12u, 13u, 14u, 15u}) {
    SCOPED_TRACE(seed);
    hold_against_loops(with_long_passes(draw(seed), seed));
    hold_against_loops(with_long_passes(with_limits(draw(seed), seed), seed));
    if (HasFailure()) break;
  }
}

TEST(slurm, places_the_jobs_of_random_logs_on_the_least_loaded_nodes_or_the_last_one_as_its_loops_do) {
  for (const std::uint64_t seed : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 9u, 10u, 16u}) {
    SCOPED_TRACE(seed);
    hold_against_loops(with_node_orders(draw(seed), seed));
    hold_against_loops(with_node_orders(with_many_nodes(draw(seed), seed), seed));
    if (HasFailure()) break;
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

TEST(slurm, cancels_and_requeues_the_jobs_of_random_logs_and_keeps_their_grace_times_as_its_loops_do) {
  unsigned preemptions = 0;
  for (const std::uint64_t seed : {5u, 14u, 19u, 20u, 35u, 42u, 50u, 53u}) {
    SCOPED_TRACE(seed);
    preemptions += hold_against_loops(with_terms(with_preemption(draw(seed), seed), seed));
    preemptions += hold_against_loops(with_terms(with_qos(with_preemption(draw(seed), seed), seed), seed));
    if (HasFailure()) break;
  }
  EXPECT_GT(preemptions, 50u);
}

}  // namespace
}  // namespace muster
