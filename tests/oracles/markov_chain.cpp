#include "markov_chain.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace muster::oracle {

namespace {

struct inflow {
  std::uint32_t from;
  double rate;
};

// Incoming transitions of each state, consecutive in memory: Gauss-Seidel updates one state from its inflows.
struct sparse_inflows {
  std::vector<std::size_t> begin;
  std::vector<inflow> entries;
  std::vector<double> outflow_rate;
};

sparse_inflows gather_inflows(std::size_t state_count, const std::vector<transition>& transitions) {
  sparse_inflows sparse;
  sparse.begin.assign(state_count + 1, 0);
  sparse.outflow_rate.assign(state_count, 0.0);
  for (const transition& step : transitions) {
    if (step.from != step.to) {
      ++sparse.begin[step.to + 1];
      sparse.outflow_rate[step.from] += step.rate;
    }
  }
  std::partial_sum(sparse.begin.begin(), sparse.begin.end(), sparse.begin.begin());
  sparse.entries.resize(sparse.begin.back());
  std::vector<std::size_t> next(sparse.begin.begin(), sparse.begin.end() - 1);
  for (const transition& step : transitions) {
    if (step.from != step.to) {
      sparse.entries[next[step.to]++] = {step.from, step.rate};
    }
  }
  return sparse;
}

double inflow_to(const sparse_inflows& sparse, const std::vector<double>& probability, std::size_t state) {
  double total = 0.0;
  for (std::size_t entry = sparse.begin[state]; entry < sparse.begin[state + 1]; ++entry) {
    total += probability[sparse.entries[entry].from] * sparse.entries[entry].rate;
  }
  return total;
}

void update(const sparse_inflows& sparse, std::vector<double>& probability, std::size_t state) {
  // Values this small cannot matter; as denormal numbers they would slow the sweeps down.
  constexpr double negligible = 1e-250;
  const double value = inflow_to(sparse, probability, state) / sparse.outflow_rate[state];
  probability[state] = value < negligible ? 0.0 : value;
}

double relative_residual(const sparse_inflows& sparse, const std::vector<double>& probability) {
  double imbalance = 0.0;
  double total_outflow = 0.0;
  for (std::size_t state = 0; state < probability.size(); ++state) {
    const double outflow = probability[state] * sparse.outflow_rate[state];
    imbalance += std::abs(inflow_to(sparse, probability, state) - outflow);
    total_outflow += outflow;
  }
  return imbalance / total_outflow;
}

void normalise(std::vector<double>& probability) {
  const double total = std::accumulate(probability.begin(), probability.end(), 0.0);
  for (double& value : probability) {
    value /= total;
  }
}

void require(bool condition, const char* message) {
  if (!condition) {
    throw std::invalid_argument(message);
  }
}

}  // namespace

stationary_solution solve_stationary(std::size_t state_count, const std::vector<transition>& transitions,
                                     double tolerance, int max_sweeps) {
  if (state_count == 0) {
    throw std::invalid_argument("solve_stationary: no states");
  }
  const sparse_inflows sparse = gather_inflows(state_count, transitions);
  stationary_solution solution{std::vector<double>(state_count, 1.0 / static_cast<double>(state_count)), 0.0, 0};
  if (state_count == 1) {
    return solution;
  }
  for (const double rate : sparse.outflow_rate) {
    if (!(rate > 0.0)) {
      throw std::invalid_argument("solve_stationary: a state cannot be left");
    }
  }
  constexpr int sweeps_per_check = 10;
  std::vector<double>& probability = solution.probability;
  while (solution.sweeps < max_sweeps) {
    // Numbering is breadth first, so upward sweeps carry arrivals through and downward sweeps completions.
    for (int round = 0; round < sweeps_per_check; round += 2) {
      for (std::size_t state = 0; state < state_count; ++state) {
        update(sparse, probability, state);
      }
      for (std::size_t state = state_count; state-- > 0;) {
        update(sparse, probability, state);
      }
    }
    solution.sweeps += sweeps_per_check;
    normalise(probability);
    solution.residual = relative_residual(sparse, probability);
    if (solution.residual <= tolerance) {
      return solution;
    }
  }
  throw std::runtime_error("solve_stationary: no convergence");
}

bool cluster_state::operator==(const cluster_state& other) const {
  return waiting == other.waiting && in_service == other.in_service && current == other.current && mode == other.mode;
}

bool cluster_state::is_empty() const {
  constexpr std::array<std::int16_t, max_classes> no_jobs{};
  return waiting == no_jobs && in_service == no_jobs;
}

bool cluster_state::others_in_service(std::size_t rank) const {
  return std::accumulate(in_service.begin(), in_service.end(), 0) > in_service[rank];
}

cluster::cluster(int k, const std::vector<chain_class>& classes) : cores_(k), inputs_(classes.size()) {
  require(!classes.empty() && classes.size() <= max_classes, "cluster: number of classes out of range");
  for (const chain_class& entry : classes) {
    require(entry.need >= 1 && entry.need <= k, "cluster: need out of range");
    require(entry.arrival_rate >= 0.0 && entry.size_rate > 0.0, "cluster: rate out of range");
    require(entry.max_in_system >= 1 && entry.max_in_system < INT16_MAX, "cluster: truncation out of range");
  }
  std::iota(inputs_.begin(), inputs_.end(), std::size_t{0});
  std::stable_sort(inputs_.begin(), inputs_.end(),
                   [&](std::size_t left, std::size_t right) { return classes[left].need > classes[right].need; });
  for (const std::size_t input : inputs_) {
    classes_.push_back(classes[input]);
  }
}

bool cluster::admit_one(cluster_state& state, std::size_t rank) const {
  int free = cores_;
  for (std::size_t other = 0; other < size(); ++other) {
    free -= classes_[other].need * state.in_service[other];
  }
  if (state.waiting[rank] == 0 || free < classes_[rank].need) {
    return false;
  }
  --state.waiting[rank];
  ++state.in_service[rank];
  return true;
}

void cluster::admit_all(cluster_state& state, std::size_t rank) const {
  while (admit_one(state, rank)) {
  }
}

int cluster::next_other_waiting(const cluster_state& state, int rank) const {
  const int count = static_cast<int>(size());
  for (int step = 1; step < count; ++step) {
    const int candidate = (rank + step) % count;
    if (state.waiting[static_cast<std::size_t>(candidate)] > 0) {
      return candidate;
    }
  }
  return no_class;
}

bool cluster::within_truncation(const cluster_state& state) const {
  for (std::size_t rank = 0; rank < size(); ++rank) {
    if (state.in_system(rank) > classes_[rank].max_in_system) {
      return false;
    }
  }
  return true;
}

solved_cluster solve_cluster(const cluster& cores, const cluster_policy& policy) {
  const auto transitions_of = [&](const cluster_state& state) {
    std::vector<std::pair<cluster_state, double>> result;
    for (std::size_t rank = 0; rank < cores.size(); ++rank) {
      cluster_state arrival = state;
      ++arrival.waiting[rank];
      policy(arrival, static_cast<int>(rank));
      // A lost arrival must not be unseen: Static Quickswap as published rests with idle cores until the next
      // arrival, so a full class would trap the chain. One more job waits, so the policy's view stays true.
      if (arrival.in_system(rank) > cores.at(rank).max_in_system && arrival.waiting[rank] > 1) {
        --arrival.waiting[rank];
      }
      result.emplace_back(arrival, cores.at(rank).arrival_rate);
      if (state.in_service[rank] > 0) {
        cluster_state completion = state;
        --completion.in_service[rank];
        policy(completion, no_class);
        result.emplace_back(completion, state.in_service[rank] * cores.at(rank).size_rate);
      }
    }
    return result;
  };
  const auto keep = [&](const cluster_state& state) { return cores.within_truncation(state); };
  return solve_cluster(
      cores, explore(cluster_state{}, transitions_of, keep),
      [](const cluster_state& state, std::size_t rank) { return state.in_system(rank); },
      [&](const cluster_state& state, std::size_t rank) {
        return state.in_system(rank) == cores.at(rank).max_in_system;
      });
}

solved_cluster solve_cluster(const cluster& cores, explored_chain<cluster_state> chain,
                             const std::function<double(const cluster_state&, std::size_t)>& jobs_of,
                             const std::function<bool(const cluster_state&, std::size_t)>& is_full) {
  solved_cluster solved{std::move(chain), {}, std::vector<class_result>(cores.size())};
  solved.stationary = solve_stationary(solved.chain.states.size(), solved.chain.transitions);
  for (std::size_t rank = 0; rank < cores.size(); ++rank) {
    double mean = 0.0;
    // Poisson arrivals see time averages: the lost share is the share of time with a full class.
    double lost = 0.0;
    for (std::size_t number = 0; number < solved.chain.states.size(); ++number) {
      const cluster_state& state = solved.chain.states[number];
      mean += jobs_of(state, rank) * solved.stationary.probability[number];
      lost += is_full(state, rank) ? solved.stationary.probability[number] : 0.0;
    }
    const double accepted_rate = cores.at(rank).arrival_rate * (1.0 - lost);
    const double response = accepted_rate > 0.0 ? mean / accepted_rate : 0.0;
    solved.classes[cores.input_of(rank)] = {mean, response, lost};
  }
  return solved;
}

}  // namespace muster::oracle
