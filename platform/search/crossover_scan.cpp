#include "platform/search/crossover_scan.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "platform/search/best_search.h"

namespace muster {

namespace {

constexpr std::uint32_t most_over_replications = 16;

/// The state of one scan.
class range_scan {
 public:
  range_scan(const search_range& range, const crossover_terms& terms, const search_model& model)
      : range_(range), terms_(terms), model_(model), series_(model, 0) {
    for (std::uint32_t n = first_look(terms.replications); n <= end_of_scan(terms); n *= 2) looks_.push_back(n);
  }

  scan_result all(const std::function<void(const scan_result&)>& report) {
    for (const double value : range_.coarse()) admit(value);
    if (admitted_.empty()) return collect();
    if (const std::size_t first = series_.cost(admitted_, looks_.front()); first > terms_.budget)
      throw std::invalid_argument(
          fmt::format("expected at least {}: a first look takes {} values, {} replications of both policies at each",
                      first, admitted_.size(), looks_.front()));
    std::vector<double> wanted = admitted_;
    for (const std::uint32_t n : looks_) {
      const std::size_t most = found_.changes.empty() ? terms_.budget : terms_.budget / 2;
      if (n > looks_.front() && series_.cost(wanted, n) + found_.spent > most) break;
      found_.spent += series_.measure(wanted, n);
      if (n == looks_.front()) reach_borders(n);
      report(collect());
      if (n == looks_.front() && all_the_same()) found_.no_difference = true;
      wanted = unsettled();
      if (wanted.empty() || found_.no_difference) break;
    }
    return collect();
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

  // Between values that are left out and others, so that the scan reaches up to the border.
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
      if (series_.cost(more, n) + found_.spent > terms_.budget / 2) return;
      found_.spent += series_.measure(more, n);
    }
  }

  scan_result collect() {
    found_.points = series_.all();
    found_.sides.clear();
    found_.changes.clear();
    const double alpha = 0.05 / static_cast<double>(looks_.size() * admitted_.size());  // each answer's share
    const paired_point* last = nullptr;
    int last_side = 0;
    for (const paired_point& p : found_.points) {
      const int side = p.side(alpha);
      found_.sides.push_back(side);
      if (side == 0) continue;
      if (last && side != last_side) found_.changes.push_back({last->value, p.value, last_side});
      last = &p;
      last_side = side;
    }
    return found_;
  }

  bool all_the_same() const {
    return std::all_of(found_.points.begin(), found_.points.end(),
                       [](const paired_point& p) { return p.excluded() || p.first == p.second; });
  }

  // Values whose side is not known and matters: what lies within a change of sign is narrowed down later.
  std::vector<double> unsettled() const {
    std::vector<double> values;
    for (std::size_t i = 0; i < found_.points.size(); ++i) {
      const paired_point& p = found_.points[i];
      if (found_.sides[i] != 0 || p.excluded()) continue;
      const bool within = std::any_of(found_.changes.begin(), found_.changes.end(),
                                      [&](const sign_change& c) { return c.low < p.value && p.value < c.high; });
      if (!within) values.push_back(p.value);
    }
    return values;
  }

  const search_range& range_;
  const crossover_terms& terms_;
  const search_model& model_;
  paired_series series_;
  std::vector<std::uint32_t> looks_;
  std::vector<double> admitted_;
  scan_result found_;
};

}  // namespace

std::uint32_t end_of_scan(const crossover_terms& terms) { return most_over_replications * terms.replications; }

scan_result scan(const search_range& range, const crossover_terms& terms, const search_model& model,
                 const std::function<void(const scan_result&)>& report) {
  return range_scan(range, terms, model).all(report);
}

}  // namespace muster
