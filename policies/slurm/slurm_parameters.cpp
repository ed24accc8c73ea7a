#include "muster/policies/slurm/slurm_parameters.h"

#include "muster/policies/slurm/account_tree.h"
#include "muster/policies/slurm/preempt_terms.h"
#include "muster/policies/slurm/qos_table.h"
#include "muster/policies/slurm/running_limits.h"

#include <cmath>
#include <limits>

namespace muster {

namespace {

constexpr std::int64_t year = 365 * 86400;

parameter whole(std::string_view name, std::int64_t lowest, std::int64_t standard, std::int64_t highest,
                std::string_view help) {
  return {name, integer_parameter{{lowest}, {highest}, {standard}}, help};
}

parameter weight(std::string_view name, std::string_view help) { return whole(name, 0, 0, 1'000'000'000, help); }

parameter seconds(std::string_view name, double standard, std::string_view help) {
  return {name, number_parameter{"a number >= 0", 0.0, false, standard}, help};
}

// A parameter in seconds, at least one: priorities computed at every tick would take as long as the run.
parameter period(std::string_view name, double standard, std::string_view help) {
  return {name, number_parameter{"a number >= 1", 1.0, false, standard}, help};
}

parameter one_of(std::string_view name, std::vector<std::string_view> words, std::string_view help) {
  return {name, choice_parameter{std::move(words)}, help};
}

std::size_t limit(const settings& given, std::string_view name) {
  const std::int64_t value = given.integer(name);
  return value == 0 ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(value);
}

}  // namespace

std::vector<parameter> slurm_parameters() {
  constexpr std::int64_t most = 1'000'000;
  return {
      one_of("SchedulerType", {"backfill", "builtin"}, "whether there are passes of backfilling"),
      whole("sched_interval", -1, 60, year, "s between main passes of all jobs; -1: no main pass"),
      whole("batch_sched_delay", 0, 3, year, "s between main passes after submissions"),
      whole("sched_min_interval", 0, 2, year, "us between main passes"),
      whole("default_queue_depth", 0, 100, most, "jobs of a main pass after an event"),
      seconds("main_phase", 0.0, "s from full seconds to main passes, below 1"),
      one_of("defer", {"no", "yes"}, "whether jobs that end wait as submissions do"),
      whole("bf_interval", 1, 30, year, "s between backfill passes"),
      whole("bf_window", 1, 1440, year / 60, "minutes that a backfill pass looks ahead"),
      whole("bf_resolution", 1, 60, 3600, "s to which reservations are rounded"),
      whole("bf_window_linear", 0, 0, year, "s by which windows of ends grow; 0: they double"),
      whole("bf_max_job_test", 1, 500, most, "jobs of a backfill pass"),
      whole("bf_max_job_user", 0, 0, most, "of a user; 0: any number"),
      whole("bf_max_job_part", 0, 0, most, "of a partition; 0: any number"),
      whole("bf_max_job_start", 0, 0, most, "that a pass starts; 0: any number"),
      whole("bf_max_time", 0, 0, 3600, "s of a pass, where decisions take time; 0: bf_interval"),
      whole("bf_yield_interval", 1, 2'000'000, 10'000'000, "us of a pass until it yields"),
      whole("bf_yield_sleep", 1, 500'000, 10'000'000, "us for which it yields"),
      one_of("bf_continue", {"no", "yes"}, "whether it goes on when something has changed"),
      one_of("CR_LLN", {"no", "yes"}, "whether jobs take the least loaded nodes"),
      one_of("pack_serial_at_end", {"no", "yes"}, "whether jobs of one core take the last node"),
      whole("KillWait", 0, 30, year, "s that jobs are believed to exceed limits"),
      seconds("completing_time", 0.0, "s that nodes of a job that has ended are COMPLETING"),
      whole("MaxJobsPerUser", 0, 0, most, "jobs of a user that run; 0: any number"),
      one_of("PriorityType", {"basic", "multifactor"}, "by arrival, or by weighted factors"),
      weight("PriorityWeightAge", "of the wait"),
      weight("PriorityWeightFairshare", "of a user's small usage"),
      weight("PriorityWeightJobSize", "of the share of nodes and cores"),
      weight("PriorityWeightPartition", "of a partition's PriorityJobFactor"),
      weight("PriorityWeightQOS", "of a QOS's Priority"),
      seconds("PriorityMaxAge", 604800.0, "s of wait that count most"),
      seconds("PriorityDecayHalfLife", 604800.0, "s, of usage; 0: it does not decay"),
      period("PriorityCalcPeriod", 300.0, "s between computations of priorities"),
      one_of("PriorityFavorSmall", {"no", "yes"}, "whether small jobs have the larger factor"),
      one_of("PreemptType", {"none", "partition_prio", "qos"}, "which jobs make others give way"),
      preempt_terms_table::of_cluster(),
      seconds("PreemptExemptTime", 0.0, "s that a job runs before it gives way"),
      one_of("preempt_youngest_first", {"no", "yes"}, "whether the latest start gives way first"),
      whole("preempt_reorder_count", 0, 1, 1000, "searches for fewer jobs that give way"),
      one_of("preempt_strict_order", {"no", "yes"}, "whether these keep the order of tiers"),
      {"accounts", tables_parameter{account_tree::account_parameters}, "the tree of accounts, each by its name"},
      {"users", tables_parameter{account_tree::user_parameters, table_names::users},
       "the accounts of users, and their limits"},
      {"qos", tables_parameter{qos_table::parameters, table_names::qos}, "the QOS of jobs, each by its name"},
  };
}

std::vector<parameter> slurm_partition_parameters() {
  std::vector<parameter> all{
      {"PriorityTier", integer_parameter{{0}, {65533}, {1}}, "jobs of a higher one come first"},
      {"PriorityJobFactor", number_parameter{"a number >= 0", 0.0, false, 1.0}, "of the partition"},
      one_of("LLN", {"no", "yes"}, "whether its jobs take the least loaded nodes")};
  for (const parameter& p : preempt_terms_table::of_partition()) all.push_back(p);
  for (const parameter& limit : running_limits::qos_parameters()) all.push_back(limit);
  return all;
}

std::optional<setting_conflict> slurm_objection(const cluster_view& cluster, const settings& given) {
  if (given.choice("SchedulerType") == "builtin" && given.integer("sched_interval") < 0)
    return setting_conflict{"sched_interval",
                            "expected at least 0 with SchedulerType 'builtin', which has main passes alone, found -1"};
  if (given.number("main_phase") >= 1.0) return setting_conflict{"main_phase", "expected a number below 1, in seconds"};
  if (auto conflict = running_limits::objection(cluster)) return conflict;
  if (auto conflict = qos_table::objection(given)) return conflict;
  if (auto conflict = account_tree::objection(given)) return conflict;
  if (preempt_terms_table::preempts(given) && cluster.inventory().of_cluster.places() > 0)
    return setting_conflict{
        "PreemptType",
        "it counts what jobs that give way hold of servers alone, but the cluster has resources as a "
        "whole; expected 'none', or resources of servers"};
  return preempt_terms_table::objection(given);
}

slurm_settings::slurm_settings(const settings& given, ticks of_second)
    : second(of_second),
      backfills(given.choice("SchedulerType") == "backfill"),
      has_main_loop(given.integer("sched_interval") >= 0),
      defer(given.choice("defer") == "yes"),
      bf_continue(given.choice("bf_continue") == "yes"),
      default_queue_depth(static_cast<std::size_t>(given.integer("default_queue_depth"))),
      bf_max_job_test(static_cast<std::size_t>(given.integer("bf_max_job_test"))),
      bf_max_job_user(limit(given, "bf_max_job_user")),
      bf_max_job_part(limit(given, "bf_max_job_part")),
      bf_max_job_start(limit(given, "bf_max_job_start")),
      max_jobs_per_user(limit(given, "MaxJobsPerUser")),
      preempts_by_qos(given.choice("PreemptType") == "qos"),
      preempt_youngest_first(given.choice("preempt_youngest_first") == "yes"),
      preempt_strict_order(given.choice("preempt_strict_order") == "yes"),
      preempt_reorder_count(static_cast<std::size_t>(given.integer("preempt_reorder_count"))),
      requeue_wait(121 * second) {
  const auto in_seconds = [&](std::string_view name) { return static_cast<ticks>(given.integer(name)) * second; };
  // A loop that looks once a second makes a pass of interval 0 each time.
  sched_interval = has_main_loop ? std::max(second, in_seconds("sched_interval")) : second;
  batch_sched_delay = in_seconds("batch_sched_delay");
  sched_min_interval = in_seconds("sched_min_interval") / 1'000'000;
  kill_wait = in_seconds("KillWait");
  const auto time = [&](std::string_view name) {
    return static_cast<ticks>(std::llround(given.number(name) * static_cast<double>(second)));
  };
  main_phase = time("main_phase");
  completing_time = time("completing_time");
  preemption_wait = kill_wait + 10 * second;
  bf_interval = in_seconds("bf_interval");
  bf_window = 60 * in_seconds("bf_window");
  bf_resolution = in_seconds("bf_resolution");
  bf_window_linear = in_seconds("bf_window_linear");
  bf_max_time = given.integer("bf_max_time") > 0 ? in_seconds("bf_max_time") : bf_interval;
  bf_yield_interval = std::max<ticks>(1, in_seconds("bf_yield_interval") / 1'000'000);
  bf_yield_sleep = in_seconds("bf_yield_sleep") / 1'000'000;
}

}  // namespace muster
