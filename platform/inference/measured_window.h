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
/// windows. Where only a bound of the policy's limit is known, the queue that was seen decides, too. More replications
/// do not help. The threshold of 20 is measured: below it, intervals of p95 and of the service rate cover the truth in
/// less than 92 % (tests/benchmark/README.md has the table).
class measured_window {
 public:
  measured_window(const scenario& model, const stability& limits);

  /// Whether the window is too short for means at this load.
  bool is_short() const { return relaxation_ && jobs_ < fewest * *relaxation_; }
  /// Whether the window is too short for means, beside the queue that was seen too, or its successive parts depend on
  /// each other.
  bool is_short(const measured_point& point) const;
  /// Whether the window is too short for one metric: a quantile near the end of a distribution takes more.
  bool is_short_for(const estimate& e) const;
  /// Names the metrics of all jobs for which the window is too short, and the jobs that they need; empty: none.
  std::string short_metrics(const std::vector<estimate>& estimates) const;
  /// Explains that the window is short, and how many jobs are needed: completes "POINT: ".
  std::string in_words() const;
  /// What it takes where the queue was seen, for a reader: completes "POINT: ".
  std::string in_words(const measured_point& found) const;
  /// Whether significantly fewer jobs leave per unit of time than come, by a one-sided t-test over replications: the
  /// queue grows through the windows, whatever is known of the policy's limit. False for points that are known to be
  /// unstable.
  bool is_growing(const measured_point& point) const;
  /// Explains by the rates that the queue grows: completes "POINT: ".
  std::string growth_in_words(const measured_point& point) const;

 private:
  static constexpr double fewest = 20.0;            // relaxation times that a window must have
  static constexpr double most_correlation = 0.35;  // most correlation of successive parts
  static constexpr double growth_error = 1e-4;      // probability of calling a stable point growing
  // The relaxation time in the light of the queue that was seen.
  std::optional<double> relaxation(const measured_point& point) const;
  std::string in_words(double relaxation) const;
  std::uint64_t wanted_jobs(double relaxation) const;

  double jobs_;
  std::optional<double> relaxation_;  // see relaxation_in_jobs()
  bool limit_is_known_;
  std::uint64_t all_jobs_;
  double arrival_rate_;
  double relaxation_of_one_waiting_;  // job
};

/// The sentences about several points or trials that a terminal shows: the first ones, and how many more there are.
std::vector<std::string> first_sentences(const std::vector<std::string>& of_points);

}  // namespace muster
