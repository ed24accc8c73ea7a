#include "quickswap_chains.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace muster::oracle {

namespace {

// Values of cluster_state::mode under Adaptive and Static Quickswap.
constexpr std::int16_t working = 0;
constexpr std::int16_t draining = 1;

std::size_t as_rank(int rank) { return static_cast<std::size_t>(rank); }

chain_result make_result(const solved_cluster& solved) {
  chain_result result;
  result.classes = solved.classes;
  result.states = solved.chain.states.size();
  result.residual = solved.stationary.residual;
  return result;
}

using successors = std::vector<std::pair<cluster_state, double>>;

void admit_most_servers_first(const cluster& cores, cluster_state& state) {
  for (std::size_t rank = 0; rank < cores.size(); ++rank) {
    cores.admit_all(state, rank);
  }
}

// MSFQ: ranks of its classes; cluster_state::mode is the phase.
constexpr std::size_t heavy = 0;
constexpr std::size_t light = 1;

struct msfq_rules {
  const cluster& cores;
  int threshold;
  msfq_drain drain;

  void start_period(cluster_state& state) const {
    if (state.is_empty()) {
      state.mode = 0;
    } else if (cores.admit_one(state, heavy)) {
      state.mode = 1;
    } else {
      cores.admit_all(state, light);
      const int jobs = state.in_system(light);
      const bool is_drained = jobs <= threshold && drain == msfq_drain::always;
      state.mode = jobs >= cores.cores() ? 2 : is_drained ? 4 : 3;
    }
  }

  void operator()(cluster_state& state, int /*arrived*/) const {
    if (state.mode == 1) {
      cores.admit_one(state, heavy);
    } else if (state.mode == 2 || state.mode == 3) {
      cores.admit_all(state, light);
      const int jobs = state.in_system(light);
      if (jobs <= threshold && (drain == msfq_drain::always || state.waiting[heavy] > 0)) {
        state.mode = 4;
      } else if (jobs < cores.cores()) {
        state.mode = 3;
      }
    }
    if (state.in_service[heavy] + state.in_service[light] == 0) {
      start_period(state);
    }
  }
};

// Without a heavy job waiting, one phase 4 may follow directly on another.
bool is_phase_entry(const cluster_state& from, const cluster_state& to) {
  const bool is_restart = to.mode == 4 && from.in_service[light] == 1 && to.in_system(light) < from.in_system(light);
  return from.mode != to.mode || is_restart;
}

void run_adaptive(const cluster& cores, cluster_state& state) {
  if (state.mode == draining) {
    std::size_t largest = 0;
    while (state.waiting[largest] == 0) {
      ++largest;
    }
    if (!cores.admit_one(state, largest)) {
      return;
    }
  }
  admit_most_servers_first(cores, state);
  bool waits_unserved = false;
  bool waits_served = false;
  for (std::size_t rank = 0; rank < cores.size(); ++rank) {
    waits_unserved = waits_unserved || (state.waiting[rank] > 0 && state.in_service[rank] == 0);
    waits_served = waits_served || (state.waiting[rank] > 0 && state.in_service[rank] > 0);
  }
  state.mode = waits_unserved && !waits_served ? draining : working;
}

// The turn stays where it is if no other class has a job waiting.
void pass_turn(const cluster& cores, cluster_state& state) {
  const int next = cores.next_other_waiting(state, state.current);
  state.current = next == no_class ? state.current : static_cast<std::int16_t>(next);
}

struct static_rules {
  const cluster& cores;
  int threshold;
  static_drain drain;
  static_hand_over hand_over;

  bool other_waits(const cluster_state& state) const {
    return cores.next_other_waiting(state, state.current) != no_class;
  }

  bool ends_working(const cluster_state& state) const {
    const std::size_t rank = as_rank(state.current);
    const int need = cores.at(rank).need;
    const int idle = need * (cores.slots(rank) - state.in_service[rank]);
    // A class with nothing in service must not keep the turn when k is no multiple of its need.
    const int bound = std::min(std::max(1, cores.cores() - threshold), need * cores.slots(rank));
    const bool may_drain = drain == static_drain::always || other_waits(state);
    return !state.others_in_service(rank) && idle >= bound && may_drain;
  }

  void operator()(cluster_state& state, int arrived) const {
    if (state.is_empty()) {
      state.current = no_class;
      state.mode = working;
      return;
    }
    if (state.current == no_class) {
      state.current = static_cast<std::int16_t>(arrived);
    }
    while (true) {
      if (state.mode == draining) {
        const bool passes_early = hand_over == static_hand_over::while_draining && other_waits(state);
        if (state.in_service[as_rank(state.current)] > 0 && !passes_early) {
          return;
        }
        pass_turn(cores, state);
        state.mode = working;
      }
      cores.admit_all(state, as_rank(state.current));
      if (!ends_working(state)) {
        return;
      }
      state.mode = draining;
    }
  }
};

struct published_static_rules {
  const cluster& cores;

  bool is_ready(const cluster_state& state) const {
    const std::size_t rank = as_rank(state.current);
    return !state.others_in_service(rank) && state.in_service[rank] <= cores.slots(rank) - 1;
  }

  void operator()(cluster_state& state, int arrived) const {
    if (arrived != no_class) {
      if (state.current == no_class) {
        state.current = static_cast<std::int16_t>(arrived);
      }
      if (arrived != state.current && is_ready(state)) {
        pass_turn(cores, state);
      }
      if (state.waiting[as_rank(state.current)] == 0) {
        pass_turn(cores, state);
      }
    }
    cores.admit_all(state, as_rank(state.current));
    if (is_ready(state)) {
      pass_turn(cores, state);
    }
  }
};

// First Fit with two classes, ranks 0 (large) and 1 (small); cluster_state::mode counts the unseen jobs: a job needs
// no class before a scan reaches it, as classes are independent of the past. A scan stops where a small job no longer
// fits, so the jobs that it has passed over are all large and stand before the unseen ones.
struct first_fit_rules {
  const cluster& cores;
  double total_rate;
  double small_share;

  // One unseen job per round; equal outcomes are merged, as there are exponentially many sequences.
  void scan(const cluster_state& start, double rate, successors& result) const {
    std::unordered_map<cluster_state, double, byte_hash<cluster_state>> front{{start, rate}};
    while (!front.empty()) {
      decltype(front) next_front;
      for (const auto& [state, state_rate] : front) {
        cluster_state large_next = state;
        cores.admit_all(large_next, 0);
        cluster_state small_next = large_next;
        ++small_next.waiting[1];
        if (large_next.mode == 0 || !cores.admit_one(small_next, 1)) {
          result.emplace_back(large_next, state_rate);
          continue;
        }
        --small_next.mode;
        --large_next.mode;
        ++large_next.waiting[0];
        next_front[small_next] += state_rate * small_share;
        next_front[large_next] += state_rate * (1.0 - small_share);
      }
      front = std::move(next_front);
    }
  }

  successors operator()(const cluster_state& state) const {
    successors result;
    cluster_state arrival = state;
    ++arrival.mode;
    scan(arrival, total_rate, result);
    for (std::size_t rank = 0; rank < 2; ++rank) {
      if (state.in_service[rank] > 0) {
        cluster_state completion = state;
        --completion.in_service[rank];
        scan(completion, state.in_service[rank] * cores.at(rank).size_rate, result);
      }
    }
    return result;
  }
};

}  // namespace

chain_result msfq(int k, int threshold, double lambda_light, double lambda_heavy, double mu_light, double mu_heavy,
                  msfq_drain drain, int max_light, int max_heavy) {
  if (threshold < 0 || threshold >= k) {
    throw std::invalid_argument("msfq: threshold out of range");
  }
  const cluster heavy_first(k, {{k, lambda_heavy, mu_heavy, max_heavy}, {1, lambda_light, mu_light, max_light}});
  const solved_cluster solved = solve_cluster(heavy_first, msfq_rules{heavy_first, threshold, drain});
  chain_result result = make_result(solved);
  std::swap(result.classes[heavy], result.classes[light]);

  for (std::size_t number = 0; number < solved.chain.states.size(); ++number) {
    result.phase_share[as_rank(solved.chain.states[number].mode)] += solved.stationary.probability[number];
  }
  std::array<double, 5> entry_rate{};
  for (const transition& step : solved.chain.transitions) {
    const cluster_state& to = solved.chain.states[step.to];
    if (is_phase_entry(solved.chain.states[step.from], to)) {
      entry_rate[as_rank(to.mode)] += solved.stationary.probability[step.from] * step.rate;
    }
  }
  for (std::size_t phase = 1; phase < entry_rate.size(); ++phase) {
    result.phase_duration[phase] = entry_rate[phase] > 0.0 ? result.phase_share[phase] / entry_rate[phase] : 0.0;
  }
  return result;
}

chain_result msf(int k, const std::vector<chain_class>& classes) {
  const cluster cores(k, classes);
  return make_result(solve_cluster(cores, [&](cluster_state& state, int) { admit_most_servers_first(cores, state); }));
}

chain_result first_fit(int k, const std::vector<chain_class>& classes, int max_in_system) {
  const cluster cores(k, classes);
  if (cores.size() != 2 || max_in_system < 1 || max_in_system > INT16_MAX - 1) {
    throw std::invalid_argument("first_fit: two classes and a truncation of 1..32766 expected");
  }
  const double total_rate = cores.at(0).arrival_rate + cores.at(1).arrival_rate;
  const double small_share = total_rate > 0.0 ? cores.at(1).arrival_rate / total_rate : 0.0;
  const auto total = [](const cluster_state& state) { return state.in_system(0) + state.in_system(1) + state.mode; };
  const auto keep = [&](const cluster_state& state) { return total(state) <= max_in_system; };
  const auto jobs_of = [&](const cluster_state& state, std::size_t rank) {
    return state.in_system(rank) + state.mode * (rank == 1 ? small_share : 1.0 - small_share);
  };
  const auto is_full = [&](const cluster_state& state, std::size_t) { return total(state) == max_in_system; };
  const first_fit_rules rules{cores, total_rate, small_share};
  return make_result(solve_cluster(cores, explore(cluster_state{}, rules, keep), jobs_of, is_full));
}

chain_result adaptive_quickswap(int k, const std::vector<chain_class>& classes) {
  const cluster cores(k, classes);
  return make_result(solve_cluster(cores, [&](cluster_state& state, int) { run_adaptive(cores, state); }));
}

chain_result static_quickswap(int k, const std::vector<chain_class>& classes, int threshold, static_drain drain,
                              static_hand_over hand_over) {
  if (threshold < 0 || threshold >= k) {
    throw std::invalid_argument("static_quickswap: threshold out of range");
  }
  const cluster cores(k, classes);
  if (hand_over == static_hand_over::published) {
    return make_result(solve_cluster(cores, published_static_rules{cores}));
  }
  return make_result(solve_cluster(cores, static_rules{cores, threshold, drain, hand_over}));
}

}  // namespace muster::oracle
