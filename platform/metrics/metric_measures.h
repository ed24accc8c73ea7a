#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "platform/metrics/class_record.h"
#include "platform/metrics/metric.h"

// The values of metrics that follow from sums over jobs.

namespace muster::metric_measures {

inline metric_value mean_of_completed(const class_totals& t, double sum) {
  const auto n = static_cast<double>(t.jobs.completed);
  return {t.jobs.completed > 0 ? std::optional(sum / n) : std::nullopt, t.jobs.completed};
}

template <tick_sum class_record::*Sum>
metric_value mean_time(const class_totals& t) {
  return mean_of_completed(t, t.unit.to_units(t.jobs.*Sum));
}

inline metric_value response_time_deviation(const class_totals& t) {
  if (t.jobs.completed == 0) return {{}, 0};
  const auto n = static_cast<double>(t.jobs.completed);
  const double mean = static_cast<double>(t.jobs.response) / n;
  const double variance = t.jobs.response_squares / n - mean * mean;
  return {t.unit.to_units(std::sqrt(std::max(0.0, variance))), t.jobs.completed};
}

// A value that is defined by the jobs that left; of slotted jobs also those that expired.
inline metric_value of_left(const class_totals& t, double value) {
  return {t.jobs.left() > 0 ? std::optional(value) : std::nullopt, t.jobs.left()};
}

inline metric_value mean_of_left(const class_totals& t, double sum) {
  return of_left(t, sum / static_cast<double>(t.jobs.left()));
}

template <int Percent>
metric_value waiting_time_percentile(const class_totals& t) {
  if (t.jobs.responses.empty()) return {{}, 0};
  return {t.unit.to_units(t.jobs.waiting_quantile(Percent / 100.0)), t.jobs.completed};
}

// The maximum, which a part of the window has as little as quantiles: it has no response times.
inline metric_value longest_waiting_time(const class_totals& t) {
  if (t.jobs.responses.empty()) return {{}, 0};
  return {t.unit.to_units(t.jobs.longest_wait), t.jobs.completed};
}

template <std::uint64_t class_record::*Count>
metric_value per_left(const class_totals& t) {
  return mean_of_left(t, static_cast<double>(t.jobs.*Count));
}

template <int Percent>
metric_value response_time_percentile(const class_totals& t) {
  const std::uint64_t all = t.jobs.responses.total();
  if (all == 0) return {{}, 0};
  return {t.unit.to_units(t.jobs.responses.quantile(Percent / 100.0, all)), t.jobs.completed};
}

inline metric_value service_rate(const class_totals& t) {
  const class_record& r = t.jobs;
  if (r.presence == 0) return {{}, r.completed};
  return {t.unit.to_units(r.work) / t.unit.to_units(r.presence), r.completed};
}

template <time_part Part>
metric_value time_on(const class_totals& t) {
  return mean_of_completed(t, t.unit.to_units(t.jobs.times[static_cast<std::size_t>(Part)]));
}

inline metric_value wait_for_cores(const class_totals& t) {
  return mean_of_completed(
      t, t.unit.to_units(t.jobs.times[static_cast<std::size_t>(time_part::no_core)] - t.jobs.no_resource));
}

}  // namespace muster::metric_measures
