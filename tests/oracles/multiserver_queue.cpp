#include "multiserver_queue.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "markov_chain.h"

namespace muster::oracle {

namespace {

constexpr std::size_t longest_queue = 24;

// Class of each job plus 1, from the head of the queue on; 0 where there is none.
using queue_state = std::array<std::uint8_t, longest_queue>;

std::size_t length(const queue_state& state) {
  return static_cast<std::size_t>(std::find(state.begin(), state.end(), 0) - state.begin());
}

bool has(std::uint32_t class_set, std::size_t number) { return (class_set >> number & 1U) != 0; }

double rate_of(const multiserver_queue& queue, std::uint32_t class_set) {
  double sum = 0.0;
  for (std::size_t i = 0; i < queue.classes(); ++i) sum += has(class_set, i) ? queue.arrival_rates[i] : 0.0;
  return sum;
}

// Capacity of the servers at work on the job in this position: those that nobody ahead may use.
double capacity_at(const multiserver_queue& queue, const queue_state& state, std::size_t position) {
  double capacity = 0.0;
  for (const std::uint32_t server : queue.servers_of[state[position] - 1U]) {
    const bool taken = std::any_of(state.begin(), state.begin() + static_cast<std::ptrdiff_t>(position), [&](auto job) {
      const auto& usable = queue.servers_of[job - 1U];
      return std::find(usable.begin(), usable.end(), server) != usable.end();
    });
    capacity += taken ? 0.0 : queue.capacities[server];
  }
  return capacity;
}

// Probability of the state over that of the empty queue, by equation 1.
double product_form(const multiserver_queue& queue, const queue_state& state) {
  double weight = 1.0;
  std::uint32_t active = 0;
  for (std::size_t k = 0; k < length(state); ++k) {
    active |= 1U << (state[k] - 1U);
    weight *= queue.arrival_rates[state[k] - 1U] / queue.capacity_of(active);
  }
  return weight;
}

// The probability that a draw of `drawn` out of `servers` servers makes `before` usable ones `after`.
double chance(unsigned servers, unsigned drawn, unsigned before, unsigned after) {
  const auto binomial = [](unsigned n, unsigned k) {
    double value = 1.0;
    for (unsigned i = 1; i <= k; ++i) value *= static_cast<double>(n - k + i) / i;
    return k <= n ? value : 0.0;
  };
  const unsigned added = after - before;
  if (added > drawn) return 0.0;
  return binomial(servers - before, added) * binomial(before, drawn - added) / binomial(servers, drawn);
}

}  // namespace

double multiserver_queue::capacity_of(std::uint32_t class_set) const {
  double sum = 0.0;
  for (std::uint32_t server = 0; server < capacities.size(); ++server) {
    bool usable = false;
    for (std::size_t i = 0; i < classes(); ++i)
      usable = usable || (has(class_set, i) &&
                          std::find(servers_of[i].begin(), servers_of[i].end(), server) != servers_of[i].end());
    sum += usable ? capacities[server] : 0.0;
  }
  return sum;
}

double multiserver_queue::load() const {
  double highest = 0.0;
  for (std::uint32_t set = 1; set < 1U << classes(); ++set)
    highest = std::max(highest, rate_of(*this, set) / capacity_of(set));
  return highest;
}

std::vector<double> means_by_active_classes(const multiserver_queue& queue) {
  const std::size_t classes = queue.classes();
  const std::size_t sets = std::size_t{1} << classes;
  // Weight of the states whose active classes are the set; the same with each state counted once for each class-i job.
  std::vector<double> weight(sets);
  std::vector<std::vector<double>> jobs(sets, std::vector<double>(classes));
  weight[0] = 1.0;
  std::vector<double> means(classes);
  for (std::uint32_t set = 1; set < sets; ++set) {
    const double spare = queue.capacity_of(set) - rate_of(queue, set);
    if (!(spare > 0.0)) throw std::invalid_argument("means_by_active_classes: not stable");
    for (std::size_t i = 0; i < classes; ++i)
      if (has(set, i)) weight[set] += queue.arrival_rates[i] * weight[set ^ 1U << i] / spare;
    for (std::size_t k = 0; k < classes; ++k) {
      if (!has(set, k)) continue;
      double sum = queue.arrival_rates[k] * (weight[set] + weight[set ^ 1U << k]);
      for (std::size_t i = 0; i < classes; ++i)
        if (has(set, i)) sum += queue.arrival_rates[i] * jobs[set ^ 1U << i][k];
      jobs[set][k] = sum / spare;
      means[k] += jobs[set][k];
    }
  }
  const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
  for (double& mean : means) mean /= total;
  return means;
}

std::vector<double> means_by_states(const multiserver_queue& queue, int max_jobs) {
  // Numbers of jobs by class, and the state's weight Phi(x) lambda^x; one generation has one job more than the last.
  std::map<std::vector<int>, double> generation{{std::vector<int>(queue.classes()), 1.0}};
  double total = 1.0;
  std::vector<double> means(queue.classes());
  for (int n = 1; n <= max_jobs; ++n) {
    std::map<std::vector<int>, double> next;
    for (const auto& [state, weight] : generation)
      for (std::size_t i = 0; i < queue.classes(); ++i) {
        std::vector<int> larger = state;
        ++larger[i];
        next[larger] += queue.arrival_rates[i] * weight;
      }
    for (auto& [state, weight] : next) {
      std::uint32_t active = 0;
      for (std::size_t i = 0; i < queue.classes(); ++i) active |= state[i] > 0 ? 1U << i : 0U;
      weight /= queue.capacity_of(active);
      total += weight;
      for (std::size_t i = 0; i < queue.classes(); ++i) means[i] += weight * state[i];
    }
    generation = std::move(next);
  }
  for (double& mean : means) mean /= total;
  return means;
}

double mean_under_random_assignment(unsigned servers, unsigned drawn, double arrival_rate) {
  if (!(arrival_rate < servers)) throw std::invalid_argument("mean_under_random_assignment: not stable");
  // Weight of the states in which so many servers are usable; the same with each state counted once for each job.
  std::vector<double> weight(servers + 1), jobs(servers + 1);
  weight[0] = 1.0;
  for (unsigned after = 1; after <= servers; ++after) {
    const double spare = after - arrival_rate * chance(servers, drawn, after, after);
    for (unsigned before = 0; before < after; ++before)
      weight[after] += arrival_rate * chance(servers, drawn, before, after) * weight[before] / spare;
    jobs[after] = after * weight[after] / spare;
    for (unsigned before = 0; before < after; ++before)
      jobs[after] += arrival_rate * chance(servers, drawn, before, after) * jobs[before] / spare;
  }
  return std::accumulate(jobs.begin(), jobs.end(), 0.0) / std::accumulate(weight.begin(), weight.end(), 0.0);
}

multiserver_chain_result solve_multiserver_chain(const multiserver_queue& queue, double interruptions_per_job,
                                                 int max_jobs) {
  const auto truncation = static_cast<std::size_t>(max_jobs);
  if (max_jobs < 1 || truncation > longest_queue)
    throw std::invalid_argument("solve_multiserver_chain: truncation out of range");
  const auto transitions_of = [&](const queue_state& state) {
    std::vector<std::pair<queue_state, double>> result;
    const std::size_t n = length(state);
    for (std::size_t i = 0; i < queue.classes() && n < truncation; ++i) {
      queue_state arrival = state;
      arrival[n] = static_cast<std::uint8_t>(i + 1);
      result.emplace_back(arrival, queue.arrival_rates[i]);
    }
    for (std::size_t k = 0; k < n; ++k) {
      const double rate = capacity_at(queue, state, k);
      queue_state without = state;
      std::copy(state.begin() + static_cast<std::ptrdiff_t>(k) + 1, state.end(),
                without.begin() + static_cast<std::ptrdiff_t>(k));
      without[longest_queue - 1] = 0;
      result.emplace_back(without, rate);
      without[n - 1] = state[k];
      result.emplace_back(without, rate * interruptions_per_job);
    }
    return result;
  };
  const auto chain = explore(queue_state{}, transitions_of, [](const queue_state&) { return true; });
  const std::vector<double> probability = solve_stationary(chain.states.size(), chain.transitions).probability;

  multiserver_chain_result result;
  result.states = chain.states.size();
  result.mean_in_system.resize(queue.classes());
  double weight = 0.0;
  for (std::size_t number = 0; number < result.states; ++number) {
    const queue_state& state = chain.states[number];
    for (std::size_t k = 0; k < length(state); ++k) result.mean_in_system[state[k] - 1U] += probability[number];
    if (length(state) == truncation) result.lost_share += probability[number];
    weight += product_form(queue, state);
  }
  for (std::size_t number = 0; number < result.states; ++number)
    result.distance_from_product_form =
        std::max(result.distance_from_product_form,
                 std::abs(probability[number] - product_form(queue, chain.states[number]) / weight));
  return result;
}

}  // namespace muster::oracle
