#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "platform/model/metric_of_class.h"

namespace muster {

/// How narrow the interval of one metric must become.
struct precision_target : metric_of_class {
  double half_width = 0.01;  ///< of the 95 % interval, as a share of the mean
};

/// The precision at which a point is finished: how narrow intervals must become, or how policies compare.
struct precision_spec {
  std::vector<precision_target> targets{};  ///< every one must be reached; no class and metric twice
  /// Each two policies must be told apart, or be equal within this share of the smaller mean; see comparison_rule.
  std::optional<double> equal_within{};
  /// Limit of a point whose targets are not reached; with batch means, its one replication has at most run.jobs times
  /// this.
  std::uint32_t most_replications = 1'000;

  /// The number of replications (with batch means: of jobs) at which the interval is looked at again after n.
  template <class Count>
  static Count next_look(Count n, Count most) {
    return std::min<Count>(most, n + (n + 4) / 5);
  }
};

struct run_spec {
  /// Jobs that leave in one replication, warm-up included; of finite arrivals: all; with batch means and a precision:
  /// at least so many.
  std::uint64_t jobs = 1'000'000;
  std::uint32_t replications = 10;  ///< with a precision: at least so many
  std::uint64_t seed = 1;
  double warm_up =
      0.1;  ///< share of `jobs` whose completions are not measured; of a list or log: the first ones to arrive
  double cool_down = 0.0;  ///< share of `jobs` of a list or log, the last ones to arrive, that are not measured
  /// A pilot replication finds the warm-up by MSER-5, in place of `warm_up`.
  bool warm_up_by_mser5 = false;
  /// Found by the pilot: completions that are not measured, in place of `warm_up`.
  std::optional<std::uint64_t> warm_up_jobs{};
  /// Intervals of means from overlapping batches within the one replication, instead of from several replications.
  bool batch_means = false;
  std::optional<precision_spec> precision{};  ///< none: `replications` and no more
  /// A replication with so many jobs in the system ends early; none: with policy::most_jobs_in_system(), which does not
  /// depend on the machine, so that results do not.
  std::optional<std::uint64_t> most_jobs_in_system{};
  /// Where a system with a known mean runs beside the cluster on the same jobs, what it has above that mean is taken
  /// out of the estimates.
  bool control_variates = true;

  /// Replications before the first look at what they tell.
  std::uint32_t first_look() const {
    constexpr std::uint32_t fewest = 10;
    return precision && !batch_means ? std::max(replications, fewest) : replications;
  }
  /// How many times, at most, policies are compared while replications are added.
  std::uint32_t looks_at_policies() const {
    std::uint32_t looks = 1;
    if (precision && precision->equal_within)
      for (std::uint32_t n = first_look(); n < precision->most_replications; ++looks)
        n = precision_spec::next_look(n, precision->most_replications);
    return looks;
  }
  /// Completions at the beginning of a replication that are not measured.
  std::uint64_t unmeasured() const {
    return warm_up_jobs.value_or(static_cast<std::uint64_t>(warm_up * static_cast<double>(jobs)));
  }
  /// Jobs at the end of a list or log that are not measured.
  std::uint64_t unmeasured_at_end() const { return static_cast<std::uint64_t>(cool_down * static_cast<double>(jobs)); }
};

/// The record over time of the first replication of each point.
struct record_spec {
  std::optional<double> jobs_in_system_every;  ///< units of time between samples
  std::optional<double> until;                 ///< end of the record
};

/// The results that a study asks for besides the usual ones.
struct report_spec {
  std::vector<metric_of_class> metrics{};  ///< by which policies are judged; empty: the usual ones
  std::vector<metric_bound> where{};       ///< that a policy must keep to be called best
  bool explain = false;                    ///< what each job's time is spent on
  /// The least run time that bounded_slowdown divides by, in units of time; none: 10 s, for the jobs of a list or a
  /// log.
  std::optional<double> slowdown_bound{};
};

}  // namespace muster
