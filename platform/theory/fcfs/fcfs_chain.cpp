#include "platform/theory/fcfs/fcfs_chain.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "muster/policies/algorithms/linear_equations.h"
#include "platform/theory/fcfs/fcfs_rules.h"

namespace muster {

namespace {

using boost::numeric::ublas::identity_matrix;
using boost::numeric::ublas::zero_matrix;

/// The states of a level with their numbers.
using fcfs_level = std::map<fcfs_state, std::size_t>;

/// Adds states to a level, with the next numbers.
void number(fcfs_level& level, const fcfs_outcomes& states) {
  for (const auto& [state, rate] : states) level.emplace(state, level.size());
}

/// The matrix of the rates from the states of one level to those of another, or of the same.
template <class Transitions>
matrix rates(const fcfs_level& from, const fcfs_level& to, const Transitions& transitions) {
  matrix all = boost::numeric::ublas::zero_matrix<double>(from.size(), to.size());
  for (const auto& [state, row] : from)
    for (const auto& [next, rate] : transitions(state)) all(row, to.at(next)) += rate;
  return all;
}

/// The stationary share of each state of a chain in continuous time, by elimination of one state after the other
/// (Grassmann, Taksar and Heyman, 1985), which subtracts nothing and so loses no digits.
/// @param rate from each state to each other one; the diagonal does not matter. State 0 is reached from all others
std::vector<double> stationary_shares(matrix rate) {
  const std::size_t n = rate.size1();
  for (std::size_t last = n - 1; last > 0; --last) {
    double out = 0.0;
    for (std::size_t to = 0; to < last; ++to) out += rate(last, to);
    for (std::size_t from = 0; from < last; ++from) {
      const double share = rate(from, last) /= out;
      if (share == 0.0) continue;
      for (std::size_t to = 0; to < last; ++to) rate(from, to) += share * rate(last, to);
    }
  }
  std::vector<double> shares{1.0};
  double sum = 1.0;
  for (std::size_t at = 1; at < n; ++at) {
    double into = 0.0;
    for (std::size_t from = 0; from < at; ++from) into += shares[from] * rate(from, at);
    shares.push_back(into);
    sum += into;
  }
  for (double& share : shares) share /= sum;
  return shares;
}

/// G of the first passage to the level below, by logarithmic reduction. All matrices of the levels are alike, arrivals
/// change no state, and `leave` is the rate at which each state is left.
matrix first_passage(double rate, const matrix& down, const std::vector<double>& leave) {
  const std::size_t n = down.size1();
  matrix up = zero_matrix<double>(n, n), low = down;
  for (std::size_t r = 0; r < n; ++r) {
    up(r, r) = rate / leave[r];
    row(low, r) /= leave[r];
  }
  matrix g = low, path = up;
  constexpr int most_steps = 60;
  for (int step = 0; step < most_steps && norm_inf(path) > 1e-17; ++step) {
    const matrix stay = identity_matrix<double>(n) - prod(up, low) - prod(low, up);
    up = solve(stay, prod(up, up));
    low = solve(stay, prod(low, low));
    g += prod(path, low);
    path = prod(path, up);
  }
  return g;
}

class fcfs_solution {
 public:
  fcfs_solution(const fcfs_rules& rules, std::size_t classes) : rules_(rules), classes_(classes) {}

  /// @param served most jobs in service at a time
  /// @return false if a level has too many states
  bool explore(std::size_t served) {
    levels_.push_back({{rules_.empty(), 0}});
    // In each state of the last level, and of all above it, a job waits.
    while (levels_.size() <= served + 1) {
      fcfs_level next;
      for (const auto& [state, at] : levels_.back()) number(next, rules_.after_arrival(state));
      levels_.push_back(std::move(next));
      if (!close()) return false;
    }
    // The levels above are like the last one.
    for (std::size_t before = 0; before != levels_.back().size();) {
      before = levels_.back().size();
      const fcfs_level last = levels_.back();
      for (const auto& [state, at] : last) number(levels_.back(), rules_.after_completion(state, levels_.size()));
      if (!close()) return false;
    }
    return true;
  }

  fcfs_means solve_means() {
    const std::size_t top = levels_.size() - 1;
    const fcfs_level& last = levels_[top];
    const matrix down = rates(last, last, [&](const fcfs_state& s) { return rules_.after_completion(s, top + 1); });
    fcfs_means means;
    // The share of time of each state in a queue that never empties.
    const std::vector<double> shares = stationary_shares(down);
    std::vector<double> leave(last.size());
    for (const auto& [state, at] : last) {
      leave[at] = rules_.rate() + rules_.completions(state);
      means.limit += shares[at] * rules_.completions(state);
    }
    if (rules_.rate() >= means.limit) return means;
    matrix stay = -rules_.rate() * first_passage(rules_.rate(), down, leave);
    for (std::size_t r = 0; r < leave.size(); ++r) stay(r, r) += leave[r];
    sum_up(rules_.rate() * solve(stay, identity_matrix<double>(leave.size())), down, means);
    return means;
  }

 private:
  // Completions lead to states of lower levels that arrivals do not lead to, and from those arrivals go on.
  bool close() {
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t at = levels_.size(); at-- > 1;) {
        if (levels_[at].size() > most_fcfs_states) return false;
        const std::size_t before = levels_[at - 1].size();
        for (const auto& [state, row] : levels_[at]) number(levels_[at - 1], rules_.after_completion(state, at));
        if (levels_[at - 1].size() == before) break;
        grown = true;
      }
      for (std::size_t at = 0; grown && at + 1 < levels_.size(); ++at)
        for (const auto& [state, row] : levels_[at]) number(levels_[at + 1], rules_.after_arrival(state));
    }
    return true;
  }

  /// @param ratio of the probabilities of a level to those of the one below, from the last one on
  void sum_up(const matrix& ratio, const matrix& down, fcfs_means& means) const {
    const std::size_t top = levels_.size() - 1;
    std::vector<matrix> ratios(top + 1);  // of each level to the one below
    matrix from_above = prod(ratio, down);
    for (std::size_t at = top; at > 0; --at) {
      const fcfs_level &here = levels_[at], &below = levels_[at - 1];
      matrix stay = -from_above;
      for (const auto& [state, row] : here) stay(row, row) += rules_.rate() + rules_.completions(state);
      const matrix up = rates(below, here, [&](const fcfs_state& s) { return rules_.after_arrival(s); });
      ratios[at] = solve_left(stay, up);
      from_above =
          prod(ratios[at],
               rates(here, below, [&, jobs = at](const fcfs_state& s) { return rules_.after_completion(s, jobs); }));
    }
    means.jobs.assign(classes_, 0.0);
    means.waiting.assign(classes_, 0.0);
    double whole = 0.0;
    matrix part = identity_matrix<double>(1);
    for (std::size_t at = 0; at < top; ++at) {
      if (at > 0) part = prod(part, ratios[at]);
      whole += add(part, at, means);
    }
    // All levels from the last one on: sums of part R^n, and of n part R^n.
    const matrix rest = identity_matrix<double>(ratio.size1()) - ratio;
    const matrix all = solve_left(rest, prod(part, ratios[top]));
    whole += add(all, top, means);
    const double unseen = sum(row(solve_left(rest, prod(all, ratio)), 0));
    for (std::size_t c = 0; c < classes_; ++c) {
      means.waiting[c] += unseen * rules_.share(c);
      means.jobs[c] += unseen * rules_.share(c);
      means.waiting[c] /= whole;
      means.jobs[c] /= whole;
    }
  }

  /// Adds the jobs in the states of a level to the means. @return the probability of the level
  double add(const matrix& part, std::size_t jobs, fcfs_means& means) const {
    double whole = 0.0;
    for (const auto& [state, row] : levels_[jobs]) {
      const double p = part(0, row);
      whole += p;
      for (std::size_t c = 0; c < classes_; ++c) {
        const double waiting =
            static_cast<double>(jobs - state.known()) * rules_.share(c) + (state.head == c ? 1.0 : 0.0);
        means.waiting[c] += p * waiting;
        means.jobs[c] += p * (waiting + static_cast<double>(state.in_service[c]));
      }
    }
    return whole;
  }

  const fcfs_rules& rules_;
  std::size_t classes_;
  std::vector<fcfs_level> levels_;  // by the number of jobs in the system
};

}  // namespace

std::optional<fcfs_means> solve_fcfs(std::size_t cores, const std::vector<fcfs_class>& classes) {
  const fcfs_rules rules(cores, classes);
  fcfs_solution solution(rules, classes.size());
  std::size_t smallest = cores;
  for (const fcfs_class& c : classes)
    if (c.arrivals > 0.0) smallest = std::min(smallest, c.need);
  const std::size_t served = cores / smallest;
  constexpr std::size_t most_levels = 2000;
  if (served >= most_levels || !solution.explore(served)) return {};
  return solution.solve_means();
}

std::optional<double> saturated_fcfs_throughput(std::size_t cores, const std::vector<fcfs_class>& classes,
                                                std::size_t most_states) {
  const fcfs_rules rules(cores, classes);
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
