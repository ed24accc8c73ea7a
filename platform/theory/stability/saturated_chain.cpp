#include <algorithm>

#include "platform/theory/fcfs/fcfs_rules.h"
#include "platform/theory/stability/saturated_queue.h"

namespace muster {

namespace {

/// Counts the ways in which jobs can be in service, some cores perhaps idle. @return `most` + 1 if there are more
std::size_t count_allocations(const rigid_workload& workload, std::size_t most) {
  std::vector<std::size_t> ways(workload.cores + 1);  // by number of cores
  ways[0] = 1;
  for (const auto& c : workload.classes)
    for (std::size_t s = c.need; s < ways.size(); ++s) ways[s] = std::min(ways[s] + ways[s - c.need], most + 1);
  std::size_t all = 0;
  for (const std::size_t n : ways) all = std::min(all + n, most + 1);
  return all;
}

}  // namespace

// The jobs behind those in service have been drawn, but their classes are independent of all that has happened, except
// that of the first, which does not fit. So the jobs in service and the class of the first waiting one are a Markov
// chain.
std::optional<double> throughput_by_chain(const rigid_workload& workload, std::size_t most_states) {
  std::vector<fcfs_class> classes;
  for (const auto& c : workload.classes) {
    if (!c.is_exponential() || workload.cores / c.need > most_states) return std::nullopt;
    classes.push_back({c.need, c.rate, 1.0 / c.held});
  }
  const std::size_t most_allocations = 4 * most_states;
  if (count_allocations(workload, most_allocations) > most_allocations) return std::nullopt;
  const fcfs_rules rules(workload.cores, std::move(classes));
  const auto after_completion = [&](const fcfs_state& s) { return rules.after_completion(s, fcfs_rules::never_empty); };
  fcfs_level states;
  number(states, rules.look(rules.empty(), fcfs_rules::never_empty, 1.0));
  for (std::size_t before = 0; before != states.size();) {
    before = states.size();
    if (before > most_states) return std::nullopt;
    const fcfs_level now = states;
    for (const auto& [state, at] : now) number(states, after_completion(state));
  }
  const std::vector<double> shares = stationary_shares(rates(states, states, after_completion));
  double throughput = 0.0;
  for (const auto& [state, at] : states) throughput += shares[at] * rules.completions(state);
  return throughput;
}

}  // namespace muster
