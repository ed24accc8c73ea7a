#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace muster::oracle {

/// One transition of a continuous-time chain between numbered states; rate in events per time unit, > 0.
struct transition {
  std::uint32_t from;
  std::uint32_t to;
  double rate;
};

/// Stationary distribution and the quality of its solution.
struct stationary_solution {
  /// Probability of each state, summing to 1.
  std::vector<double> probability;
  /// Sum over states of |inflow - outflow|, divided by the total outflow (dimensionless).
  double residual;
  /// Number of Gauss-Seidel sweeps made.
  int sweeps;
};

/// Stationary distribution of an irreducible chain (plus possibly transient states) of `state_count` >= 1 states.
///
/// Gauss-Seidel on the balance equations, with sweeps in alternating directions, until the residual (see
/// `stationary_solution`) is at most `tolerance`. Throws std::runtime_error when `max_sweeps` do not suffice and
/// std::invalid_argument for a state that cannot be left (unless it is the only one).
stationary_solution solve_stationary(std::size_t state_count, const std::vector<transition>& transitions,
                                     double tolerance = 1e-12, int max_sweeps = 200000);

/// Hash of the bytes of a state; the state must be free of padding.
template <class State>
struct byte_hash {
  static_assert(std::is_trivially_copyable_v<State> && std::has_unique_object_representations_v<State>);

  /// Mixes eight bytes at a time (finaliser of splitmix64).
  std::size_t operator()(const State& state) const noexcept {
    std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
    const auto* bytes = reinterpret_cast<const unsigned char*>(&state);
    for (std::size_t offset = 0; offset < sizeof(State); offset += sizeof(std::uint64_t)) {
      const std::size_t left = sizeof(State) - offset;
      std::uint64_t word = 0;
      std::memcpy(&word, bytes + offset, left < sizeof(word) ? left : sizeof(word));
      hash ^= word;
      hash = (hash ^ (hash >> 30U)) * 0xbf58476d1ce4e5b9ULL;
      hash = (hash ^ (hash >> 27U)) * 0x94d049bb133111ebULL;
      hash ^= hash >> 31U;
    }
    return static_cast<std::size_t>(hash);
  }
};

/// The reachable part of a chain: its states in breadth-first order and the transitions between them.
template <class State>
struct explored_chain {
  std::vector<State> states;
  std::vector<transition> transitions;
};

/// Explores a chain breadth first from `initial`.
///
/// `transitions_of(state)` returns the successors with their rates as std::vector<std::pair<State, double>>.
/// `keep(state)` tells whether a state lies within the truncation; a transition to any other state is dropped, so
/// that an arrival beyond the truncation is lost. Throws std::length_error beyond `max_states`.
template <class State, class TransitionsOf, class Keep>
explored_chain<State> explore(const State& initial, TransitionsOf&& transitions_of, Keep&& keep,
                              std::size_t max_states = 20000000) {
  explored_chain<State> chain;
  std::unordered_map<State, std::uint32_t, byte_hash<State>> number_of;
  chain.states.push_back(initial);
  number_of.emplace(initial, 0U);
  for (std::size_t from = 0; from < chain.states.size(); ++from) {
    // By value: the vector grows below.
    const State state = chain.states[from];
    for (const auto& [next, rate] : transitions_of(state)) {
      if (!(rate > 0.0) || !keep(next)) {
        continue;
      }
      const auto [entry, is_new] = number_of.emplace(next, static_cast<std::uint32_t>(chain.states.size()));
      if (is_new) {
        if (chain.states.size() >= max_states) {
          throw std::length_error("explore: too many states, lower the truncation");
        }
        chain.states.push_back(next);
      }
      chain.transitions.push_back({static_cast<std::uint32_t>(from), entry->second, rate});
    }
  }
  return chain;
}

/// One job class: Poisson arrivals, exponential sizes, first come first served within the class.
struct chain_class {
  /// Cores that a job occupies during its whole service, in 1..k.
  int need;
  /// Arrivals per time unit, >= 0.
  double arrival_rate;
  /// Reciprocal of the mean size, > 0.
  double size_rate;
  /// Truncation, in 1..32766: an arrival that finds this many jobs of its class in the system is lost, though the
  /// policy still acts on it. Meant to be well above the number that can be in service.
  int max_in_system = 40;
};

/// Stationary means of one class.
struct class_result {
  /// Mean number of jobs waiting and in service.
  double mean_in_system = 0.0;
  /// Mean time from arrival to completion of the accepted jobs (Little's law); 0 without arrivals.
  double mean_response_time = 0.0;
  /// Share of the arrivals lost to the truncation, which must be negligible for the means to be exact.
  double lost_share = 0.0;
};

/// Largest number of classes of a `cluster`.
constexpr std::size_t max_classes = 5;

/// Stands for "no class" where a rank is expected.
constexpr int no_class = -1;

/// Jobs of each class of a cluster by rank, with two fields that are left to the policy.
struct cluster_state {
  std::array<std::int16_t, max_classes> waiting{};
  std::array<std::int16_t, max_classes> in_service{};
  /// Rank of the class whose turn it is, or `no_class`.
  std::int16_t current = no_class;
  /// Meaning set by the policy.
  std::int16_t mode = 0;

  bool operator==(const cluster_state& other) const;
  /// Jobs of this rank waiting and in service.
  int in_system(std::size_t rank) const { return waiting[rank] + in_service[rank]; }
  /// Whether no job waits or is in service.
  bool is_empty() const;
  /// Whether a job of another rank is in service.
  bool others_in_service(std::size_t rank) const;
};

/// The classes of a cluster of `k` cores by rank, and the moves that policies are made of. Rank 0 is the largest need;
/// equal needs keep the order given. Throws std::invalid_argument for values out of range.
class cluster {
 public:
  /// `k` >= 1 cores and 1..max_classes classes.
  cluster(int k, const std::vector<chain_class>& classes);

  /// Number of cores.
  int cores() const { return cores_; }
  /// Number of classes.
  std::size_t size() const { return classes_.size(); }
  /// The class of a rank.
  const chain_class& at(std::size_t rank) const { return classes_[rank]; }
  /// Position of a rank in the list of classes given.
  std::size_t input_of(std::size_t rank) const { return inputs_[rank]; }
  /// Most jobs of this rank that can be in service at a time.
  int slots(std::size_t rank) const { return cores_ / classes_[rank].need; }

  /// Lets a waiting job of this rank enter if there is one and it fits; returns whether one entered.
  bool admit_one(cluster_state& state, std::size_t rank) const;
  /// Lets waiting jobs of this rank enter while they fit.
  void admit_all(cluster_state& state, std::size_t rank) const;
  /// The next other rank in the cycle that has a job waiting, or `no_class`.
  int next_other_waiting(const cluster_state& state, int rank) const;
  /// Whether no class exceeds its truncation.
  bool within_truncation(const cluster_state& state) const;

 private:
  int cores_;
  std::vector<chain_class> classes_;
  std::vector<std::size_t> inputs_;
};

/// Moves jobs into service after an event: the arrival of a job of rank `arrived`, which is among those waiting, or a
/// completion (`arrived` is `no_class`).
using cluster_policy = std::function<void(cluster_state& state, int arrived)>;

/// A cluster's truncated chain from the empty state, its stationary distribution, and the means in the order given.
struct solved_cluster {
  explored_chain<cluster_state> chain;
  stationary_solution stationary;
  std::vector<class_result> classes;
};

/// Explores and solves the chain of a cluster under a policy.
solved_cluster solve_cluster(const cluster& cores, const cluster_policy& policy);

/// Solves an explored chain of a cluster. `jobs_of(state, rank)` is the expected number of jobs of a rank in the system
/// in a state, and `is_full(state, rank)` tells whether an arrival is lost there.
solved_cluster solve_cluster(const cluster& cores, explored_chain<cluster_state> chain,
                             const std::function<double(const cluster_state&, std::size_t)>& jobs_of,
                             const std::function<bool(const cluster_state&, std::size_t)>& is_full);

}  // namespace muster::oracle
