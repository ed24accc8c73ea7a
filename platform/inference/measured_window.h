#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/metrics/estimate.h"
#include "platform/model/scenario.h"
#include "platform/theory/stability/stability.h"

namespace muster {

/// Whether the measured window of a replication is long enough for the load: not many relaxation times of the queue
/// (relaxation_in_jobs()) mean that the empty beginning is still in it, and that its scatter does not show what longer
/// windows would. Where only a bound of the policy's limit is known, the queue that was seen decides, too. More
/// replications do not help. The threshold of 20 is measured: below, intervals of p95 and of the service rate cover the
/// truth in less than 92 % (tests/benchmark/README.md has the table).
class measured_window {
 public:
  measured_window(const scenario& model, const stability& found);

  /// Whether it is too short for what the load means.
  bool is_short() const { return relaxation_ && jobs_ < fewest * *relaxation_; }
  /// Whether it is too short for that or for the queue that was seen, or its successive parts depend on each other.
  bool is_short(const measured_point& found) const;
  /// Whether it is too short for one metric: a quantile near the end of a distribution takes more.
  bool is_short_for(const estimate& e) const;
  /// Names of the metrics of all jobs for which it is too short, and what they take, for a reader; empty: of none.
  std::string short_metrics(const std::vector<estimate>& estimates) const;
  /// What it takes, for a reader: completes "POINT: ".
  std::string in_words() const;
  /// What it takes where the queue was seen, for a reader: completes "POINT: ".
  std::string in_words(const measured_point& found) const;
  /// Whether significantly fewer jobs leave per unit of time than come, by a one-sided t-test over replications: the
  /// queue grows through the windows, whatever is known of the policy's limit. Not of points that are known to be
  /// unstable.
  bool is_growing(const measured_point& found) const;
  /// The rates by which it is, for a reader: completes "POINT: ".
  std::string growth_in_words(const measured_point& found) const;

 private:
  static constexpr double fewest = 20.0;       // relaxation times in a window
  static constexpr double fewest_seen = 10.0;  // of those that the queue tells that was seen: it waits for cores, too
  static constexpr double most_correlation = 0.5;  // of successive parts
  static constexpr double growth_error = 1e-4;     // probability of calling a point growing that is not
  struct class_load {
    std::string name;
    double share;  // of the load
  };
  // Jobs that it takes for the load, in the light of the queue that was seen; none where there is no relaxation time.
  std::optional<double> needed(const measured_point& found) const;
  std::string in_words(double needed) const;
  std::uint64_t wanted_jobs(double needed) const;

  double jobs_;
  std::optional<double> relaxation_;  // see relaxation_in_jobs()
  bool limit_is_known_;
  std::uint64_t all_jobs_;
  double arrival_rate_;
  std::vector<class_load> loads_;
  double relaxation_of_one_waiting_;  // job
};

/// What is said of several points or trials in a terminal: the first ones, and how many more there are.
std::vector<std::string> first_sentences(const std::vector<std::string>& of_points);

}  // namespace muster
