#include "platform/report/page_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "platform/metrics/metric.h"
#include "platform/store/results_csv.h"
#include "platform/tables/number_text.h"
#include "platform/tables/place_in.h"
#include "platform/tables/writers.h"

namespace muster {

namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t most_exact_rows = 100'000;
constexpr int digits_of_many = 7, most_digits = 17;

bool is_other_than_zero(const std::optional<double>& value) { return value && std::isfinite(*value) && *value != 0.0; }

/// The metrics in the order of the catalogue, but those that slotted jobs alone have come first.
std::vector<metric_entry> in_order() {
  std::vector<metric_entry> metrics = metric_catalogue();
  std::stable_partition(metrics.begin(), metrics.end(),
                        [](const metric_entry& m) { return m.measured.of_slotted_jobs; });
  return metrics;
}

/// What theory knows of a point; approximations take the place of exact values that are not there.
std::vector<estimate> best_known(std::vector<estimate> known) {
  std::set<std::pair<std::string, std::string>> exact;
  for (const estimate& e : known) exact.emplace(e.class_name, e.metric);
  for (estimate& e : known) {
    const metric_entry* entry = find_metric(e.metric);
    if (entry && !entry->approximates.empty() && exact.count({e.class_name, std::string(entry->approximates)}) == 0)
      e.metric = entry->approximates;
  }
  return known;
}

/// An estimate with as many digits as the page shows where is_page_rounded().
estimate rounded(estimate e) {
  if (!e.mean || !std::isfinite(*e.mean)) return e;
  int digits = digits_of_many;
  for (const std::optional<double>& bound : {e.ci_low, e.ci_high}) {
    const double half = bound ? std::abs(*e.mean - *bound) : 0.0;
    if (half > 0.0 && std::isfinite(half) && *e.mean != 0.0)
      digits = std::max(digits, 3 + static_cast<int>(std::ceil(std::log10(std::abs(*e.mean) / half))));
  }
  for (std::optional<double>* value : {&e.mean, &e.ci_low, &e.ci_high})
    if (*value) *value = rounded_to_digits(**value, std::min(digits, most_digits));
  return e;
}

/// The columns of a metric of the page.
struct page_metric {
  std::string unit;
  std::vector<std::string> classes;
  json points = json::array(), places = json::array();  ///< of the class by row
  std::vector<json> fields;                             ///< of an estimate
  json known_points = json::array(), known_places = json::array(), known_values = json::array();
  bool is_zero = true;

  void add(std::size_t point, const estimate& e, const table_cells& cells) {
    points.push_back(point);
    places.push_back(place_in(classes, e.class_name));
    fields.resize(cells.size(), json::array());
    json values = to_page(cells);
    for (std::size_t f = 0; f < cells.size(); ++f) fields[f].push_back(std::move(values[f]));
    is_zero = is_zero && !is_other_than_zero(e.mean);
  }

  void add_known(std::size_t point, const estimate& e) {
    known_points.push_back(point);
    known_places.push_back(place_in(classes, e.class_name));
    known_values.push_back(std::move(to_page({e.mean})[0]));
    is_zero = is_zero && !is_other_than_zero(e.mean);
  }
};

}  // namespace

std::size_t page_columns::add(const json& values) {
  json column = values;
  if (std::all_of(values.begin(), values.end(), [&](const json& value) { return value == values.front(); })) {
    if (!values.empty()) column = json::array({values.front()});
  } else if (std::any_of(values.begin(), values.end(), [](const json& value) { return value.is_string(); })) {
    std::map<json, std::size_t> places;
    json words = json::array();
    for (json& value : column) {
      const auto [place, is_new] = places.emplace(value, words.size());
      if (is_new) words.push_back(value);
      value = place->second;
    }
    column = {{"words", std::move(words)}, {"places", std::move(column)}};
  }
  std::string text = column.dump(-1, ' ', false, json::error_handler_t::replace);
  const auto [number, is_new] = numbers_.emplace(text, texts_.size());
  if (is_new) texts_.push_back(std::move(text));
  return number->second;
}

bool is_page_rounded(const study_estimates& estimates) {
  std::size_t rows = 0;
  for (const std::vector<estimate>& of_point : estimates.measured) rows += of_point.size();
  return rows > most_exact_rows;
}

json metrics_of_page(const study& s, const study_estimates& estimates, page_columns& columns) {
  const table_layout<estimate> values = estimate_layout();
  const bool is_rounded = is_page_rounded(estimates);
  const auto written = [&](const estimate& e) { return is_rounded ? rounded(e) : e; };
  std::map<std::string, page_metric> found;
  for (std::size_t p = 0; p < s.points.size(); ++p)
    for (const estimate& e : estimates.measured[p]) {
      page_metric& m = found[e.metric];
      m.unit = unit_of(e.metric, s, p);
      m.add(p, e, values.cells(written(e)));
    }
  for (std::size_t p = 0; p < s.points.size(); ++p)
    for (const estimate& e : best_known(estimates.known[p]))
      if (const auto measured = found.find(e.metric); measured != found.end())
        measured->second.add_known(p, written(e));
  json all = json::array();
  const auto add = [&](const std::string& name, std::string_view about, const char* better, const page_metric& m) {
    json fields = json::array();
    for (const json& field : m.fields) fields.push_back(columns.add(field));
    json known{{"count", m.known_values.size()}};
    if (!m.known_values.empty()) {
      known["point"] = columns.add(m.known_points);
      known["class"] = columns.add(m.known_places);
      known["value"] = columns.add(m.known_values);
    }
    all.push_back({{"name", name},
                   {"unit", m.unit},
                   {"about", about},
                   {"better", better},
                   {"classes", m.classes},
                   {"is_zero", m.is_zero},
                   {"count", m.points.size()},
                   {"point", columns.add(m.points)},
                   {"class", columns.add(m.places)},
                   {"fields", std::move(fields)},
                   {"known", std::move(known)}});
  };
  static constexpr std::array better{"smaller", "larger", ""};
  for (const metric_entry& entry : in_order()) {
    const auto node = found.extract(std::string(entry.name));
    if (!node.empty()) add(node.key(), entry.about, better[static_cast<std::size_t>(entry.better)], node.mapped());
  }
  for (const auto& [name, m] : found) add(name, "", "", m);  // of a later version
  return all;
}

}  // namespace muster
