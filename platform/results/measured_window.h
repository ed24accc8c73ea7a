#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/metrics/estimate.h"
#include "platform/model/scenario.h"
#include "platform/theory/stability.h"

namespace muster {

/// Whether the measured window of a replication is long enough for the load: not many relaxation times of the queue
/// (relaxation_in_jobs()) mean that the empty beginning is still in it, and that its scatter does not show what longer
/// windows would. More replications do not help. The threshold of 20 is measured: below, intervals of p95 and of the
/// service rate cover the truth in less than 92 % (tests/README.md has the table).
class measured_window {
 public:
  measured_window(const scenario& what, const stability& found);

  /// Whether it is too short for what the load means.
  bool is_short() const { return jobs_ < fewest * relaxation_; }
  /// The same, or the successive parts of the windows depend on each other.
  bool is_short(const measured_point& found) const;
  /// Whether it is too short for one metric: a quantile near the end of a distribution takes more.
  bool is_short_for(const estimate& e) const;
  /// Names of the metrics of all jobs for which it is too short, and what they take, for a reader; empty: of none.
  std::string short_metrics(const std::vector<estimate>& estimates) const;
  /// What it takes, for a reader: completes "POINT: ".
  std::string in_words() const;

 private:
  static constexpr double fewest = 20.0;           // relaxation times in a window
  static constexpr double most_correlation = 0.5;  // of successive parts
  std::uint64_t wanted_jobs() const;

  double jobs_, relaxation_;
  std::uint64_t all_jobs_;
};

/// What is said of several points in a terminal: the first ones, and how many more there are.
std::vector<std::string> first_sentences(const std::vector<std::string>& of_points);

}  // namespace muster
