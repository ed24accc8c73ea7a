#include "muster/policies/algorithms/schedule_mix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

#include "muster/policies/algorithms/linear_program.h"

namespace muster {

namespace {

/// The classes that have load, with the loads scaled such that they use all cores. A class that would use less than
/// `least_use` of the cores counts as one that uses so much: the numbers of the linear program keep a range in which it
/// can be solved.
struct scaled_loads {
  static constexpr double least_use = 1e-9;

  std::vector<std::size_t> classes;  ///< numbers of the classes, in ascending order of need
  std::vector<unsigned> needs;
  std::vector<double> loads;
  unsigned cores;
  double scale;        ///< factor of the loads
  double added = 0.0;  ///< time that the schedules of single classes take for what was added to small loads

  std::size_t size() const { return classes.size(); }
};

void check_mix(const std::vector<unsigned>& needs, const std::vector<double>& loads, unsigned cores) {
  bool valid = needs.size() == loads.size();
  for (const unsigned need : needs) valid = valid && need > 0 && need <= cores;
  for (const double load : loads) valid = valid && std::isfinite(load) && load >= 0.0;
  if (!valid)
    throw std::invalid_argument("mix of schedules: expected for each class a need from 1 to " + std::to_string(cores) +
                                " cores and a finite load >= 0");
}

scaled_loads scaled(const std::vector<unsigned>& needs, const std::vector<double>& loads, unsigned cores) {
  scaled_loads result{{}, {}, {}, cores, 1.0, 0.0};
  for (std::size_t i = 0; i < needs.size(); ++i)
    if (loads[i] > 0.0) result.classes.push_back(i);
  std::stable_sort(result.classes.begin(), result.classes.end(),
                   [&](std::size_t a, std::size_t b) { return needs[a] < needs[b]; });
  double busy = 0.0;
  for (const std::size_t i : result.classes) busy += needs[i] * loads[i];
  if (busy > 0.0) result.scale = cores / busy;
  for (const std::size_t i : result.classes) {
    const double load = loads[i] * result.scale, least = scaled_loads::least_use * cores / needs[i];
    result.needs.push_back(needs[i]);
    result.loads.push_back(std::max(load, least));
    const unsigned together = cores / needs[i];  // jobs of the class that the cores hold
    result.added += (result.loads.back() - load) / together;
  }
  return result;
}

// Adds jobs, of the largest needs first, until no class with load has room.
void fill_up(const scaled_loads& all, schedule& jobs, unsigned spare) {
  for (std::size_t i = all.size(); i-- > 0;) {
    jobs[i] += spare / all.needs[i];
    spare %= all.needs[i];
  }
}

struct priced_schedule {
  schedule jobs;
  double value = 0.0;
};

/// The feasible schedule of the highest value: an unbounded knapsack. @param values of a job, by class, >= 0
priced_schedule most_valuable(const scaled_loads& all, const std::vector<double>& values) {
  constexpr std::size_t nothing = std::numeric_limits<std::size_t>::max();
  std::vector<double> best(all.cores + 1, 0.0);  // best value by number of cores
  std::vector<std::size_t> last(all.cores + 1, nothing);
  for (unsigned cores = 1; cores <= all.cores; ++cores) {
    best[cores] = best[cores - 1];
    for (std::size_t i = 0; i < all.size() && all.needs[i] <= cores; ++i) {
      const double value = best[cores - all.needs[i]] + values[i];
      if (!(value > best[cores])) continue;
      best[cores] = value;
      last[cores] = i;
    }
  }
  priced_schedule result{schedule(all.size()), best[all.cores]};
  unsigned left = all.cores, spare = 0;
  while (left > 0) {
    if (last[left] == nothing) {
      --left;
      ++spare;
      continue;
    }
    ++result.jobs[last[left]];
    left -= all.needs[last[left]];
  }
  fill_up(all, result.jobs, spare);
  return result;
}

/// The linear program over the schedules added so far: shares of schedules, and the factor as the first variable. The
/// row of each class is divided by its load, so that the prices of the rows add up to 1.
class mix_program {
 public:
  explicit mix_program(const scaled_loads& all) : all_(all) {
    std::vector<linear_program::entry> factor;
    for (std::size_t i = 0; i < all.size(); ++i)
      factor.push_back({program_.add_row(linear_program::relation::at_least, 0.0), -1.0});
    time_ = program_.add_row(linear_program::relation::at_most, 1.0);
    program_.add_variable(1.0, factor);
  }

  /// @return false if the schedule is there already
  bool add(const schedule& jobs) {
    if (!known_.insert(jobs).second) return false;
    std::vector<linear_program::entry> entries{{time_, 1.0}};
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (jobs[i] > 0) entries.push_back({i, jobs[i] / all_.loads[i]});
    program_.add_variable(0.0, entries);
    schedules_.push_back(jobs);
    return true;
  }

  /// The best mix of the schedules added so far; its factor is computed from the shares.
  /// @param values of a job of each class, in which the loads together have the value 1
  schedule_mix solve(std::vector<double>& values) const {
    const linear_program::solution found = program_.maximise();
    if (found.status != linear_program::outcome::optimal)
      throw std::runtime_error("mix of schedules: the linear program has no optimum");
    double sum = 0.0;
    for (std::size_t i = 0; i < all_.size(); ++i) sum += values[i] = std::max(0.0, -found.prices[i]);
    for (std::size_t i = 0; i < all_.size(); ++i) values[i] /= sum * all_.loads[i];
    return mix_of(found.variables);
  }

 private:
  schedule_mix mix_of(const std::vector<double>& variables) const {
    constexpr double negligible = 1e-14;
    schedule_mix mix;
    for (std::size_t at = 0; at < schedules_.size(); ++at) {
      if (variables[at + 1] < negligible) continue;
      mix.schedules.push_back(schedules_[at]);
      mix.shares.push_back(variables[at + 1]);
    }
    if (mix.shares.empty()) return mix;  // its factor is 0
    const double time = std::accumulate(mix.shares.begin(), mix.shares.end(), 0.0);
    for (double& share : mix.shares) share /= time;
    mix.factor = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < all_.size(); ++i) {
      double served = 0.0;
      for (std::size_t at = 0; at < mix.shares.size(); ++at) served += mix.shares[at] * mix.schedules[at][i];
      mix.factor = std::min(mix.factor, served / all_.loads[i]);
    }
    return mix;
  }

  const scaled_loads& all_;
  linear_program program_;
  std::size_t time_ = 0;
  std::set<schedule> known_;
  std::vector<schedule> schedules_;
};

// Adds a schedule for each class with as many of its jobs as there is room for.
void add_one_of_each(mix_program& program, const scaled_loads& all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    schedule jobs(all.size());
    jobs[i] = all.cores / all.needs[i];
    fill_up(all, jobs, all.cores % all.needs[i]);
    program.add(jobs);
  }
}

// Converts a mix to all classes and to the loads as given.
schedule_mix unscaled(schedule_mix mix, const scaled_loads& all, std::size_t classes) {
  mix.factor *= all.scale;
  mix.bound *= all.scale / (1.0 - mix.bound * all.added);
  for (schedule& jobs : mix.schedules) {
    schedule of_all(classes);
    for (std::size_t i = 0; i < all.size(); ++i) of_all[all.classes[i]] = jobs[i];
    jobs = std::move(of_all);
  }
  return mix;
}

}  // namespace

schedule_mix largest_mix(const std::vector<unsigned>& needs, const std::vector<double>& loads, unsigned cores) {
  constexpr double rounding = 1e-12, largest_error = 1e-6;
  check_mix(needs, loads, cores);
  const scaled_loads all = scaled(needs, loads, cores);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (all.size() == 0) return {infinite, infinite, {}, {}};
  mix_program program{all};
  add_one_of_each(program, all);
  std::vector<double> values(all.size());
  double bound = 1.0;  // the scaled loads use all cores
  while (true) {
    schedule_mix mix = program.solve(values);
    const priced_schedule best = most_valuable(all, values);
    bound = std::min(bound, best.value);
    const double gap = bound - mix.factor;
    if (gap <= rounding * bound || !program.add(best.jobs)) {
      if (gap > largest_error * bound)
        throw std::runtime_error("mix of schedules: the simplex method stalled before the optimum, at " +
                                 std::to_string(mix.factor) + " of at most " + std::to_string(bound));
      mix.bound = std::max(bound, mix.factor);
      return unscaled(std::move(mix), all, needs.size());
    }
  }
}

schedule_mix mix_of(const std::vector<schedule>& schedules, const std::vector<double>& loads) {
  check_mix(std::vector<unsigned>(loads.size(), 1), loads, 1);
  const auto as_long = [&](const schedule& jobs) { return jobs.size() == loads.size(); };
  if (schedules.empty() || !std::all_of(schedules.begin(), schedules.end(), as_long))
    throw std::invalid_argument("mix of schedules: expected at least one, each with the jobs of every class");
  const scaled_loads all = scaled(std::vector<unsigned>(loads.size(), 1), loads, 1);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (all.size() == 0) return {infinite, infinite, {}, {}};
  mix_program program{all};
  std::map<schedule, schedule> whole;  // by the jobs of the classes with load
  for (const schedule& jobs : schedules) {
    schedule of_loaded;
    for (const std::size_t i : all.classes) of_loaded.push_back(jobs[i]);
    program.add(of_loaded);
    whole.emplace(std::move(of_loaded), jobs);
  }
  std::vector<double> values(all.size());
  schedule_mix mix = program.solve(values);
  for (schedule& jobs : mix.schedules) jobs = whole.at(jobs);
  mix.factor *= all.scale;
  mix.bound = mix.factor;
  return mix;
}

}  // namespace muster
