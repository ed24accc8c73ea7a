#include "platform/report/page_data.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "platform/metrics/caution.h"
#include "platform/metrics/metric.h"
#include "platform/report/figures.h"
#include "platform/report/stability_marks.h"
#include "platform/theory/stability.h"

namespace muster {

namespace {

using json = nlohmann::ordered_json;

// A page with many more would be slow to open.
constexpr std::size_t most_samples = 300'000;

json keys(const study& s) {
  json all = json::array();
  for (std::size_t k = 0; k < s.keys.size(); ++k)
    all.push_back(
        {{"name", s.keys[k]}, {"unit", unit_of_key(s, s.keys[k])}, {"varies", abscissa_over(s, k).values.size() > 1}});
  return all;
}

json abscissas(const study& s) {
  json all = json::array();
  const std::size_t keys = std::max<std::size_t>(1, s.keys.size());
  for (std::size_t k = 0; k < keys; ++k) {
    const abscissa over = abscissa_over(s, s.keys.empty() ? std::nullopt : std::optional(k));
    json marks = json::array();
    for (const stability_mark& m : stability_marks(s, over)) marks.push_back({{"at", m.at}, {"text", m.text}});
    all.push_back({{"numeric", over.numeric},
                   {"values", over.values},
                   {"labels", over.labels},
                   {"x", over.x},
                   {"series", over.series},
                   {"marks", marks}});
  }
  return all;
}

/// The columns of an estimate itself: those that do not say what it is of.
std::vector<std::size_t> value_columns(const study& s, const csv_table& table) {
  std::set<std::string> what{"scenario", "point", "class", "metric", "unit"};
  what.insert(s.keys.begin(), s.keys.end());
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (what.count(table.columns[c]) == 0) columns.push_back(c);
  return columns;
}

/// Utility first for jobs that have it, then as the catalogue has the metrics.
std::vector<metric_entry> in_order(bool slotted) {
  std::vector<metric_entry> metrics = metric_catalogue();
  const auto is_of_slotted = [](const metric_entry& m) { return m.measured.of_slotted_jobs; };
  if (slotted) std::stable_partition(metrics.begin(), metrics.end(), is_of_slotted);
  return metrics;
}

struct metric_rows {
  std::string unit;
  std::vector<std::string> classes;
  json rows = json::array(), known = json::array();

  std::size_t class_at(const std::string& name) {
    const auto found = std::find(classes.begin(), classes.end(), name);
    if (found != classes.end()) return static_cast<std::size_t>(found - classes.begin());
    classes.push_back(name);
    return classes.size() - 1;
  }
};

/// Rows of theory.csv; those of an approximation, `.._analysis`, take the place of exact ones that are not there.
std::vector<std::vector<std::string>> known_rows(const estimate_table& known) {
  constexpr std::string_view suffix = "_analysis";
  std::vector<std::vector<std::string>> rows = known.text.rows;
  std::set<std::tuple<std::size_t, std::string, std::string>> exact;
  for (const auto& row : rows) exact.emplace(known.point_of(row), row[known.class_name], row[known.metric]);
  for (auto& row : rows) {
    const std::string& name = row[known.metric];
    if (name.size() <= suffix.size() || name.compare(name.size() - suffix.size(), suffix.size(), suffix) != 0) continue;
    std::string base = name.substr(0, name.size() - suffix.size());
    if (exact.count({known.point_of(row), row[known.class_name], base}) == 0) row[known.metric] = std::move(base);
  }
  return rows;
}

json metrics(const study& s, const stored_results& stored) {
  std::map<std::string, metric_rows> found;
  const estimate_table& results = stored.results;
  const std::size_t unit = *results.text.column("unit");
  const std::vector<std::size_t> columns = value_columns(s, results.text);
  for (const auto& row : results.text.rows) {
    metric_rows& m = found[row[results.metric]];
    m.unit = row[unit];
    json fields{results.point_of(row), m.class_at(row[results.class_name])};
    for (const std::size_t c : columns) fields.push_back(row[c]);
    m.rows.push_back(std::move(fields));
  }
  if (stored.known)
    for (const auto& row : known_rows(*stored.known)) {
      const auto measured = found.find(row[stored.known->metric]);
      if (measured == found.end()) continue;
      measured->second.known.push_back({stored.known->point_of(row),
                                        measured->second.class_at(row[stored.known->class_name]),
                                        row[stored.known->estimate]});
    }
  json all = json::array();
  const auto add = [&](const std::string& name, std::string_view about, metric_rows&& m) {
    all.push_back({{"name", name},
                   {"unit", m.unit},
                   {"about", about},
                   {"classes", m.classes},
                   {"rows", std::move(m.rows)},
                   {"known", std::move(m.known)}});
  };
  for (const metric_entry& entry : in_order(found.count("utility") > 0)) {
    auto node = found.extract(std::string(entry.name));
    if (!node.empty()) add(node.key(), entry.about, std::move(node.mapped()));
  }
  for (auto& [name, m] : found) add(name, "", std::move(m));  // of a later version
  return all;
}

json reasons() {
  json all = json::array();
  for (const caution_entry& entry : caution_catalogue()) all.push_back({{"word", entry.word}, {"about", entry.about}});
  return all;
}

json stabilities(const study& s) {
  json rows = json::array();
  std::set<std::string> conditions;
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    const stability found = examine_stability(s.points[p].what, limit_search::thorough);
    const char* verdict = found.answer == stability::verdict::stable     ? "stable"
                          : found.answer == stability::verdict::unstable ? "unstable"
                                                                         : "not known";
    rows.push_back({p, fmt::format("{:.4f}", found.work), to_word(found.overhead),
                    fmt::format("{:.6g}", found.work_rate), limit_text(found), verdict});
    conditions.insert(fmt::format("{}: {}", s.points[p].what.policy.name, found.condition));
    if (found.overhead != overhead_count::none) conditions.insert(about_overhead);
  }
  return {{"rows", std::move(rows)}, {"conditions", conditions}};
}

json presence(const csv_table& table) {
  const std::size_t point = *table.column("point"), time = *table.column("time"), name = *table.column("class"),
                    jobs = *table.column("jobs");
  const std::size_t each = (table.rows.size() + most_samples - 1) / most_samples;
  std::map<std::string, std::map<std::string, std::size_t>> seen;
  json samples = json::object();
  for (const auto& row : table.rows) {
    if (seen[row[point]][row[name]]++ % each != 0) continue;
    json& of_class = samples[row[point]][row[name]];
    of_class["time"].push_back(*number_of(row[time]));
    of_class["jobs"].push_back(*number_of(row[jobs]));
  }
  return {{"samples", std::move(samples)}, {"thinned", each}};
}

}  // namespace

json page_data(const study& s, const stored_results& stored) {
  const abscissa usual = usual_abscissa(s);
  json columns = json::array();
  for (const std::size_t c : value_columns(s, stored.results.text)) columns.push_back(stored.results.text.columns[c]);
  json points = json::array();
  for (const study::point& p : s.points) points.push_back(p.values);
  json data{{"unit", s.points.front().what.unit.name},
            {"keys", keys(s)},
            {"default_key", usual.key ? json(*usual.key) : json()},
            {"abscissas", abscissas(s)},
            {"points", std::move(points)},
            {"columns", std::move(columns)},
            {"metrics", metrics(s, stored)},
            {"cautions", reasons()},
            {"stability", stabilities(s)},
            {"manifest", json::parse(stored.manifest)}};
  if (stored.presence && !stored.presence->rows.empty()) data["presence"] = presence(*stored.presence);
  if (stored.differences && !stored.differences->rows.empty())
    data["differences"] = {{"columns", stored.differences->columns}, {"rows", stored.differences->rows}};
  return data;
}

}  // namespace muster
