#include "platform/report/curves.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "platform/report/csv_table.h"

namespace muster {

namespace {

bool is_numeric(const study& s, std::size_t key) {
  return std::all_of(s.points.begin(), s.points.end(), [&](const study::point& p) {
    const auto value = number_of(p.values[key]);
    return value && std::isfinite(*value);
  });
}

std::optional<double> finite(const std::string& field) {
  const auto value = number_of(field);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

/// A point in words but for one key.
std::string label_of(const study& s, std::size_t point, std::optional<std::size_t> without) {
  std::string label;
  for (std::size_t key = 0; key < s.keys.size(); ++key) {
    if (key == without) continue;
    const std::string& value = s.points[point].values[key];
    label += (label.empty() ? "" : ", ") + (number_of(value) ? s.keys[key] + " = " + value : value);
  }
  return label;
}

/// The place of a value among those seen before; it is added if it is new.
class ranking {
 public:
  explicit ranking(std::vector<std::string>& values) : values_(values) {}
  std::size_t of(const std::string& value) {
    const auto [at, is_new] = ranks_.emplace(value, values_.size());
    if (is_new) values_.push_back(value);
    return at->second;
  }

 private:
  std::vector<std::string>& values_;
  std::map<std::string, std::size_t> ranks_;
};

void add(std::vector<curve>& curves, std::vector<curve_point> curve::*points, const estimate_table& table,
         const abscissa& over, const std::string& metric, const std::string& class_name) {
  for (const auto& row : table.text.rows) {
    if (row[table.metric] != metric || row[table.class_name] != class_name) continue;
    const std::size_t point = table.point_of(row);
    if (const std::optional<double> y = finite(row[table.estimate]))
      (curves[over.series[point]].*points)
          .push_back({over.x[point], *y, finite(row[table.low]), finite(row[table.high])});
  }
}

}  // namespace

abscissa abscissa_over(const study& s, std::optional<std::size_t> key) {
  abscissa over{key, key && is_numeric(s, *key), {}, {}, {}, {}};
  ranking values(over.values), labels(over.labels);
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    const std::string value = key ? s.points[p].values[*key] : "";
    const std::size_t rank = values.of(value);
    over.x.push_back(over.numeric ? *number_of(value) : static_cast<double>(rank));
    over.series.push_back(labels.of(label_of(s, p, key)));
  }
  return over;
}

abscissa usual_abscissa(const study& s) {
  abscissa usual = abscissa_over(s, s.keys.empty() ? std::nullopt : std::optional(s.keys.size() - 1));
  for (std::size_t key = 0; key < s.keys.size(); ++key) {
    abscissa over = abscissa_over(s, key);
    const bool varies = over.values.size() > 1;
    const bool better = over.numeric || !usual.numeric || usual.values.size() < 2;
    if (varies && better) usual = std::move(over);
  }
  return usual;
}

std::vector<curve> curves_of(const stored_results& stored, const abscissa& over, const std::string& metric,
                             const std::string& class_name) {
  std::vector<curve> curves;
  for (const std::string& label : over.labels) curves.push_back({label, {}, {}});
  add(curves, &curve::measured, stored.results, over, metric, class_name);
  if (stored.known) add(curves, &curve::known, *stored.known, over, metric, class_name);
  const auto by_x = [](const curve_point& a, const curve_point& b) { return a.x < b.x; };
  for (curve& c : curves) {
    std::stable_sort(c.measured.begin(), c.measured.end(), by_x);
    std::stable_sort(c.known.begin(), c.known.end(), by_x);
  }
  return curves;
}

}  // namespace muster
