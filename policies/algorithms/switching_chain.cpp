#include "muster/policies/algorithms/switching_chain.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <boost/math/special_functions/beta.hpp>

#include "muster/policies/algorithms/linear_program.h"

namespace muster {

namespace {

/// The completions of one class that a switch waits for.
struct excess {
  double jobs, left, mean_size;

  double mean() const {
    double sum = 0.0;
    for (double n = left + 1.0; n <= jobs; ++n) sum += mean_size / n;
    return sum;
  }
  // The probability that so many or fewer are left after a time: the number left is binomial.
  double done_by(double time) const {
    return boost::math::ibeta(jobs - left, left + 1.0, -std::expm1(-time / mean_size));
  }
};

std::vector<excess> excesses(const schedule& from, const schedule& to, const std::vector<double>& mean_sizes) {
  std::vector<excess> all;
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i] > to[i]) all.push_back({double(from[i]), double(to[i]), mean_sizes[i]});
  return all;
}

// The probability that the chain goes from schedule a to b when it leaves a.
double jump(const switching_chain& chain, std::size_t a, std::size_t b) {
  return a == b ? 0.0 : chain.rates[a][b] / chain.leaving(a);
}

// The shares of the visits to each schedule.
std::vector<double> visits(const switching_chain& chain) {
  linear_program balance;
  const std::size_t count = chain.schedules.size();
  for (std::size_t b = 0; b < count; ++b) balance.add_row(linear_program::relation::equal, 0.0);
  const std::size_t total = balance.add_row(linear_program::relation::equal, 1.0);
  for (std::size_t a = 0; a < count; ++a) {
    std::vector<linear_program::entry> entries{{total, 1.0}};
    for (std::size_t b = 0; b < count; ++b)
      if (const double change = jump(chain, a, b) - (a == b ? 1.0 : 0.0); change != 0.0) entries.push_back({b, change});
    balance.add_variable(0.0, entries);
  }
  const linear_program::solution found = balance.maximise();
  if (found.status != linear_program::outcome::optimal)
    throw std::runtime_error("switching chain: its balance equations have no solution");
  return found.variables;
}

/// A switch with all jobs of both schedules there.
struct full_switch {
  const schedule& from;
  const schedule& to;
  const class_demands& demands;
  unsigned cores;

  double duration() const { return switching_time(from, to, demands.mean_sizes); }

  // The most jobs in service, before the switch is complete, of a class that has none in excess: the cores of the jobs
  // that the schedules have in common and of the last job in excess are taken.
  double jobs_before_end(std::size_t i) const {
    unsigned taken = 0, least_excess = cores;
    for (std::size_t j = 0; j < from.size(); ++j) {
      taken += demands.needs[j] * std::min(from[j], to[j]);
      if (from[j] > to[j]) least_excess = std::min(least_excess, demands.needs[j]);
    }
    const unsigned room = (cores - taken - least_excess) / demands.needs[i];
    return from[i] + std::min(room, to[i] - from[i]);
  }

  // The most jobs of a class in service on average, integrated over the time of the switch.
  double served(std::size_t i, double time) const {
    if (from[i] <= to[i]) return time > 0.0 ? jobs_before_end(i) * time : 0.0;
    const excess own{double(from[i]), double(to[i]), demands.mean_sizes[i]};
    return completed(i) + to[i] * (time - own.mean());
  }

  // The work of a class's jobs in excess.
  double completed(std::size_t i) const { return from[i] > to[i] ? (from[i] - to[i]) * demands.mean_sizes[i] : 0.0; }
};

}  // namespace

double switching_chain::leaving(std::size_t a) const {
  double sum = 0.0;
  for (std::size_t b = 0; b < rates[a].size(); ++b) sum += a == b ? 0.0 : rates[a][b];
  return sum;
}

double switching_time(const schedule& from, const schedule& to, const std::vector<double>& mean_sizes) {
  const std::vector<excess> all = excesses(from, to, mean_sizes);
  if (all.empty()) return 0.0;
  if (all.size() == 1) return all.front().mean();
  double shortest = all.front().mean(), longest = shortest;
  for (const excess& e : all) {
    shortest = std::min(shortest, e.mean());
    longest = std::max(longest, e.mean());
  }
  // The integral of the probability that some class is not done yet, over the logarithm of the time.
  constexpr double step = 0.05;
  double mean = 0.0;
  const double from_log = std::log(shortest) - 16.0, to_log = std::log(longest) + 5.0;
  for (double x = from_log; x < to_log; x += step) {
    const double time = std::exp(x);
    double all_done = 1.0;
    for (const excess& e : all) all_done *= e.done_by(time);
    mean += (1.0 - all_done) * time * step;
  }
  return mean;
}

switching_chain cycle_of(const schedule_mix& mix, const class_demands& demands, visit_timer timer,
                         std::optional<double> working_time) {
  const std::size_t count = mix.schedules.size();
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return mix.schedules[a] > mix.schedules[b]; });
  switching_chain chain;
  for (const std::size_t a : order) chain.schedules.push_back(mix.schedules[a]);
  double switching = 0.0;
  for (std::size_t a = 0; a < count; ++a)
    switching += switching_time(chain.schedules[a], chain.schedules[(a + 1) % count], demands.mean_sizes);
  const double root = std::sqrt(mix.factor);
  const double cycle = switching * root / (root - 1.0);  // the switches included
  const double working = working_time.value_or(timer == visit_timer::from_completion ? cycle - switching : cycle);
  chain.rates.assign(count, std::vector<double>(count));
  for (std::size_t a = 0; a < count && count > 1; ++a)
    chain.rates[a][(a + 1) % count] = 1.0 / (working * mix.shares[order[a]]);
  return chain;
}

std::vector<double> most_served(const switching_chain& chain, const class_demands& demands, unsigned cores,
                                visit_timer timer) {
  const std::size_t classes = demands.needs.size(), count = chain.schedules.size();
  if (count == 1) return {chain.schedules.front().begin(), chain.schedules.front().end()};
  const std::vector<double> share = visits(chain);
  std::vector<double> served(classes);
  double time = 0.0;
  for (std::size_t a = 0; a < count; ++a) {
    const double working = share[a] / chain.leaving(a);
    time += working;
    for (std::size_t i = 0; i < classes; ++i) served[i] += working * chain.schedules[a][i];
    for (std::size_t b = 0; b < count; ++b) {
      const double switches = share[a] * jump(chain, a, b);
      if (switches == 0.0) continue;
      const full_switch change{chain.schedules[a], chain.schedules[b], demands, cores};
      const bool apart = timer == visit_timer::from_completion;  // false: the switch is within the time of the schedule
      const double duration = apart ? change.duration() : 0.0;
      time += switches * duration;
      for (std::size_t i = 0; i < classes; ++i)
        served[i] += switches * (apart ? change.served(i, duration) : change.completed(i));
    }
  }
  for (double& jobs : served) jobs /= time;
  return served;
}

std::optional<std::size_t> never_visited_again(const switching_chain& chain) {
  const std::size_t count = chain.schedules.size();
  for (std::size_t start = 0; start < count; ++start) {
    std::vector<bool> reached(count);
    std::vector<std::size_t> next{start};
    reached[start] = true;
    while (!next.empty()) {
      const std::size_t a = next.back();
      next.pop_back();
      for (std::size_t b = 0; b < count; ++b)
        if (!reached[b] && chain.rates[a][b] > 0.0) {
          reached[b] = true;
          next.push_back(b);
        }
    }
    const auto missing = std::find(reached.begin(), reached.end(), false);
    if (missing != reached.end()) return static_cast<std::size_t>(missing - reached.begin());
  }
  return std::nullopt;
}

}  // namespace muster
