#include "platform/experiment/crossing_locator.h"

#include <algorithm>
#include <cmath>

#include "platform/metrics/sample.h"
#include "platform/results/crossing_interval.h"

namespace muster {

namespace {

constexpr double surely = 0.001;     // two-sided error of a sign by which the range is cut
constexpr double confidence = 0.96;  // 95 % are left by stopping at the first interval that is narrow enough

// The first integer from there on, whatever rounding has added.
double first_integer(double value) { return std::ceil(value - 1e-9 * std::max(1.0, std::abs(value))); }

}  // namespace

std::vector<crossing> crossing_locator::locate(const sign_change& change, const scan_result& scanned,
                                               std::size_t budget, const std::function<void(const crossing&)>& told) {
  bracket b{{}, change.side_below};
  for (const paired_point& p : scanned.points)
    if (p.value >= change.low && p.value <= change.high && !p.excluded()) b.values.push_back(p.value);
  const std::size_t affordable = budget / (2 * b.values.size());
  const std::uint32_t n =
      std::min(first_replications(change, scanned), static_cast<std::uint32_t>(std::min<std::size_t>(affordable, ~0U)));
  return n < 2 ? std::vector{unmeasured(b)} : narrow_down(b, n, spent_ + budget, told);
}

// Where the difference runs straight from one end to the other and spreads as there, the half-width is 2 deviations
// over the slope and the root of the number.
std::uint32_t crossing_locator::first_replications(const sign_change& change, const scan_result& scanned) const {
  const auto at = [&](double value) {
    return std::find_if(scanned.points.begin(), scanned.points.end(),
                        [&](const paired_point& p) { return p.value == value; })
        ->differences();
  };
  const std::vector<double> low = at(change.low), high = at(change.high);
  const double slope = std::abs(mean_of(high) - mean_of(low)) / (range_.share(change.high) - range_.share(change.low));
  const double deviations = std::sqrt(variance_of(low)) + std::sqrt(variance_of(high));
  const double wanted = std::pow(deviations / slope / terms_.precision, 2.0);
  const auto fewest = std::max(8.0, static_cast<double>(terms_.replications));
  return static_cast<std::uint32_t>(std::min(std::max(std::ceil(wanted), fewest), 4.0 * fewest));
}

std::vector<crossing> crossing_locator::narrow_down(bracket b, std::uint32_t n, std::size_t until,
                                                    const std::function<void(const crossing&)>& told) {
  for (;;) {
    spent_ += series_.measure(b.values, n);
    const bracket before = b;
    b.values = measured(b.values);
    if (b.values.size() < 2) return {unmeasured(before)};
    const std::vector<bracket> parts = cut(b);
    if (parts.size() > 1) {
      std::vector<crossing> all;
      for (std::size_t part = 0; part < parts.size(); ++part)
        for (const crossing& c : narrow_down(parts[part], n, spent_ + (until - spent_) / (parts.size() - part), told))
          all.push_back(c);
      return all;
    }
    b = parts.front();
    crossing found = interval_of(b, n);
    told(found);
    bracket finer = b;
    if (halve_gaps(finer, found)) {
      if (series_.cost(finer.values, n) > until - spent_) {
        found.precise = false;
        return {found};
      }
      b = std::move(finer);
      continue;
    }
    if (found.precise) return {found};
    const double growth = std::clamp(1.1 * std::pow(found.half_width / terms_.precision, 2.0), 1.2, 4.0);
    const auto wanted = static_cast<std::size_t>(std::ceil(n * growth));
    const std::size_t next = std::min(wanted, n + (until - spent_) / (2 * b.values.size()));
    if (next < n + (n + 9) / 10) return {found};
    n = static_cast<std::uint32_t>(next);
  }
}

std::vector<double> crossing_locator::measured(const std::vector<double>& values) const {
  std::vector<double> left;
  std::copy_if(values.begin(), values.end(), std::back_inserter(left),
               [&](double value) { return !series_.at(value).excluded(); });
  return left;
}

std::vector<crossing_locator::bracket> crossing_locator::cut(const bracket& whole) const {
  std::vector<bracket> parts;
  std::size_t last = 0;
  int last_side = whole.side_below;
  for (std::size_t i = 1; i < whole.values.size(); ++i) {
    const bool is_end = i + 1 == whole.values.size();
    const int side = is_end ? -whole.side_below : series_.at(whole.values[i]).side(surely);
    if (side == 0) continue;
    if (side != last_side)
      parts.push_back({{whole.values.begin() + static_cast<std::ptrdiff_t>(last),
                        whole.values.begin() + static_cast<std::ptrdiff_t>(i) + 1},
                       last_side});
    last = i;
    last_side = side;
  }
  return parts;
}

// Those that the interval reaches. @return whether there was any to halve
bool crossing_locator::halve_gaps(bracket& b, const crossing& found) {
  const double widest = std::max(4.0 * terms_.precision, found.half_width);
  std::vector<double> finer;
  for (std::size_t i = 0; i + 1 < b.values.size(); ++i) {
    const double low = b.values[i], high = b.values[i + 1];
    finer.push_back(low);
    if (high < found.low || low > found.high || range_.share(high) - range_.share(low) <= widest) continue;
    const auto middle = range_.between(low, high);
    if (!middle || (series_.has(*middle) && series_.at(*middle).excluded())) continue;
    if (const std::string why = model_.refuse(*middle); !why.empty())
      series_.exclude(*middle, why);
    else
      finer.push_back(*middle);
  }
  finer.push_back(b.values.back());
  const bool any = finer.size() > b.values.size();
  b.values = std::move(finer);
  return any;
}

crossing crossing_locator::interval_of(const bracket& b, std::uint32_t n) const {
  std::vector<differences_at> nodes;
  for (const double value : b.values) nodes.push_back({range_.share(value), series_.at(value).differences()});
  const crossing_interval found = crossing_of(nodes, confidence);
  crossing c{range_.at(found.estimate), range_.at(found.low), range_.at(found.high), b.side_below};
  if (range_.whole())
    for (double* value : {&c.value, &c.low, &c.high}) *value = first_integer(*value);
  c.half_width = (range_.share(c.high) - range_.share(c.low)) / 2.0;
  c.precise = c.half_width <= terms_.precision;
  c.replications = n;
  return c;
}

// The scan knows the ends.
crossing crossing_locator::unmeasured(const bracket& b) const {
  const double low = b.values.front(), high = b.values.back();
  const double middle = range_.at((range_.share(low) + range_.share(high)) / 2.0);
  return {range_.whole() ? first_integer(middle) : middle, low, high, b.side_below,
          (range_.share(high) - range_.share(low)) / 2.0};
}

}  // namespace muster
