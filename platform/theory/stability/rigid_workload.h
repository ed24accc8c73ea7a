#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "platform/model/scenario.h"
#include "platform/theory/demand.h"

namespace muster {

/// Rigid jobs on cores that are all alike to them: what the limits of stability depend on.
struct rigid_workload {
  struct job_class {
    unsigned need = 1;
    double rate = 0.0;       ///< arrivals per unit of time, > 0
    double held = 0.0;       ///< mean time for which a job holds its cores: size over capacity, and overhead
    double overhead = 0.0;   ///< the part of `held` that is the same for all jobs; a lower bound unless is_known()
    double held_most = 0.0;  ///< upper bound of `held`: equal to it if the time is known, infinite if no bound is
    distribution size;

    /// Whether the time for which a job holds its cores is exponential.
    bool is_exponential() const { return size.name() == "exponential" && overhead == 0.0; }
  };
  unsigned cores = 1;
  double capacity = 1.0;           ///< capacity of each core
  std::vector<job_class> classes;  ///< the classes that have arrivals, in the order of the scenario

  double rate() const {
    double sum = 0.0;
    for (const job_class& c : classes) sum += c.rate;
    return sum;
  }
  /// Work that arrives per unit of time, as cores times time: at least, where is_known() is false.
  double work() const {
    double sum = 0.0;
    for (const job_class& c : classes) sum += c.rate * c.held * c.need;
    return sum;
  }
  /// Whether jobs hold their cores for `held` on average, and no longer.
  bool is_known() const {
    return std::all_of(classes.begin(), classes.end(), [](const job_class& c) { return c.held_most == c.held; });
  }
  /// Whether an upper bound of the time for which jobs hold their cores is known.
  bool is_bounded() const {
    return std::all_of(classes.begin(), classes.end(), [](const job_class& c) { return std::isfinite(c.held_most); });
  }
  /// The mean number of jobs of each class in service.
  std::vector<double> loads() const;
  std::vector<unsigned> needs() const;
  /// The workload, which is bounded, with `overhead` and `held` at their upper bounds.
  rigid_workload at_most() const {
    rigid_workload most = *this;
    for (job_class& c : most.classes) {
      c.overhead += c.held_most - c.held;
      c.held = c.held_most;
    }
    return most;
  }
  /// The workload with jobs that hold their cores no longer than `held`.
  rigid_workload at_least() const {
    rigid_workload least = *this;
    for (job_class& c : least.classes) c.held_most = c.held;
    return least;
  }
  /// The workload at total rate 1, its shares rounded to 12 digits: equal for all rates of a sweep.
  rigid_workload per_arrival() const;
  /// The whole workload as text; equal texts have equal limits.
  std::string key() const;
};

/// The rates of classes as weights of a weighted_choice, which takes two or more.
std::vector<double> weights_of(const std::vector<rigid_workload::job_class>& classes);

/// The rigid workload of a scenario; nothing if a class may not use all servers, if these have several capacities, or
/// if no job ever arrives.
std::optional<rigid_workload> rigid_workload_of(const scenario& model, const std::vector<demand>& demands);

}  // namespace muster
