#include "platform/report/curves.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "platform/metrics/metric.h"
#include "platform/model/study_families.h"
#include "platform/tables/place_in.h"
#include "platform/toml/quantity.h"

namespace muster {

namespace {

constexpr std::size_t long_value = 40;

// Whether the values are numbers that can be told apart on an axis: 0, 0.1 and 1000000 stand side by side as
// categories.
bool is_numeric(const study& s, std::size_t key) {
  constexpr double widest = 1000.0;
  double least = 0.0, most = 0.0;
  bool logarithm_exists = true;
  for (const study::point& p : s.points) {
    const auto value = number_in<double>(p.values[key]);
    if (!value || !std::isfinite(*value)) return false;
    const double size = std::abs(*value);
    logarithm_exists = logarithm_exists && *value > 0.0;
    most = std::max(most, size);
    if (size > 0.0 && (least == 0.0 || size < least)) least = size;
  }
  return logarithm_exists || most <= widest * least;
}

std::string name_of(const std::string& value) { return value.substr(0, value.find('(')); }

/// The values of a key by point, without their parameters where they are long.
std::vector<std::string> short_values(const study& s, std::size_t key) {
  std::map<std::string, std::set<std::string>> by_name;
  for (const study::point& p : s.points) by_name[name_of(p.values[key])].insert(p.values[key]);
  std::vector<std::string> values;
  for (const study::point& p : s.points) {
    const std::string& value = p.values[key];
    const std::string name = name_of(value);
    values.push_back(value.size() > long_value && !name.empty() && by_name.at(name).size() == 1 ? name : value);
  }
  return values;
}

/// Sets the styles of the series: by policy and other keys, or by number where no policies are compared, or they stand
/// on the axis.
void set_styles(const study& s, abscissa& over) {
  std::vector<std::string> policies, others;
  over.styles.resize(over.labels.size());
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    std::string other;
    for (std::size_t k = 0; k < s.keys.size(); ++k)
      if (k != over.key && !is_policy_key(s.keys[k])) other += s.points[p].values[k] + ",";
    over.styles[over.series[p]] = {place_in(policies, policy_of(s, p)), place_in(others, other)};
  }
  // The turn of the markers against the colours tells series apart that have one colour.
  if (policies.size() < 2 || (over.key && is_policy_key(s.keys[*over.key])))
    for (std::size_t n = 0; n < over.styles.size(); ++n) over.styles[n] = {n, n + n / series_colours};
  else if (others.size() < 2)
    for (series_style& style : over.styles) style.marker = style.colour + style.colour / series_colours;
}

void add(std::vector<curve>& curves, std::vector<curve_point> curve::*points,
         const std::vector<std::vector<estimate>>& by_point, const abscissa& over, std::string_view metric,
         const std::string& class_name) {
  const auto finite = [](const std::optional<double>& value) {
    return value && std::isfinite(*value) ? value : std::nullopt;
  };
  for (std::size_t p = 0; p < by_point.size(); ++p)
    for (const estimate& e : by_point[p])
      if (const auto y = finite(e.mean); y && e.metric == metric && e.class_name == class_name)
        (curves[over.series[p]].*points).push_back({over.x[p], *y, finite(e.ci_low), finite(e.ci_high), e.marks});
}

// Adds the approximation of a metric to the series of which theory has no exact value.
void add_approximation(std::vector<curve>& curves, const std::vector<std::vector<estimate>>& known,
                       const abscissa& over, const std::string& metric, const std::string& class_name) {
  const metric_entry* other = approximation_of(metric);
  if (!other) return;
  std::vector<curve> approximate(curves.size());
  add(approximate, &curve::known, known, over, other->name, class_name);
  for (std::size_t n = 0; n < curves.size(); ++n)
    if (curves[n].known.empty()) curves[n].known = std::move(approximate[n].known);
}

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

std::string short_key(const study& s, std::size_t key) {
  const auto last = [](const std::string& dotted) { return dotted.substr(dotted.rfind('.') + 1); };
  const std::string own = last(s.keys[key]);
  const auto same = std::count_if(s.keys.begin(), s.keys.end(), [&](const auto& other) { return last(other) == own; });
  return same == 1 ? own : s.keys[key];
}

abscissa abscissa_over(const study& s, std::optional<std::size_t> key) {
  abscissa over{key, key && is_numeric(s, *key), {}, {}, {}, {}, {}, {}};
  std::vector<std::vector<std::string>> in_short;
  for (std::size_t k = 0; k < s.keys.size(); ++k) in_short.push_back(short_values(s, k));
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    const std::string value = key ? in_short[*key][p] : "";
    const std::size_t rank = place_in(over.values, value);
    over.places.push_back(rank);
    over.x.push_back(over.numeric ? *number_in<double>(value) : static_cast<double>(rank));
    std::string label;
    for (std::size_t k = 0; k < s.keys.size(); ++k) {
      if (k == key) continue;
      const std::string& other = in_short[k][p];
      label += (label.empty() ? "" : ", ") + (number_in<double>(other) ? short_key(s, k) + " = " + other : other);
    }
    over.series.push_back(place_in(over.labels, label));
  }
  set_styles(s, over);
  return over;
}

abscissa usual_abscissa(const study& s) {
  abscissa usual = abscissa_over(s, s.keys.empty() ? std::nullopt : std::optional(s.keys.size() - 1));
  for (std::size_t key = 0; key < s.keys.size(); ++key) {
    abscissa over = abscissa_over(s, key);
    const bool varies = over.values.size() > 1;
    const bool better = over.numeric || !usual.numeric || usual.values.size() < 2;
    if (varies && better) usual = std::move(over);
    if (varies && usual.numeric && (s.keys[key] == "arrivals.rate" || s.keys[key] == "arrivals.load")) return usual;
  }
  return usual;
}

std::vector<curve> curves_of(const study_estimates& all, const abscissa& over, const std::string& metric,
                             const std::string& class_name) {
  std::vector<curve> curves;
  for (std::size_t n = 0; n < over.labels.size(); ++n) curves.push_back({over.labels[n], {}, {}, over.styles[n]});
  add(curves, &curve::measured, all.measured, over, metric, class_name);
  add(curves, &curve::known, all.known, over, metric, class_name);
  add_approximation(curves, all.known, over, metric, class_name);
  const auto by_x = [](const curve_point& a, const curve_point& b) { return a.x < b.x; };
  for (curve& c : curves) {
    std::stable_sort(c.measured.begin(), c.measured.end(), by_x);
    std::stable_sort(c.known.begin(), c.known.end(), by_x);
  }
  return curves;
}

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
