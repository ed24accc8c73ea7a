#include "platform/theory/stability/stability.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "muster/policies/catalogue.h"
#include "platform/model/class_table.h"
#include "platform/model/compatibility_graph.h"
#include "platform/model/job_kind.h"
#include "platform/model/resource_load.h"
#include "platform/theory/stability/examinations.h"
#include "platform/theory/stability/task_limit.h"

namespace muster {

namespace {

/// The cores that a class may use.
struct usable_cores {
  double count = 0.0;
  double fastest = 0.0;  ///< capacity of the fastest core
};

usable_cores cores_of(const scenario& model, const class_spec& c) {
  usable_cores cores;
  for (const server_spec& s : model.servers) {
    if (std::find(c.servers.begin(), c.servers.end(), s.name) == c.servers.end()) continue;
    cores.count += static_cast<double>(s.count) * s.cores;
    cores.fastest = std::max(cores.fastest, s.capacity);
  }
  return cores;
}

// Whether tasks that fit together find room in whatever order they are placed: on one server whose devices are held as
// a whole.
bool any_order_packs(const scenario& model) {
  const std::vector<resource_type>& types = model.resources.types;
  const auto takes_whole_devices = [&](const class_spec& c) {
    const amounts& of_task = c.tasks->per_task;
    for (std::size_t r = 0; r < of_task.size(); ++r)
      if (types[r].is_devices() && of_task[r] % types[r].parts != 0) return false;
    return true;
  };
  return total_servers(model) == 1 && std::all_of(model.classes.begin(), model.classes.end(), takes_whole_devices);
}

// The limit where jobs need tasks: what mixes of tasks that fit on the servers carry. A policy that serves the best of
// the schedules for which it finds room is stable up to it where it finds room for all of them.
policy_limit limit_with_tasks(const scenario& model, const stability& limits, const std::vector<demand>& demands) {
  const task_limit best = limit_of_tasks(model, demands);
  const double rate = limits.rate * best.factor;
  if (!best.exact)
    return policy_limit::at_most(rate,
                                 "not known where jobs need tasks, or resources beside cores; a bound of what any mix "
                                 "of tasks on the servers carries is necessary (linear program)");
  const policy_entry* entry = find_policy(model.policy.name);
  if (entry && entry->rule_with(policy_settings(model)) == stability_rule::preemptive_best_mix &&
      any_order_packs(model) && !preemption_takes_time(model) && limits.overhead != overhead_count::lower_bound)
    return policy_limit::exactly(rate,
                                 "stable up to the best mix of tasks that fit on the server (linear program), as "
                                 "preemption costs nothing");
  return policy_limit::at_most(rate,
                               "not known where jobs need tasks, or resources beside cores; the best mix of tasks that "
                               "fit on each server is necessary (linear program)");
}

// Notes the policy's rule, where it decides.
policy_limit rigid_limit(const scenario& model, stability& limits, const std::vector<demand>& demands,
                         limit_search search) {
  const double work_rate = limits.work_rate;
  if (model.counts_tasks()) return limit_with_tasks(model, limits, demands);
  if (model.classes.size() == 1 && have_one_capacity(model.servers) && limits.overhead != overhead_count::lower_bound)
    return policy_limit::exactly(work_rate, "stable if and only if the work bound holds (one class)");
  const auto workload = rigid_workload_of(model, demands);
  if (!workload)
    return policy_limit::at_most(
        work_rate,
        "no condition is known where classes may use some of the servers only, or servers of several capacities; the "
        "work bound is necessary");
  const policy_entry* entry = find_policy(model.policy.name);
  limits.rule = entry ? entry->rule_with(policy_settings(model)) : stability_rule::not_known;
  policy_limit limit = policy_limit_of(limits.rule, *workload, preemption_takes_time(model), search);
  if (!workload->is_bounded())
    limit.condition = fmt::format("an upper bound, as not all time for {} is counted: {}",
                                  fmt::join(uncounted_time(model), ", "), limit.condition);
  return limit;
}

stability examine_rigid(const scenario& model, limit_search search) {
  stability s;
  s.rate = model.arrivals.rate;
  const std::vector<demand> demands = demands_of(model);
  s.overhead = count_overhead(demands);
  s.work = find_bottleneck(make_compatibility_graph(model, work_of(demands))).load;
  for (std::size_t at = 0; at < model.classes.size(); ++at) {
    const class_spec& c = model.classes[at];
    const usable_cores cores = cores_of(model, c);
    const double held = c.size.mean() / cores.fastest + demands[at].overhead;
    const double busy = c.rate * c.need * held;
    s.classes.push_back({c.name, demands[at].overhead, busy, busy / cores.count});
    // The cores that remain when no further job of the class fits do not serve it.
    s.work = std::max(s.work, c.rate * held / std::floor(cores.count / c.need));
  }
  if (model.counts_tasks()) s.work = std::max(s.work, load_of_tasks(model, demands));
  s.work_rate = s.rate / s.work;
  const policy_limit limit = rigid_limit(model, s, demands, search);
  s.policy_rate = limit.rate;
  s.known_by = limit.known_by;
  s.stable_below = limit.stable_below;
  s.unstable_from = std::min(s.work_rate, limit.unstable_from);
  if (model.servers_fail()) {
    const scenario up = while_up(model);
    double load = find_bottleneck(make_compatibility_graph(up, work_of(demands))).load;
    s.unstable_from = std::min(s.unstable_from, s.rate / load);
    if (model.counts_tasks())
      s.unstable_from =
          std::min({s.unstable_from, s.rate / load_of_tasks(up, demands), s.rate * limit_of_tasks(up, demands).factor});
  }
  s.condition = limit.condition;
  s.answer = verdict_of(s);
  return s;
}

stability examine_slotted(const scenario& model) {
  stability s;
  const auto cores = static_cast<double>(total_cores(model));
  // The rate of finite arrivals is per unit of time until the last of them.
  double rate = model.arrivals.rate;
  if (model.arrivals.finite()) {
    const std::uint64_t last =
        model.arrivals.list.empty() ? model.arrivals.slots() : model.arrivals.list.back().arrival;
    rate = static_cast<double>(model.run.jobs) / (static_cast<double>(last) * model.slot);
  }
  const std::vector<demand> demands = demands_of(model);
  s.overhead = count_overhead(demands);
  double work = 0.0;
  for (std::size_t at = 0; at < model.classes.size(); ++at) {
    const class_spec& c = model.classes[at];
    const double busy = rate * c.share * demands[at].work;
    s.classes.push_back({c.name, demands[at].overhead, busy, busy / cores});
    work += busy;
  }
  s.work = work / cores;
  s.rate = rate;
  s.work_rate = s.unstable_from = rate / s.work;
  if (model.arrivals.finite()) {
    s.answer = stability::verdict::stable;
    s.condition = "the arrivals are finite; the load is that until the last of them";
  } else if (all_jobs_expire(model)) {
    s.answer = stability::verdict::stable;
    s.condition = "stable at any load: every job leaves at its deadline, complete or not";
  } else {
    s.answer = s.work >= 1.0 ? stability::verdict::unstable : stability::verdict::unknown;
    s.condition = "no sufficient condition is known; where jobs have no deadline, the work bound is necessary";
  }
  return s;
}

// The load of the rigid or pooled jobs of a list until the last of them, from what each of them needs.
stability examine_listed(const scenario& model) {
  stability s;
  s.rate = rate_until_last(model);
  double work = 0.0;
  for (const class_spec& c : model.classes) {
    const usable_cores cores = cores_of(model, c);
    const double arriving = s.rate * c.share * (is_pooled(model) ? c.size.mean() : c.mean_work());
    const double busy = arriving / cores.fastest;
    s.classes.push_back({c.name, 0.0, busy, busy / cores.count});
    work += arriving;
  }
  s.work = work / total_capacity(model);
  if (model.counts_tasks())
    s.work = std::max(s.work, binding_load(resource_loads(model, s.rate, run_on::fastest)).load);
  if (s.work > 0.0) s.work_rate = s.unstable_from = s.rate / s.work;
  s.answer = stability::verdict::stable;
  s.condition = "the arrivals are finite; the load is that until the last of them, without overhead";
  if (model.arrivals.dependencies)
    s.condition += ", by the times that the file has: jobs that wait for others arrive as these end, whatever it says";
  return s;
}

// The least time that the scheduler spends on a rigid or pooled job: the policy is called when it arrives and when it
// leaves, and it has at least so many slices as its need takes of the largest servers.
double scheduler_time(const scenario& model, const class_spec& c) {
  unsigned largest = 1;
  for (const server_spec& s : model.servers)
    if (std::find(c.servers.begin(), c.servers.end(), s.name) != c.servers.end()) largest = std::max(largest, s.cores);
  const unsigned slices = is_pooled(model) ? 1 : (c.need + largest - 1) / largest;
  return 2.0 * model.decision.fixed + slices * model.decision.per_dispatch;
}

// Lowers unstable_from to the rate that the scheduler, which decides and dispatches one after the other, can bear.
void limit_by_decisions(const scenario& model, stability& s) {
  double busy = 0.0;
  for (const class_spec& c : model.classes) busy += c.rate * scheduler_time(model, c);
  if (busy == 0.0 || s.rate / busy >= s.unstable_from) return;
  s.unstable_from = s.rate / busy;
  s.condition = "an upper bound: from there on decisions and dispatches take more time than the scheduler has";
  s.answer = verdict_of(s);
}

stability examine_at_speed_1(const scenario& model, limit_search search) {
  const job_kind jobs = kind_of_jobs(model);
  if (jobs == job_kind::slotted) return examine_slotted(model);
  if (model.arrivals.jobs) return examine_listed(model);
  stability s = jobs == job_kind::pooled ? examine_pooled(model) : examine_rigid(model, search);
  limit_by_decisions(model, s);
  return s;
}

}  // namespace

stability::verdict verdict_of(const stability& s) {
  if (s.work >= 1.0 || s.rate >= s.unstable_from) return stability::verdict::unstable;
  return s.rate < s.stable_below ? stability::verdict::stable : stability::verdict::unknown;
}

stability examine_stability(const scenario& model, limit_search search) {
  stability s = model.schedulers.several() ? examine_schedulers(model, search, examine_at_speed_1)
                                           : examine_at_speed_1(model, search);
  limit_by_changes(model, s);
  return s;
}

std::string limit_text(const stability& limits) {
  const char* by_simulation = limits.known_by == limit_evidence::simulated_bound ? " (simulated)" : "";
  if (!limits.policy_rate)
    return limits.answer == stability::verdict::stable
               ? "-"
               : fmt::format("<= {:.6g}{}", limits.unstable_from, by_simulation);
  if (limits.known_by == limit_evidence::simulated)
    return fmt::format("{:.6g} +- {:.2g}", *limits.policy_rate,
                       std::max(limits.unstable_from - *limits.policy_rate, *limits.policy_rate - limits.stable_below));
  return fmt::format("{}{:.6g}{}", limits.known_by == limit_evidence::exact ? "" : ">= ", *limits.policy_rate,
                     by_simulation);
}

bool all_jobs_expire(const scenario& model) {
  return std::all_of(model.classes.begin(), model.classes.end(),
                     [](const class_spec& c) { return c.slotted && c.slotted->deadline.law; });
}

std::vector<std::string> unusable_servers(const scenario& model) {
  const compatibility_graph graph = make_compatibility_graph(model);
  std::vector<std::string> sentences;
  for (std::size_t s = 0; s < model.servers.size(); ++s)
    if (out_degree(model.classes.size() + s, graph) == 0)
      sentences.push_back(fmt::format("server '{}' stands idle: no class can use it", model.servers[s].name));
  return sentences;
}

}  // namespace muster
