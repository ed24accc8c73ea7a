#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/metrics/estimate.h"
#include "platform/model/scenario.h"
#include "platform/theory/stability/stability.h"

namespace muster {

/// Judges whether the measured window of a replication is long enough for the load. A window of few relaxation times of
/// the queue (relaxation_in_jobs()) still shows the empty beginning, and its scatter is less than that of longer
/// windows. Where the rate of arrivals changes, a window must have as many of its cycles. Where only a bound of the
/// policy's limit is known, or schedules take turns whatever the queues are, the queue that was seen decides, too, by
/// the upper end of the interval of its mean waiting time. More replications do not help. The threshold of 20 is
/// measured: below it, intervals of p95 and of the service rate cover the truth in less than 92 %
/// (tests/benchmark/README.md has the table).
class measured_window {
 public:
  /// The window as it is known before a run.
  measured_window(const scenario& model, const stability& limits);
  /// The window with what replications have found in it: the queue, and whether its successive parts depend on each
  /// other.
  measured_window seen_in(const measured_point& point) const;

  /// Whether the window is too short for means.
  bool is_short() const;
  /// Whether the window is too short for one metric: quantiles near the end of a distribution, its deviation and the
  /// fairness index take more.
  bool is_short_for(const estimate& e) const;
  /// Names the metrics of all jobs for which the window is too short, and the jobs that they need; empty: none.
  std::string short_metrics(const std::vector<estimate>& estimates) const;
  /// Explains that the window is short, and how many jobs are needed: completes "POINT: ".
  std::string in_words() const;
  /// Whether significantly fewer jobs leave per unit of time than come, by a one-sided t-test over replications: the
  /// queue grows through the windows, whatever is known of the policy's limit. Where the rate of arrivals changes,
  /// fewer by more than the jobs of one of its cycles. False for points that are known to be unstable.
  bool is_growing(const measured_point& point) const;
  /// Explains by the rates that the queue grows: completes "POINT: ".
  std::string growth_in_words(const measured_point& point) const;

 private:
  static constexpr double fewest = 20.0;            // relaxation times that a window must have
  static constexpr double most_correlation = 0.35;  // most correlation of successive parts
  static constexpr double growth_error = 1e-4;      // probability of calling a stable point growing
  std::uint64_t wanted_jobs() const;

  double jobs_;
  std::optional<double> relaxation_;  // by load, arrivals or the queue that was seen, whatever is longest
  bool was_seen_ = false;             // whether the queue that was seen decides on the relaxation time
  double correlation_ = 0.0;          // correlation of successive parts
  bool all_jobs_expire_;              // whether jobs arrive without end, and all leave at a deadline
  bool limit_is_known_;
  std::uint64_t all_jobs_;
  double arrival_rate_;
  double jobs_of_cycle_;  // in which the rate of arrivals goes through all that it becomes; 0: it does not change
  double relaxation_of_one_waiting_;  // job
  double relaxation_of_turns_;        // of one job within the longest mean waiting time; 0: there are no turns
};

/// The sentences about several points or trials that a terminal shows: the first ones, and how many more there are.
std::vector<std::string> first_sentences(const std::vector<std::string>& of_points);

}  // namespace muster
