#include "platform/report/stability_marks.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace muster {

namespace {

struct limit {
  double at;
  std::string kind;
  std::set<std::size_t> series;
};

// Points of one series find their common limit on ways that differ in the last bits.
bool agree(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(a); }

void add(std::vector<limit>& limits, double at, const std::string& kind, std::size_t series) {
  const auto same =
      std::find_if(limits.begin(), limits.end(), [&](const limit& l) { return l.kind == kind && agree(l.at, at); });
  if (same == limits.end())
    limits.push_back({at, kind, {series}});
  else
    same->series.insert(series);
}

std::string in_words(const limit& l, const abscissa& over) {
  constexpr std::size_t named = 2;
  if (l.series.size() == over.labels.size()) return l.kind;
  if (l.series.size() > named) return fmt::format("{}, {} series", l.kind, l.series.size());
  std::string text = l.kind;
  for (const std::size_t series : l.series) text += ", " + over.labels[series];
  return text;
}

}  // namespace

std::vector<stability_mark> stability_marks(const study& s, const abscissa& over,
                                            const std::vector<point_stability>& stability) {
  if (!over.numeric || (s.keys[*over.key] != "arrivals.rate" && s.keys[*over.key] != "arrivals.load")) return {};
  std::vector<limit> limits;
  for (std::size_t p = 0; p < stability.size(); ++p) {
    const point_stability& found = stability[p];
    if (!(found.rate > 0.0)) continue;
    // Rate and load are proportional, the shares being kept.
    const double unit = over.x[p] / found.rate;
    add(limits, found.work_rate * unit, "work bound", over.series[p]);
    if (!agree(found.limit_rate, found.work_rate))
      add(limits, found.limit_rate * unit, found.limit_kind, over.series[p]);
  }
  std::vector<stability_mark> marks;
  for (const limit& l : limits)
    if (std::isfinite(l.at)) marks.push_back({l.at, in_words(l, over), l.kind, l.series});
  std::sort(marks.begin(), marks.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  return marks;
}

}  // namespace muster
