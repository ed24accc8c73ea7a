#include "platform/search/crossover.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "platform/inference/crossing_interval.h"
#include "platform/metrics/sample.h"
#include "platform/search/best_search.h"

namespace muster {

namespace {

constexpr std::uint32_t most_over_replications = 16;
constexpr double surely = 0.001;     // two-sided error of a sign by which the range is cut
constexpr double alone = 0.05;       // two-sided error of a side that is shown, judged by itself
constexpr double confidence = 0.96;  // 95 % are left by stopping at the first interval that is narrow enough

// The first integer from there on, whatever rounding has added.
double first_integer(double value) { return std::ceil(value - 1e-9 * std::max(1.0, std::abs(value))); }

using crossover_observer = std::function<void(const crossover_result&)>;

/// The scan of one search.
class range_scan {
 public:
  range_scan(const search_range& range, const crossover_terms& terms, const search_model& model,
             crossover_result& result)
      : range_(range), terms_(terms), model_(model), series_(model, 0), result_(result) {
    for (std::uint32_t n = first_look(terms.replications); n <= end_of_scan(terms); n *= 2) looks_.push_back(n);
  }

  void run(const crossover_observer& report) {
    for (const double value : range_.coarse()) admit(value);
    if (admitted_.empty()) return collect();
    if (const std::size_t first = series_.cost(admitted_, looks_.front()); first > terms_.budget)
      throw std::invalid_argument(
          fmt::format("expected at least {}: a first look takes {} values, {} replications of both policies at each",
                      first, admitted_.size(), looks_.front()));
    std::vector<double> wanted = admitted_;
    for (const std::uint32_t n : looks_) {
      const std::size_t most = result_.changes.empty() ? terms_.budget : terms_.budget / 2;
      if (n > looks_.front() && series_.cost(wanted, n) + result_.spent > most) break;
      result_.spent += series_.measure(wanted, n);
      if (n == looks_.front()) reach_borders(n);
      collect();
      report(result_);
      if (n == looks_.front() && all_the_same()) result_.no_difference = true;
      wanted = result_.unsettled();
      if (wanted.empty() || result_.no_difference) return;
    }
  }

 private:
  bool admit(double value) {
    const std::string why = model_.refuse({value});
    if (why.empty())
      admitted_.push_back(value);
    else
      series_.exclude(value, why);
    return why.empty();
  }

  // Halves the gaps between values that are left out and others, so that the scan reaches up to the border.
  void reach_borders(std::uint32_t n) {
    for (bool any = true; any;) {
      any = false;
      std::vector<double> more;
      const std::vector<paired_point> points = series_.all();
      for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const double a = points[i].value, b = points[i + 1].value;
        const auto middle = range_.between(a, b);
        if (points[i].excluded() == points[i + 1].excluded() || range_.share(b) - range_.share(a) <= terms_.precision ||
            !middle)
          continue;
        any = true;
        if (admit(*middle)) more.push_back(*middle);
      }
      if (series_.cost(more, n) + result_.spent > terms_.budget / 2) return;
      result_.spent += series_.measure(more, n);
    }
  }

  void collect() {
    result_.scanned = series_.judged(0.05 / static_cast<double>(looks_.size() * admitted_.size()));
    result_.changes.clear();
    const paired_point* last = nullptr;
    for (const paired_point& p : result_.scanned) {
      if (p.side == 0) continue;
      if (last && p.side != last->side) result_.changes.push_back({last->value, p.value, last->side});
      last = &p;
    }
  }

  bool all_the_same() const {
    return std::all_of(result_.scanned.begin(), result_.scanned.end(),
                       [](const paired_point& p) { return p.excluded() || p.first == p.second; });
  }

  const search_range& range_;
  const crossover_terms& terms_;
  const search_model& model_;
  paired_series series_;
  crossover_result& result_;
  std::vector<std::uint32_t> looks_;
  std::vector<double> admitted_;
};

/// The state of one search.
class crossing_search {
 public:
  crossing_search(const search_range& range, const crossover_terms& terms, const search_model& model,
                  const crossover_observer& report)
      : range_(range), terms_(terms), model_(model), report_(report), series_(model, end_of_scan(terms)) {}

  crossover_result all() {
    range_scan(range_, terms_, model_, result_).run(report_);
    const std::vector<sign_change>& changes = result_.changes;
    for (std::size_t c = 0; c < changes.size(); ++c)
      locate(changes[c], (terms_.budget - result_.spent) / (changes.size() - c));
    result_.narrowed = series_.judged(alone);
    return std::move(result_);
  }

 private:
  struct bracket {
    std::vector<double> values;  // the ends have opposite sides
    int side_below;
  };

  // @param budget replications that may be spent
  void locate(const sign_change& change, std::size_t budget) {
    bracket b{{}, change.side_below};
    for (const paired_point& p : result_.scanned)
      if (p.value >= change.low && p.value <= change.high && !p.excluded()) b.values.push_back(p.value);
    const std::size_t affordable = std::min<std::size_t>(budget / (2 * b.values.size()), ~0U);
    const std::uint32_t n = std::min(first_replications(change), static_cast<std::uint32_t>(affordable));
    if (n < 2)
      add(unmeasured(b));
    else
      narrow_down(std::move(b), n, result_.spent + budget);
  }

  // The replications to begin with. Where the difference runs straight from one end to the other and spreads as there,
  // the half-width is 2 deviations over the slope and the root of their number.
  std::uint32_t first_replications(const sign_change& change) const {
    const auto at = [&](double value) {
      return std::find_if(result_.scanned.begin(), result_.scanned.end(),
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

  void add(const crossing& found) { result_.crossings.push_back(found); }

  void report(const crossing& so_far) {
    result_.crossings.push_back(so_far);
    result_.narrowed = series_.judged(alone);
    report_(result_);
    result_.crossings.pop_back();
  }

  // @param until replications in all by then
  void narrow_down(bracket b, std::uint32_t n, std::size_t until) {
    for (;;) {
      result_.spent += series_.measure(b.values, n);
      const bracket before = b;
      b.values.erase(
          std::remove_if(b.values.begin(), b.values.end(), [&](double value) { return series_.at(value).excluded(); }),
          b.values.end());
      if (b.values.size() < 2) return add(unmeasured(before));
      const std::vector<bracket> parts = cut(b);
      if (parts.size() > 1) {
        for (std::size_t part = 0; part < parts.size(); ++part)
          narrow_down(parts[part], n, result_.spent + (until - result_.spent) / (parts.size() - part));
        return;
      }
      b = parts.front();
      crossing found = interval_of(b, n);
      report(found);
      bracket finer = b;
      if (halve_gaps(finer, found)) {
        found.precise = false;
        if (series_.cost(finer.values, n) > until - result_.spent) return add(found);
        b = std::move(finer);
        continue;
      }
      if (found.precise) return add(found);
      const double growth = std::clamp(1.1 * std::pow(found.half_width / terms_.precision, 2.0), 1.2, 4.0);
      const auto wanted = static_cast<std::size_t>(std::ceil(n * growth));
      const std::size_t next = std::min(wanted, n + (until - result_.spent) / (2 * b.values.size()));
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
      const int side = is_end ? -whole.side_below : series_.at(whole.values[i]).side_at(surely);
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

  // Halves the gaps that the interval reaches. @return whether there was any to halve
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

  // The crossing of which the scan alone knows: it lies between the ends.
  crossing unmeasured(const bracket& b) const {
    const double low = b.values.front(), high = b.values.back();
    const double middle = range_.at((range_.share(low) + range_.share(high)) / 2.0);
    return {range_.whole() ? first_integer(middle) : middle, low, high, b.side_below,
            (range_.share(high) - range_.share(low)) / 2.0};
  }

  const search_range& range_;
  const crossover_terms& terms_;
  const search_model& model_;
  const crossover_observer& report_;
  paired_series series_;
  crossover_result result_;
};

}  // namespace

std::vector<double> crossover_result::unsettled() const {
  std::vector<double> values;
  for (const paired_point& p : scanned) {
    const bool within =
        std::any_of(changes.begin(), changes.end(), [&](const auto& c) { return c.low < p.value && p.value < c.high; });
    if (p.side == 0 && !p.excluded() && !within) values.push_back(p.value);
  }
  return values;
}

std::uint32_t end_of_scan(const crossover_terms& terms) { return most_over_replications * terms.replications; }

crossover_result find_crossings(const search_range& range, const crossover_terms& terms, const search_model& model,
                                const crossover_observer& report) {
  return crossing_search(range, terms, model, report).all();
}

}  // namespace muster
