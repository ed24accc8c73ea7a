#include "platform/theory/fcfs_chain.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "platform/theory/dense_matrix.h"

namespace muster {

namespace {

constexpr std::size_t no_head = SIZE_MAX;

struct fcfs_state {
  std::vector<std::size_t> in_service;  ///< by class
  std::size_t head = no_head;           ///< class of the first job that waits

  bool operator<(const fcfs_state& other) const {
    return std::tie(in_service, head) < std::tie(other.in_service, other.head);
  }
  std::size_t served() const { return std::accumulate(in_service.begin(), in_service.end(), std::size_t{0}); }
  std::size_t known() const { return served() + (head == no_head ? 0 : 1); }
};

using outcomes = std::map<fcfs_state, double>;  ///< with their probabilities, or rates

class fcfs_rules {
 public:
  fcfs_rules(std::size_t cores, const std::vector<fcfs_class>& classes) : cores_(cores), classes_(classes) {
    for (const fcfs_class& c : classes) rate_ += c.arrivals;
  }

  double rate() const { return rate_; }
  double share(std::size_t c) const { return classes_[c].arrivals / rate_; }

  double completions(const fcfs_state& state) const {
    double sum = 0.0;
    for (std::size_t c = 0; c < classes_.size(); ++c)
      sum += static_cast<double>(state.in_service[c]) * classes_[c].completions;
    return sum;
  }

  outcomes after_arrival(const fcfs_state& state) const {
    if (state.head != no_head) return {{state, rate_}};
    return look(state, 1, rate_);
  }

  /// @param jobs in the system before
  outcomes after_completion(const fcfs_state& state, std::size_t jobs) const {
    outcomes all;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      if (state.in_service[c] == 0) continue;
      fcfs_state next = state;
      --next.in_service[c];
      const double rate = static_cast<double>(state.in_service[c]) * classes_[c].completions;
      const std::size_t unseen = jobs - state.known();
      if (next.head != no_head && fits(next, next.head)) {
        ++next.in_service[next.head];
        next.head = no_head;
      }
      for (const auto& [found, part] : next.head == no_head ? look(next, unseen, rate) : outcomes{{next, rate}})
        all[found] += part;
    }
    return all;
  }

 private:
  bool fits(const fcfs_state& state, std::size_t c) const {
    std::size_t busy = classes_[c].need;
    for (std::size_t other = 0; other < classes_.size(); ++other)
      busy += state.in_service[other] * classes_[other].need;
    return busy <= cores_;
  }

  // Jobs start as they are looked at, until one does not fit. Equal states are merged after each of them.
  outcomes look(const fcfs_state& from, std::size_t unseen, double rate) const {
    outcomes found, front{{from, rate}};
    for (; unseen > 0 && !front.empty(); --unseen) {
      outcomes next;
      for (const auto& [state, part] : front)
        for (std::size_t c = 0; c < classes_.size(); ++c) {
          if (classes_[c].arrivals == 0.0) continue;
          fcfs_state seen = state;
          const bool starts = fits(state, c);
          if (starts)
            ++seen.in_service[c];
          else
            seen.head = c;
          (starts ? next : found)[seen] += part * share(c);
        }
      front = std::move(next);
    }
    for (const auto& [state, part] : front) found[state] += part;
    return found;
  }

  std::size_t cores_;
  const std::vector<fcfs_class>& classes_;
  double rate_ = 0.0;
};

/// The states with a number of jobs in the system, numbered.
using fcfs_level = std::map<fcfs_state, std::size_t>;

void number(fcfs_level& level, const outcomes& states) {
  for (const auto& [state, rate] : states) level.emplace(state, level.size());
}

/// Rates into another level.
template <class Transitions>
dense_matrix rates(const fcfs_level& from, const fcfs_level& to, const Transitions& transitions) {
  dense_matrix found(from.size(), to.size());
  for (const auto& [state, row] : from)
    for (const auto& [next, rate] : transitions(state)) found(row, to.at(next)) += rate;
  return found;
}

/// x of x (A2 - diag(A2 1)) = 0, x 1 = 1: which state is left at how much of the time in a queue that never empties.
dense_matrix saturated(const dense_matrix& down) {
  const std::size_t n = down.rows();
  dense_matrix equations = down, right(1, n);
  for (std::size_t r = 0; r < n; ++r) {
    double all = 0.0;
    for (std::size_t c = 0; c < n; ++c) all += down(r, c);
    equations(r, r) -= all;
    equations(r, 0) = 1.0;
  }
  right(0, 0) = 1.0;
  return solve_left(equations, right);
}

/// G of the first passage to the level below, by logarithmic reduction. All matrices of the levels are alike, arrivals
/// change no state, and `leave` is the rate at which each state is left.
dense_matrix first_passage(double rate, const dense_matrix& down, const std::vector<double>& leave) {
  const std::size_t n = down.rows();
  const dense_matrix one = dense_matrix::identity(n);
  dense_matrix up(n, n), low(n, n);
  for (std::size_t r = 0; r < n; ++r) {
    up(r, r) = rate / leave[r];
    for (std::size_t c = 0; c < n; ++c) low(r, c) = down(r, c) / leave[r];
  }
  dense_matrix g = low, path = up;
  constexpr int most_steps = 60;
  for (int step = 0; step < most_steps && path.largest() > 1e-17; ++step) {
    const dense_matrix stay = one - (up * low + low * up);
    up = solve(stay, up * up);
    low = solve(stay, low * low);
    g = g + path * low;
    path = path * up;
  }
  return g;
}

class fcfs_solution {
 public:
  fcfs_solution(const fcfs_rules& rules, std::size_t classes) : rules_(rules), classes_(classes) {}

  /// @param served most jobs in service at a time
  /// @return false if a level has too many states
  bool explore(std::size_t served) {
    fcfs_state empty;
    empty.in_service.assign(classes_, 0);
    levels_.push_back({{empty, 0}});
    // In each state of the last level, and of all above it, a job waits.
    while (levels_.size() <= served + 1) {
      fcfs_level next;
      for (const auto& [state, at] : levels_.back()) number(next, rules_.after_arrival(state));
      levels_.push_back(std::move(next));
      if (!close()) return false;
    }
    // Those above are like the last one.
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
    const std::size_t n = last.size();
    const dense_matrix down =
        rates(last, last, [&](const fcfs_state& s) { return rules_.after_completion(s, top + 1); });
    fcfs_means means;
    const dense_matrix shares = saturated(down);
    std::vector<double> leave(n);
    for (const auto& [state, row] : last) {
      leave[row] = rules_.rate() + rules_.completions(state);
      means.limit += shares(0, row) * rules_.completions(state);
    }
    if (rules_.rate() >= means.limit) return means;
    const dense_matrix g = first_passage(rules_.rate(), down, leave);
    dense_matrix stay = -rules_.rate() * g;
    for (std::size_t r = 0; r < n; ++r) stay(r, r) += leave[r];
    const dense_matrix ratio = rules_.rate() * ::muster::solve(stay, dense_matrix::identity(n));
    sum_up(ratio, down, means);
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
  void sum_up(const dense_matrix& ratio, const dense_matrix& down, fcfs_means& means) const {
    const std::size_t top = levels_.size() - 1;
    std::vector<dense_matrix> ratios(top + 1, dense_matrix(1, 1));  // of each level to the one below
    dense_matrix from_above = ratio * down;
    for (std::size_t at = top; at > 0; --at) {
      const fcfs_level &here = levels_[at], &below = levels_[at - 1];
      dense_matrix stay = -1.0 * from_above;
      for (const auto& [state, row] : here) stay(row, row) += rules_.rate() + rules_.completions(state);
      const dense_matrix up = rates(below, here, [&](const fcfs_state& s) { return rules_.after_arrival(s); });
      ratios[at] = solve_left(stay, up);
      from_above = ratios[at] *
                   rates(here, below, [&, jobs = at](const fcfs_state& s) { return rules_.after_completion(s, jobs); });
    }
    means.jobs.assign(classes_, 0.0);
    means.waiting.assign(classes_, 0.0);
    double whole = 0.0;
    dense_matrix part = dense_matrix::identity(1);
    for (std::size_t at = 0; at < top; ++at) {
      if (at > 0) part = part * ratios[at];
      whole += add(part, at, means);
    }
    // All levels from the last one on: sums of part R^n, and of n part R^n.
    const dense_matrix one = dense_matrix::identity(ratio.rows());
    const dense_matrix all = solve_left(one - ratio, part * ratios[top]);
    const dense_matrix further = solve_left(one - ratio, all * ratio);
    whole += add(all, top, means);
    double unseen = 0.0;
    for (std::size_t r = 0; r < ratio.rows(); ++r) unseen += further(0, r);
    for (std::size_t c = 0; c < classes_; ++c) {
      means.waiting[c] += unseen * rules_.share(c);
      means.jobs[c] += unseen * rules_.share(c);
      means.waiting[c] /= whole;
      means.jobs[c] /= whole;
    }
  }

  /// Adds what the states of a level have. @return their probability
  double add(const dense_matrix& part, std::size_t jobs, fcfs_means& means) const {
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

}  // namespace muster
