#include "platform/report/axis.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace muster {

namespace {

constexpr double most_ticks = 7.0;

// The least of 1, 2, 5 times a power of ten that is no less.
double round_step(double step) {
  const double decade = std::pow(10.0, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * decade >= step * (1.0 - 1e-9)) return factor * decade;
  return 10.0 * decade;
}

void add_linear_ticks(axis& a) {
  const double step = round_step((a.high - a.low) / most_ticks);
  const double slack = 1e-9 * (a.high - a.low);
  for (double n = std::ceil((a.low - slack) / step); n * step <= a.high + slack; ++n)
    a.ticks.push_back({n * step, fmt::format("{:.10g}", n == 0.0 ? 0.0 : n * step)});
}

void add_logarithmic_ticks(axis& a) {
  const double decades = std::log10(a.high / a.low);
  const double every = std::max(1.0, std::ceil(decades / most_ticks));
  const std::vector<double> factors = decades < 3.0 ? std::vector<double>{1.0, 2.0, 5.0} : std::vector<double>{1.0};
  for (double n = std::floor(std::log10(a.low)); n <= std::ceil(std::log10(a.high)); ++n) {
    if (std::fmod(n, every) != 0.0) continue;
    for (const double factor : factors) {
      const double value = factor * std::pow(10.0, n);
      if (value >= a.low * (1 - 1e-9) && value <= a.high * (1 + 1e-9))
        a.ticks.push_back({value, fmt::format("{:.6g}", value)});
    }
  }
}

}  // namespace

double axis::at(double value) const {
  if (logarithmic) return std::log(std::max(value, 0.0) / low) / std::log(high / low);
  return (value - low) / (high - low);
}

bool wants_logarithm(const std::vector<double>& values) {
  if (values.empty()) return false;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *low > 0.0 && std::log10(*high / *low) > 1.5;
}

axis axis_over(const std::vector<double>& values, bool logarithmic) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  axis a{logarithmic, *least, *most, {}};
  if (logarithmic) {
    const double room = std::max(1.1, std::pow(a.high / a.low, 0.04));
    a.low /= room;
    a.high *= room;
    add_logarithmic_ticks(a);
    return a;
  }
  const bool from_zero = a.low >= 0.0 && a.low < 0.5 * a.high;
  double room = 0.05 * (a.high - a.low);
  if (room <= 1e-9 * std::abs(a.high)) room = a.high != 0.0 ? 0.1 * std::abs(a.high) : 1.0;
  a.low = from_zero || *least == 0.0 ? 0.0 : a.low - room;
  a.high += room;
  add_linear_ticks(a);
  return a;
}

axis axis_of_categories(const std::vector<std::string>& names) {
  axis a{false, -0.5, static_cast<double>(names.size()) - 0.5, {}};
  for (std::size_t n = 0; n < names.size(); ++n) a.ticks.push_back({static_cast<double>(n), names[n]});
  return a;
}

}  // namespace muster
