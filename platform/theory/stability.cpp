#include "platform/theory/stability.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/scenario/class_table.h"
#include "platform/scenario/compatibility_graph.h"

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

// All classes may use all servers, and those are alike: the papers' model, k cores of capacity 1.
bool is_papers_cluster(const scenario& what) {
  return std::all_of(what.classes.begin(), what.classes.end(),
                     [&](const class_spec& c) { return c.servers.size() == what.servers.size(); }) &&
         std::all_of(what.servers.begin(), what.servers.end(),
                     [](const server_spec& s) { return s.capacity == 1.0 && !s.power.delays(); }) &&
         !what.servers_fail() && what.costs.dispatch_latency == 0.0 && what.costs.set_up == 0.0 &&
         !what.network.takes_time() && !what.decision.takes_time();
}

bool is_papers_workload(const scenario& what) {
  return what.arrivals.kind == arrival_spec::process::poisson &&
         std::all_of(what.classes.begin(), what.classes.end(),
                     [](const class_spec& c) { return c.size.name() == "exponential"; });
}

const class_spec* class_of_need(const scenario& what, double need) {
  const auto found = std::find_if(what.classes.begin(), what.classes.end(),
                                  [&](const class_spec& c) { return static_cast<double>(c.need) == need; });
  return found == what.classes.end() ? nullptr : &*found;
}

bool is_one_or_all(const scenario& what) {
  const double k = cores_of(what, what.classes.front());
  return what.classes.size() == 2 && k > 1 && class_of_need(what, 1) && class_of_need(what, k);
}

struct policy_condition {
  std::optional<double> rate;
  bool exact = false;
  std::string text;
};

// Saturated FCFS, one or all: heavy jobs come after a geometric number L of light ones; L light jobs on k cores take
// (L - k)+ / (k mu) + H_min(L, k) / mu with exponential sizes, and a heavy job then takes its size.
policy_condition fcfs_condition(const scenario& what) {
  if (!is_one_or_all(what))
    return {{}, false, "no condition is known for FCFS with these classes; its limit lies below the work bound"};
  const class_spec& light = *class_of_need(what, 1);
  const double k = cores_of(what, light);
  const class_spec& heavy = *class_of_need(what, k);
  const double heavy_share = heavy.rate / what.arrivals.rate;
  const double light_share = light.rate / what.arrivals.rate;
  double cycle = heavy.size.mean();
  double at_least = 1.0;  // P(L >= n)
  for (double n = 1.0; n <= k; n += 1.0)
    cycle += (at_least *= light_share) * light.size.mean() / n;  // the n-th light job prolongs the period by 1 / (n mu)
  cycle += at_least * light_share / heavy_share * light.size.mean() / k;  // each further one by 1 / (k mu)
  return {what.arrivals.rate / heavy.rate / cycle, true,
          "stable if and only if the rate is below that of a queue that never empties (derived for one-or-all with "
          "exponential light jobs)"};
}

policy_condition work_condition(const scenario& what, double work_rate) {
  if (is_one_or_all(what))
    return {work_rate, true, "stable if and only if the work bound holds (Quickswap, Theorems 3 and 4, one-or-all)"};
  return {{}, false, "no sufficient condition is known for these classes; the work bound is necessary"};
}

// Remark 1: sum of lambda_j / (floor(k/j) mu_j) < 1. It speaks of the policy as the paper's text has it.
policy_condition static_condition(const scenario& what) {
  for (const auto& [name, value] : what.policy.settings)
    if (name == "hand_over" && std::get<std::string>(value) != "after_drain")
      return {{}, false, "Remark 1 speaks of hand_over = \"after_drain\"; no condition is known for this one"};
  double sum = 0.0;
  for (const class_spec& c : what.classes) sum += c.rate * c.size.mean() / places_of(what, c);
  return {what.arrivals.rate / sum, false, "stable if sum_j lambda_j / (floor(k/j) mu_j) < 1 (Quickswap, Remark 1)"};
}

policy_condition condition_of(const scenario& what, double work_rate, overhead_count overhead) {
  const bool one_capacity = std::all_of(what.servers.begin(), what.servers.end(), [&](const server_spec& s) {
    return s.capacity == what.servers.front().capacity;
  });
  if (what.classes.size() == 1 && one_capacity && overhead != overhead_count::lower_bound)
    return {work_rate, true, "stable if and only if the work bound holds (one class)"};
  if (!is_papers_cluster(what))
    return {{}, false, "the papers' conditions do not cover this platform; the work bound is necessary"};
  if (!is_papers_workload(what))
    return {{},
            false,
            "the papers' conditions are for Poisson arrivals and exponential sizes; the work bound is necessary"};
  const std::map<std::string, std::function<policy_condition()>> conditions{
      {"fcfs", [&] { return fcfs_condition(what); }},
      {"msf", [&] { return work_condition(what, work_rate); }},
      {"msfq", [&] { return work_condition(what, work_rate); }},
      {"static_quickswap", [&] { return static_condition(what); }},
  };
  const auto known = conditions.find(what.policy.name);
  if (known != conditions.end()) return known->second();
  return {{}, false, "no sufficient condition is known for this policy; the work bound is necessary"};
}

stability::verdict verdict_of(const stability& s) {
  if (s.work >= 1.0 || (s.policy_rate_is_exact && s.rate >= *s.policy_rate)) return stability::verdict::unstable;
  return s.policy_rate && s.rate < *s.policy_rate ? stability::verdict::stable : stability::verdict::unknown;
}

stability examine_pooled(const scenario& what) {
  stability s;
  s.rate = what.arrivals.rate;
  const std::vector<demand> demands = demands_of(what);
  s.overhead = count_overhead(demands);
  hardest_pressed found = find_hardest_pressed(what, work_of(demands));
  s.work = found.set.load / found.set.capacity;
  s.work_rate = s.rate / s.work;
  s.hardest = std::move(found.set);
  const std::vector<std::string> departures = departures_from_pooled_model(what);
  if (!found.sure) {
    s.condition = "too many sets of classes to look at all of them (Balanced fairness, Theorem 1)";
  } else if (departures.empty()) {
    s.policy_rate = s.work_rate;
    s.policy_rate_is_exact = true;
    s.condition =
        "stable if and only if every set of classes has less load than capacity (Balanced fairness, Theorem 1)";
  } else {
    s.condition = fmt::format(
        "every set of classes must have less load than capacity (Balanced fairness, Theorem 1), which is not known to "
        "be "
        "enough with {}",
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
  const policy_condition condition = condition_of(what, s.work_rate, s.overhead);
  s.policy_rate = condition.rate;
  s.policy_rate_is_exact = condition.exact;
  s.condition = condition.text;
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
  s.work_rate = rate / s.work;
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
  if (what.classes.front().slotted) return examine_slotted(what);
  return is_pooled(what) ? examine_pooled(what) : examine_rigid(what);
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
