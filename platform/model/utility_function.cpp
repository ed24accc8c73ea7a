#include "platform/model/utility_function.h"

#include <algorithm>
#include <cmath>

namespace muster {

namespace {

constexpr double negligible_share = 1e-12;  // shares of the work that differ by less are taken as equal

// Below it a curve and a straight line are equal in double precision.
constexpr double least_steepness = 1e-12;

double saturation(double x, double steepness) {
  return steepness < least_steepness ? x : std::expm1(-steepness * x) / std::expm1(-steepness);
}

double logarithm(double x, double steepness) {
  return steepness < least_steepness ? x : std::log1p(steepness * x) / std::log1p(steepness);
}

struct segment {
  double begin, end, slope;
};

std::vector<segment> segments_of(const utility_function::points& corners) {
  std::vector<segment> all;
  for (std::size_t i = 1; i < corners.size(); ++i) {
    const auto& [begin, low] = corners[i - 1];
    const auto& [end, high] = corners[i];
    const double slope = (high - low) / (end - begin);
    const bool straight_on = !all.empty() && std::abs(slope - all.back().slope) <= negligible_share * slope;
    all.push_back({begin, end, straight_on ? all.back().slope : slope});
  }
  return all;
}

double concave_from(const std::vector<segment>& segments) {
  auto first = std::prev(segments.end());
  while (first != segments.begin() && std::prev(first)->slope >= first->slope) --first;
  return first->begin;
}

// Within a segment only the length counts, so that gains of equal units are equal to the last bit.
double gain_along(const std::vector<segment>& segments, double from, double to, double units, double value) {
  const auto ends_later = [](double x, const segment& s) { return x < s.end - negligible_share; };
  auto s = std::upper_bound(segments.begin(), std::prev(segments.end()), from / units, ends_later);
  if (to / units <= s->end + negligible_share) return value * s->slope * (to - from) / units;
  double gain = 0.0;
  for (; s != segments.end() && s->begin < to / units; ++s)
    gain += value * s->slope * (std::min(to / units, s->end) - std::max(from / units, s->begin));
  return gain;
}

double nearest_whole_if_close(double x) {
  constexpr double close = 1e-9;
  return std::abs(x - std::round(x)) < close ? std::round(x) : x;
}

}  // namespace

utility_function utility_function::of_formula(std::function<double(double)> f, double concave_from) {
  return {[f = std::move(f)](double from, double to, double units, double value) {
            return value * (f(to / units) - f(from / units));
          },
          concave_from};
}

utility_function utility_function::logarithmic(double steepness) {
  return of_formula([=](double x) { return logarithm(x, steepness); }, 0.0);
}

utility_function utility_function::exponential(double steepness) {
  return of_formula([=](double x) { return saturation(x, steepness); }, 0.0);
}

utility_function utility_function::steps(double tasks) {
  // Of k units of W, n k / W lies at least 1 / W = 1e-6 below the next whole number, unless it is one.
  const auto complete = [=](double x) { return std::floor(tasks * x + 1e-9); };
  return {[=](double from, double to, double units, double value) {
            return value * (complete(to / units) - complete(from / units)) / tasks;
          },
          1.0};
}

utility_function utility_function::set_up(double share, double steepness) {
  return of_formula([=](double x) { return saturation(std::max(0.0, x - share) / (1.0 - share), steepness); }, share);
}

utility_function utility_function::through(const points& corners) {
  const std::vector<segment> segments = segments_of(corners);
  return {
      [=](double from, double to, double units, double value) { return gain_along(segments, from, to, units, value); },
      muster::concave_from(segments)};
}

std::shared_ptr<const utility> utility_function::of_units(unsigned units, double initialisation, double value) const {
  const double lost = nearest_whole_if_close(initialisation * units);
  const double useful = units - lost;
  std::vector<double> gains(units);
  for (unsigned k = 0; k < units; ++k) {
    const double from = std::max(0.0, k - lost);
    const double to = std::max(0.0, k + 1.0 - lost);
    const double length = nearest_whole_if_close(to - from);
    gains[k] = std::max(0.0, gain_(from, from + length, useful, value));
    const bool concave_here = k > 0 && k - 1.0 - lost >= (concave_from_ - negligible_share) * useful;
    if (concave_here && k - 1.0 >= lost) gains[k] = std::min(gains[k], gains[k - 1]);
  }
  return std::make_shared<const utility>(std::move(gains));
}

}  // namespace muster
