#pragma once

#include <cstddef>
#include <string>

#include "platform/command_line/printed_output.h"
#include "platform/model/scenario.h"
#include "platform/search/scenario_search.h"

namespace muster {

/// What `muster crossover` was asked.
struct crossover_question {
  const study& what;  ///< whatever value the parameter has in it
  std::string key;
  search_range range;
  crossover_goal goal;
};

/// @name Text of `muster crossover`
/// @{
/// What is sought.
std::string crossover_heading(const crossover_question& asked);
/// A line for each look.
std::string crossover_progress(const crossover_question& asked, const crossover_result& so_far);
/// What was found at a point: values, sentences, and at the end a line `crossover: ..` for each crossing, or one with
/// `crossover: none: REASON`.
printed_output crossover_text(const crossover_question& asked, std::size_t point, const crossover_result& found);
/// @}

/// Why there is no crossing.
std::string why_no_crossover(const crossover_question& asked, const crossover_result& found);

/// A number without an exponent, as finely as makes sense.
/// @param resolution two digits of it are shown; 0: six digits of the number
std::string plain_decimal(double number, double resolution);

/// What --out leaves.
class crossover_csv {
 public:
  explicit crossover_csv(const crossover_question& asked);

  /// @param complete else the search was interrupted: only points are added
  void add(std::size_t point, const crossover_result& found, bool complete);

  /// crossover.csv. scenario, point, the sweep's keys, key, class, metric, first, second (the policies), value, ci_low,
  /// ci_high, better_below, better_above (first or second; of a metric of which neither less nor more is better: that
  /// with less), half_width (share of the range), precise (yes or no), replications, reason (why there is none; all
  /// from `value` on is empty then).
  const std::string& crossings() const { return crossings_; }
  /// crossover_points.csv. scenario, point, the sweep's keys, key, value, class, metric, stage (scan or narrowing),
  /// replications, first, second (estimates), difference, difference_ci_low, difference_ci_high (first minus second,
  /// paired, 95 %), better (first, second, undecided, excluded; in the scan corrected for the number of values and
  /// looks), reason.
  const std::string& points() const { return points_; }

 private:
  void add_points(const std::string& begin, const std::vector<paired_point>& points, const std::vector<int>& sides,
                  const char* stage);

  const crossover_question& asked_;
  std::string crossings_, points_;
};

}  // namespace muster
