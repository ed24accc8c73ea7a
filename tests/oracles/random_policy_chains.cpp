#include "random_policy_chains.h"

#include <cmath>
#include <utility>

namespace muster::oracle {

namespace {

using next_states = std::vector<std::pair<cluster_state, double>>;

chain_result solved_result(const cluster& cores, explored_chain<cluster_state> chain) {
  const solved_cluster solved = solve_cluster(
      cores, std::move(chain), [](const cluster_state& s, std::size_t rank) { return s.in_system(rank); },
      [&](const cluster_state& s, std::size_t rank) { return s.in_system(rank) == cores.at(rank).max_in_system; });
  chain_result result;
  result.classes = solved.classes;
  result.states = solved.chain.states.size();
  result.residual = solved.stationary.residual;
  return result;
}

// Arrivals and completions; `then` moves jobs into service.
template <class Then>
next_states arrivals_and_completions(const cluster& cores, const cluster_state& state, const Then& then) {
  next_states result;
  for (std::size_t rank = 0; rank < cores.size(); ++rank) {
    cluster_state arrival = state;
    ++arrival.waiting[rank];
    then(arrival);
    result.emplace_back(arrival, cores.at(rank).arrival_rate);
    if (state.in_service[rank] == 0) continue;
    cluster_state completion = state;
    --completion.in_service[rank];
    then(completion);
    result.emplace_back(completion, state.in_service[rank] * cores.at(rank).size_rate);
  }
  return result;
}

// cluster_state::current is the schedule, and mode is 1 while the chain must stay in it.
struct nmsr_rules {
  const cluster& cores;
  const schedule_chain& chain;

  void operator()(cluster_state& state) const {
    const std::vector<int>& jobs = chain.schedules[static_cast<std::size_t>(state.current)];
    bool exceeds = false;
    for (std::size_t rank = 0; rank < cores.size(); ++rank) {
      exceeds = exceeds || state.in_service[rank] > jobs[rank];
      while (state.in_service[rank] < jobs[rank] && cores.admit_one(state, rank)) {
      }
    }
    state.mode = exceeds && !chain.leaves_while_switching ? 1 : 0;
  }
};

}  // namespace

chain_result nmsr(int k, const std::vector<chain_class>& classes, const schedule_chain& schedules) {
  const cluster cores(k, classes);
  const nmsr_rules rules{cores, schedules};
  const auto transitions_of = [&](const cluster_state& state) {
    next_states result = arrivals_and_completions(cores, state, rules);
    const auto from = static_cast<std::size_t>(state.current);
    for (std::size_t to = 0; to < schedules.schedules.size() && state.mode == 0; ++to) {
      if (to == from || schedules.rates[from][to] == 0.0) continue;
      cluster_state moved = state;
      moved.current = static_cast<std::int16_t>(to);
      rules(moved);
      result.emplace_back(moved, schedules.rates[from][to]);
    }
    return result;
  };
  cluster_state empty;
  empty.current = 0;
  return solved_result(
      cores, explore(empty, transitions_of, [&](const cluster_state& s) { return cores.within_truncation(s); }));
}

chain_result randomized_timers(int k, const std::vector<chain_class>& classes, double rate, double power) {
  const cluster cores(k, classes);
  const auto transitions_of = [&](const cluster_state& state) {
    next_states result = arrivals_and_completions(cores, state, [](cluster_state&) {});
    for (std::size_t rank = 0; rank < cores.size(); ++rank) {
      cluster_state entered = state;
      if (cores.admit_one(entered, rank))
        result.emplace_back(entered, rate * std::exp(std::pow(std::log(1.0 + state.waiting[rank]), power)));
    }
    return result;
  };
  return solved_result(cores, explore(cluster_state{}, transitions_of,
                                      [&](const cluster_state& s) { return cores.within_truncation(s); }));
}

}  // namespace muster::oracle
