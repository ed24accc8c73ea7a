#include "platform/theory/stability.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "muster/policies/catalogue.h"
#include "platform/model/class_table.h"
#include "platform/model/compatibility_graph.h"
#include "platform/model/job_kind.h"

namespace muster {

namespace {

double cores_of(const scenario& what, const class_spec& c) {
  double cores = 0.0;
  for (const server_spec& s : what.servers)
    if (std::find(c.servers.begin(), c.servers.end(), s.name) != c.servers.end())
      cores += static_cast<double>(s.count) * s.cores;
  return cores;
}

double fastest_capacity(const scenario& what, const class_spec& c) {
  double fastest = 0.0;
  for (const server_spec& s : what.servers)
    if (std::find(c.servers.begin(), c.servers.end(), s.name) != c.servers.end())
      fastest = std::max(fastest, s.capacity);
  return fastest;
}

double places_of(const scenario& what, const class_spec& c) { return std::floor(cores_of(what, c) / c.need); }

policy_limit rigid_limit(const scenario& what, const stability& found, const std::vector<demand>& demands) {
  const bool one_capacity = std::all_of(what.servers.begin(), what.servers.end(), [&](const server_spec& s) {
    return s.capacity == what.servers.front().capacity;
  });
  const double work_rate = found.work_rate;
  if (what.classes.size() == 1 && one_capacity && found.overhead != overhead_count::lower_bound)
    return {work_rate, work_rate, work_rate, limit_evidence::exact,
            "stable if and only if the work bound holds (one class)"};
  const auto workload = rigid_workload_of(what, demands);
  if (!workload)
    return {
        {},
        0.0,
        work_rate,
        limit_evidence::bound,
        "no condition is known where classes may use some of the servers only, or servers of several capacities; the "
        "work bound is necessary"};
  const policy_entry* entry = find_policy(what.policy.name);
  const bool preemption_costs = what.costs.any() || what.network.takes_time();
  return policy_limit_of(entry ? entry->stable_up_to : stability_rule::not_known, *workload, preemption_costs);
}

stability::verdict verdict_of(const stability& s) {
  if (s.work >= 1.0 || s.rate >= s.unstable_from) return stability::verdict::unstable;
  return s.rate < s.stable_below ? stability::verdict::stable : stability::verdict::unknown;
}

// Whether nothing but work takes a server's time.
bool has_no_overhead(const scenario& what) {
  return !what.costs.any() && !what.network.takes_time() && !what.decision.takes_time() && !what.servers_fail() &&
         std::none_of(what.servers.begin(), what.servers.end(), [](const server_spec& s) { return s.power.delays(); });
}

bool follows_order(const scenario& what) {
  const policy_entry* entry = find_policy(what.policy.name);
  return entry && entry->stable_up_to == stability_rule::in_order;
}

// Of pooled jobs, without interruptions. With long queues, let A be the classes whose oldest job has waited longest.
// The servers that may serve A serve nothing else. As they bring more capacity than A has load, that longest wait
// becomes shorter, whatever the sizes. A job's draw of servers counts as a class.
bool serves_in_order(const scenario& what) {
  return follows_order(what) && has_no_overhead(what) && !std::isfinite(work_between_interruptions(what));
}

// All servers work while any job is there, with interruptions or without.
bool shares_all_servers(const scenario& what) {
  return follows_order(what) && has_no_overhead(what) &&
         std::all_of(what.classes.begin(), what.classes.end(),
                     [&](const class_spec& c) { return c.drawn == 0 && c.servers.size() == what.servers.size(); });
}

stability examine_pooled(const scenario& what) {
  stability s;
  s.rate = what.arrivals.rate;
  const std::vector<demand> demands = demands_of(what);
  s.overhead = count_overhead(demands);
  hardest_pressed found = find_hardest_pressed(what, work_of(demands));
  s.work = found.set.load / found.set.capacity;
  s.work_rate = s.unstable_from = s.rate / s.work;
  s.hardest = std::move(found.set);
  const std::vector<std::string> departures = departures_from_pooled_model(what);
  const auto exact = [&s](const char* condition) {
    s.policy_rate = s.stable_below = s.work_rate;
    s.known_by = limit_evidence::exact;
    s.condition = condition;
  };
  if (!found.sure) {
    s.condition = "too many sets of classes to look at all of them (Balanced fairness, Theorem 1)";
  } else if (departures.empty()) {
    exact("stable if and only if every set of classes has less load than capacity (Balanced fairness, Theorem 1)");
  } else if (serves_in_order(what)) {
    exact(
        "stable if and only if every set of classes has less load than capacity (any sizes, as jobs are served in the "
        "order of arrival; derived from fluid limits)");
  } else if (shares_all_servers(what)) {
    exact("stable if and only if there is less load than capacity (any sizes, as every job may use all servers)");
  } else {
    s.condition = fmt::format(
        "every set of classes must have less load than capacity (Balanced fairness, Theorem 1), which is not known to "
        "be enough with {}",
        fmt::join(departures, ", "));
  }
  s.answer = verdict_of(s);
  return s;
}

stability examine_rigid(const scenario& what) {
  stability s;
  s.rate = what.arrivals.rate;
  const std::vector<demand> demands = demands_of(what);
  s.overhead = count_overhead(demands);
  s.work = find_bottleneck(make_compatibility_graph(what, work_of(demands))).load;
  for (std::size_t at = 0; at < what.classes.size(); ++at) {
    const class_spec& c = what.classes[at];
    const double held = c.size.mean() / fastest_capacity(what, c) + demands[at].overhead;
    const double busy = c.rate * c.need * held;
    s.classes.push_back({c.name, demands[at].overhead, busy, busy / cores_of(what, c)});
    // Cores that are too few for one more job of the class are no use to it.
    s.work = std::max(s.work, c.rate * held / places_of(what, c));
  }
  s.work_rate = s.rate / s.work;
  const policy_limit limit = rigid_limit(what, s, demands);
  s.policy_rate = limit.rate;
  s.known_by = limit.known_by;
  s.stable_below = limit.stable_below;
  s.unstable_from = std::min(s.work_rate, limit.unstable_from);
  s.condition = limit.condition;
  s.answer = verdict_of(s);
  return s;
}

}  // namespace

stability examine_slotted(const scenario& what) {
  stability s;
  const auto cores = static_cast<double>(total_cores(what));
  // Of finite arrivals: per unit of time until the last of them.
  double rate = what.arrivals.rate;
  if (what.arrivals.finite()) {
    const std::uint64_t last = what.arrivals.list.empty() ? what.arrivals.slots : what.arrivals.list.back().arrival;
    rate = static_cast<double>(what.run.jobs) / (static_cast<double>(last) * what.slot);
  }
  const std::vector<demand> demands = demands_of(what);
  s.overhead = count_overhead(demands);
  double work = 0.0;
  for (std::size_t at = 0; at < what.classes.size(); ++at) {
    const class_spec& c = what.classes[at];
    const double busy = rate * c.share * demands[at].work;
    s.classes.push_back({c.name, demands[at].overhead, busy, busy / cores});
    work += busy;
  }
  s.work = work / cores;
  s.rate = rate;
  s.work_rate = s.unstable_from = rate / s.work;
  const bool all_expire = std::all_of(what.classes.begin(), what.classes.end(), [](const class_spec& c) {
    return c.slotted->deadline.kind != deadline_spec::law::none;
  });
  if (what.arrivals.finite()) {
    s.answer = stability::verdict::stable;
    s.condition = "the arrivals are finite; the load is that until the last of them";
  } else if (all_expire) {
    s.answer = stability::verdict::stable;
    s.condition = "stable at any load: every job leaves at its deadline, complete or not";
  } else {
    s.answer = s.work >= 1.0 ? stability::verdict::unstable : stability::verdict::unknown;
    s.condition = "no sufficient condition is known; where jobs have no deadline, the work bound is necessary";
  }
  return s;
}

stability examine_stability(const scenario& what) {
  switch (kind_of_jobs(what)) {
    case progress::slotted:
      return examine_slotted(what);
    case progress::pooled:
      return examine_pooled(what);
    case progress::rigid:
      break;
  }
  return examine_rigid(what);
}

std::string limit_text(const stability& found) {
  if (!found.policy_rate) return "-";
  switch (found.known_by) {
    case limit_evidence::exact:
      break;
    case limit_evidence::simulated:
      return fmt::format("{:.6g} +- {:.2g}", *found.policy_rate,
                         std::max(found.unstable_from - *found.policy_rate, *found.policy_rate - found.stable_below));
    case limit_evidence::bound:
      return fmt::format(">= {:.6g}", *found.policy_rate);
  }
  return fmt::format("{:.6g}", *found.policy_rate);
}

std::vector<std::string> unusable_servers(const scenario& what) {
  const compatibility_graph graph = make_compatibility_graph(what);
  std::vector<std::string> sentences;
  for (std::size_t s = 0; s < what.servers.size(); ++s)
    if (out_degree(what.classes.size() + s, graph) == 0)
      sentences.push_back(fmt::format("server '{}' stands idle: no class can use it", what.servers[s].name));
  return sentences;
}

}  // namespace muster
