#include "platform/import/arrival_rates.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace muster {

namespace {

constexpr double hour = 3600.0, day = 24.0 * hour, week = 7.0 * day;

// The time that a stretch from `begin` on, within a period, covers of each hour of it.
std::vector<double> covered(double begin, double length, double period) {
  std::vector<double> times(static_cast<std::size_t>(std::lround(period / hour)), std::floor(length / period) * hour);
  double left = std::fmod(length, period);
  for (double at = begin; left > 0.0;) {
    const auto part = static_cast<std::size_t>(at / hour) % times.size();
    const double until_end = (std::floor(at / hour) + 1.0) * hour - at;
    const double here = std::min(left, until_end);
    times[part] += here;
    left -= here;
    at += here;
  }
  return times;
}

}  // namespace

fitted_arrivals fit_arrivals(const std::vector<double>& arrivals, std::optional<double> first_moment) {
  constexpr double days_from_monday = 3.0;  // 1970 began on a Thursday
  const auto jobs = static_cast<double>(arrivals.size());
  const double first = arrivals.front(), span = arrivals.back() - first;
  fitted_arrivals fit;
  fit.rate = (jobs - 1.0) / span;
  fit.window = jobs / fit.rate;
  fit.period = fit.window >= 2.0 * week ? week : fit.window >= 2.0 * day ? day : 0.0;
  if (!(fit.period > 0.0)) return fit;
  if (first_moment) fit.begin = std::fmod(*first_moment + days_from_monday * day, fit.period);
  const std::vector<double> times = covered(fit.begin, fit.window, fit.period);
  fit.rates.assign(times.size(), 0.0);
  for (const double arrival : arrivals) {
    const double within = std::fmod(fit.begin + arrival - first, fit.period);
    fit.rates[std::min(static_cast<std::size_t>(within / hour), times.size() - 1)] += 1.0;
  }
  for (std::size_t n = 0; n < times.size(); ++n) fit.rates[n] /= times[n];
  fit.rate = std::accumulate(fit.rates.begin(), fit.rates.end(), 0.0) / static_cast<double>(times.size());
  for (double& rate : fit.rates) rate /= fit.rate;
  return fit;
}

}  // namespace muster
