#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/oracles/slurm_loops.h"
#include "tests/policies/placing_scene.h"

// Slurm's policy, where a tick is a second, against its loops gone through second by second, and by hand.

namespace muster {
namespace {

using starts = std::vector<ticks>;

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
                             {"bf_max_job_test", std::int64_t(of.bf_max_job_test)},
                             {"bf_max_job_start", std::int64_t(of.bf_max_job_start)}};
  if (of.weight_age > 0.0 || of.weight_size > 0.0) {
    all.emplace_back("PriorityType", std::string("multifactor"));
    all.emplace_back("PriorityWeightAge", std::int64_t(of.weight_age));
    all.emplace_back("PriorityWeightJobSize", std::int64_t(of.weight_size));
    all.emplace_back("PriorityMaxAge", static_cast<double>(of.max_age));
    all.emplace_back("PriorityCalcPeriod", static_cast<double>(of.calc_period));
  }
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
  const bool memory = seed % 3 == 1, whole = seed % 3 == 2;
  const std::uint64_t cores = between(1, 4), count = between(2, 9);
  for (std::uint64_t n = 0; n < count; ++n)
    all.nodes.push_back(memory ? std::vector<std::uint64_t>{cores, 10} : std::vector<std::uint64_t>{cores});
  for (std::uint64_t n = between(2, 5); n > 0; --n) {
    oracle::slurm_loop_need need{1, {between(1, cores)}, whole && bits() % 2 == 0};
    if (memory) need.each.push_back(between(1, 10));
    std::uint64_t most = cores / need.each[0];
    if (memory) most = std::min(most, 10 / need.each[1]);
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
  return all;
}

task_need need_of(const oracle::slurm_loop_need& of) {
  task_need need;
  need.tasks = of.tasks;
  need.per_task = of.each;
  need.exclusive = of.exclusive;
  return need;
}

void hold_against_loops(std::uint64_t seed) {
  const drawn_case all = draw(seed);
  const std::vector<resource_type> types =
      all.nodes[0].size() > 1 ? std::vector<resource_type>{{"cores"}, {"memory"}} : std::vector<resource_type>{{"cores"}};
  std::vector<task_need> needs;
  for (const auto& n : all.needs) needs.push_back(need_of(n));
  std::vector<placed_job> jobs;
  for (const auto& j : all.jobs) jobs.push_back({j.arrival, j.size, j.limit, static_cast<std::uint32_t>(j.need)});
  const amounts none(types.size());
  placing_scene scene(types, {{static_cast<std::uint32_t>(all.nodes.size()), all.nodes[0]}}, none, needs, "slurm",
                      in_settings(all.settings));
  const starts found = scene.run(jobs);
  if (std::getenv("SHOW")) {
    const auto& t = all.settings;
    std::printf("nodes %zu cores %zu si %ld bsd %lu depth %zu defer %d bf %d int %lu win %lu res %lu lin %lu kill %lu test %zu start %zu age %g size %g max %lu calc %lu\n", all.nodes.size(), (size_t)all.nodes[0][0], (long)t.sched_interval, t.batch_sched_delay, t.default_queue_depth, t.defer, t.backfill, t.bf_interval, t.bf_window, t.bf_resolution, t.bf_window_linear, t.kill_wait, t.bf_max_job_test, t.bf_max_job_start, t.weight_age, t.weight_size, t.max_age, t.calc_period);
    const auto e = slurm_loops(all.nodes, all.needs, all.jobs, all.settings);
    for (size_t n = 0; n < jobs.size(); ++n) std::printf("%zu arr %lu size %lu limit %lu tasks %u x %lu excl %d: %lu %lu\n", n, jobs[n].arrival, jobs[n].size, jobs[n].estimate, all.needs[all.jobs[n].need].tasks, all.needs[all.jobs[n].need].each[0], all.needs[all.jobs[n].need].exclusive, found[n], e[n].start);
  }
  const auto expected = slurm_loops(all.nodes, all.needs, all.jobs, all.settings);
  for (std::size_t n = 0; n < jobs.size(); ++n) {
    ASSERT_EQ(found[n], expected[n].start) << "seed " << seed << ", job " << n;
    std::vector<std::size_t> nodes;
    for (const task_placement& part : scene.placed(n)) nodes.push_back(part.server);
    ASSERT_EQ(nodes, expected[n].nodes) << "seed " << seed << ", job " << n;
  }
}

TEST(slurm, starts_each_job_of_random_logs_when_and_where_its_loops_do_second_by_second) {
  const char* const more = std::getenv("MUSTER_SLURM_LOGS");
  const std::uint64_t logs = more ? std::strtoull(more, nullptr, 10) : 40;
  for (std::uint64_t seed = std::getenv("FROM") ? std::strtoull(std::getenv("FROM"), nullptr, 10) : 0; seed < logs && !HasFatalFailure(); ++seed) hold_against_loops(seed);
}

}  // namespace
}  // namespace muster
