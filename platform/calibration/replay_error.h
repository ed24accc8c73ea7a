#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/calibration/paired_jobs.h"
#include "platform/model/scenario.h"

namespace muster {

/// How far two orders of the same things agree.
struct order_agreement {
  std::size_t in_order = 0;         ///< the most things that can be chosen so that both have them in the same order
  std::optional<double> kendall{};  ///< Kendall's tau-b, -1 to 1; nothing: one of the orders has a single moment
};

/// Compares two orders.
/// @param moments of each thing, in the one and in the other; things of equal moments may be in any order
order_agreement compare_orders(std::vector<std::pair<std::int64_t, std::int64_t>> moments);

/// Waits and starts of the jobs of a class in the log and in the replay. Times are in the scenario's unit.
struct class_error {
  std::string class_name;                         ///< "all": all classes together
  std::size_t jobs = 0;                           ///< at least one
  double logged_mean = 0.0, replayed_mean = 0.0;  ///< of their waits
  double logged_p95 = 0.0, replayed_p95 = 0.0;    ///< of their waits: a value that 95 % do not exceed
  double later = 0.0;                             ///< how much later they start in the replay, on average
  double apart = 0.0;                             ///< how far their starts are apart, on average
  /// @name Shares of the jobs whose starts are not further apart than that
  /// @{
  double within_second = 0.0, within_minute = 0.0;
  double within_tenth = 0.0;  ///< a tenth of the wait in the log
  /// @}
};

/// How far a replay is from the log.
struct replay_error {
  std::vector<class_error> classes;  ///< all together, then each class that has jobs, in the order of the scenario
  order_agreement order;             ///< of the starts
};

/// Compares the starts of a replay with those of the log.
/// @param pairs has at least one job
replay_error error_of(const scenario& point, const paired_jobs& pairs);

}  // namespace muster
