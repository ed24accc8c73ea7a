#include "platform/search/crossover.h"

#include <algorithm>
#include <cmath>

#include "platform/inference/crossing_interval.h"
#include "platform/metrics/sample.h"

namespace muster {

namespace {

constexpr double surely = 0.001;     // two-sided error of a sign by which the range is cut
constexpr double confidence = 0.96;  // 95 % are left by stopping at the first interval that is narrow enough

// The first integer from there on, whatever rounding has added.
double first_integer(double value) { return std::ceil(value - 1e-9 * std::max(1.0, std::abs(value))); }

/// The state of one search.
class crossing_search {
 public:
  crossing_search(const search_range& range, const crossover_terms& terms, const search_model& model,
                  const std::function<void(const crossover_result&)>& report)
      : range_(range), terms_(terms), model_(model), report_(report), series_(model, end_of_scan(terms)) {}

  crossover_result all() {
    found_.scanned = scan(range_, terms_, model_, [&](const scan_result& so_far) {
      found_.scanned = so_far;
      found_.spent = so_far.spent;
      report_(found_);
    });
    found_.spent = found_.scanned.spent;
    const std::vector<sign_change>& changes = found_.scanned.changes;
    for (std::size_t c = 0; c < changes.size(); ++c)
      locate(changes[c], (terms_.budget - found_.spent) / (changes.size() - c));
    found_.narrowed = series_.all();
    return std::move(found_);
  }

 private:
  struct bracket {
    std::vector<double> values;  // the ends have opposite sides
    int side_below;
  };

  // @param budget replications that may be spent
  void locate(const sign_change& change, std::size_t budget) {
    bracket b{{}, change.side_below};
    for (const paired_point& p : found_.scanned.points)
      if (p.value >= change.low && p.value <= change.high && !p.excluded()) b.values.push_back(p.value);
    const std::size_t affordable = std::min<std::size_t>(budget / (2 * b.values.size()), ~0U);
    const std::uint32_t n = std::min(first_replications(change), static_cast<std::uint32_t>(affordable));
    if (n < 2)
      add(unmeasured(b));
    else
      narrow_down(std::move(b), n, found_.spent + budget);
  }

  // Where the difference runs straight from one end to the other and spreads as there, the half-width is 2 deviations
  // over the slope and the root of the number.
  std::uint32_t first_replications(const sign_change& change) const {
    const auto at = [&](double value) {
      return std::find_if(found_.scanned.points.begin(), found_.scanned.points.end(),
                          [&](const paired_point& p) { return p.value == value; })
          ->differences();
    };
    const std::vector<double> low = at(change.low), high = at(change.high);
    const double slope =
        std::abs(mean_of(high) - mean_of(low)) / (range_.share(change.high) - range_.share(change.low));
    const double deviations = std::sqrt(variance_of(low)) + std::sqrt(variance_of(high));
    const double wanted = std::pow(deviations / slope / terms_.precision, 2.0);
    const auto fewest = std::max(8.0, static_cast<double>(terms_.replications));
    return static_cast<std::uint32_t>(std::min(std::max(std::ceil(wanted), fewest), 4.0 * fewest));
  }

  void add(const crossing& found) { found_.crossings.push_back(found); }

  void tell(const crossing& so_far) {
    found_.crossings.push_back(so_far);
    found_.narrowed = series_.all();
    report_(found_);
    found_.crossings.pop_back();
  }

  // @param until replications in all by then
  void narrow_down(bracket b, std::uint32_t n, std::size_t until) {
    for (;;) {
      found_.spent += series_.measure(b.values, n);
      const bracket before = b;
      b.values.erase(
          std::remove_if(b.values.begin(), b.values.end(), [&](double value) { return series_.at(value).excluded(); }),
          b.values.end());
      if (b.values.size() < 2) return add(unmeasured(before));
      const std::vector<bracket> parts = cut(b);
      if (parts.size() > 1) {
        for (std::size_t part = 0; part < parts.size(); ++part)
          narrow_down(parts[part], n, found_.spent + (until - found_.spent) / (parts.size() - part));
        return;
      }
      b = parts.front();
      crossing found = interval_of(b, n);
      tell(found);
      bracket finer = b;
      if (halve_gaps(finer, found)) {
        found.precise = false;
        if (series_.cost(finer.values, n) > until - found_.spent) return add(found);
        b = std::move(finer);
        continue;
      }
      if (found.precise) return add(found);
      const double growth = std::clamp(1.1 * std::pow(found.half_width / terms_.precision, 2.0), 1.2, 4.0);
      const auto wanted = static_cast<std::size_t>(std::ceil(n * growth));
      const std::size_t next = std::min(wanted, n + (until - found_.spent) / (2 * b.values.size()));
      if (next < n + (n + 9) / 10) return add(found);
      n = static_cast<std::uint32_t>(next);
    }
  }

  std::vector<bracket> cut(const bracket& whole) const {
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
  bool halve_gaps(bracket& b, const crossing& found) {
    const double widest = std::max(4.0 * terms_.precision, found.half_width);
    std::vector<double> finer;
    for (std::size_t i = 0; i + 1 < b.values.size(); ++i) {
      const double low = b.values[i], high = b.values[i + 1];
      finer.push_back(low);
      if (high < found.low || low > found.high || range_.share(high) - range_.share(low) <= widest) continue;
      const auto middle = range_.between(low, high);
      if (!middle || (series_.has(*middle) && series_.at(*middle).excluded())) continue;
      if (const std::string why = model_.refuse({*middle}); !why.empty())
        series_.exclude(*middle, why);
      else
        finer.push_back(*middle);
    }
    finer.push_back(b.values.back());
    const bool any = finer.size() > b.values.size();
    b.values = std::move(finer);
    return any;
  }

  crossing interval_of(const bracket& b, std::uint32_t n) const {
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
  crossing unmeasured(const bracket& b) const {
    const double low = b.values.front(), high = b.values.back();
    const double middle = range_.at((range_.share(low) + range_.share(high)) / 2.0);
    return {range_.whole() ? first_integer(middle) : middle, low, high, b.side_below,
            (range_.share(high) - range_.share(low)) / 2.0};
  }

  const search_range& range_;
  const crossover_terms& terms_;
  const search_model& model_;
  const std::function<void(const crossover_result&)>& report_;
  paired_series series_;
  crossover_result found_;
};

}  // namespace

crossover_result find_crossings(const search_range& range, const crossover_terms& terms, const search_model& model,
                                const std::function<void(const crossover_result&)>& report) {
  return crossing_search(range, terms, model, report).all();
}

}  // namespace muster
