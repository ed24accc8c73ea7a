#include "platform/store/study_estimates.h"

#include <fmt/format.h>

#include "platform/store/stored_findings.h"
#include "platform/store/stored_table.h"

namespace muster {

namespace {

stored_layout<estimate>& with_values(stored_layout<estimate>& layout, const char* value) {
  return layout.has(value, &estimate::mean, "ci_low", &estimate::ci_low, "ci_high", &estimate::ci_high, "replications",
                    &estimate::replications, "jobs", &estimate::jobs, "note",
                    text_member{&estimate::marks, &cautions::words, &cautions::of_words});
}

stored_table<estimate> table_of(const char* name, const char* value, const std::vector<std::string>& points) {
  stored_layout<estimate> layout(name, "class", &estimate::class_name, "metric", &estimate::metric);
  return stored_table<estimate>(with_values(layout, value), points, false);
}

struct estimate_tables {
  const stored_table<estimate> measured = table_of("estimates", "estimate", {"point"}),
                               known = table_of("theory", "estimate", {"point"}),
                               differences = table_of("differences", "difference", {"point_a", "point_b"});
};

const estimate_tables tables_of_estimates;

// Names become those of files.
void check(SQLite::Database& db, const std::string& table, const char* value, const std::vector<std::string>& points,
           std::size_t count) {
  std::string damaged = fmt::format(
      "class = '' OR metric = '' OR class || metric GLOB '*[^A-Za-z0-9_.-]*' OR 'text' IN (typeof({}), typeof(ci_low), "
      "typeof(ci_high))",
      value);
  for (const std::string& point : points)
    damaged += fmt::format(" OR typeof({0}) <> 'integer' OR {0} NOT BETWEEN 0 AND {1}", point, count - 1);
  query row(db, fmt::format("SELECT rowid FROM {} WHERE {} LIMIT 1", table, damaged));
  if (row.next())
    throw output_error(
        fmt::format("{}: table {}, row {}: expected a point of scenario.toml, 0 to {}, names of letters, "
                    "digits, '_', '-' and '.', and numbers or nulls",
                    db.getFilename(), table, row[0].getString(), count - 1));
}

void write_by_point(SQLite::Database& db, const stored_table<estimate>& table,
                    const std::vector<std::vector<estimate>>& by_point) {
  table.clear(db);
  for (std::size_t p = 0; p < by_point.size(); ++p) table.write_all(db, by_point[p], {p});
}

std::vector<std::vector<estimate>> read_by_point(SQLite::Database& db, const stored_table<estimate>& table,
                                                 const study& s) {
  check(db, table.name(), "estimate", {"point"}, s.points.size());
  std::vector<std::vector<estimate>> all(s.points.size());
  table.read(db, "ORDER BY rowid", [&](const row_places& at, estimate&& e) { all[at[0]].push_back(std::move(e)); });
  return all;
}

}  // namespace

table_layout<estimate> estimate_layout() {
  stored_layout<estimate> layout("estimates");
  return with_values(layout, "estimate");
}

void create_tables_of_estimates(SQLite::Database& db) {
  const auto& [measured, known, differences] = tables_of_estimates;
  for (const stored_table<estimate>* table : {&measured, &known, &differences}) table->create(db);
  create_tables_of_findings(db);
}

void write_estimates(SQLite::Database& db, const study_estimates& all) {
  const estimate_tables& to = tables_of_estimates;
  write_by_point(db, to.measured, all.measured);
  write_by_point(db, to.known, all.known);
  to.differences.clear(db);
  for (const paired_difference& pair : all.differences)
    to.differences.write_all(db, pair.differences, {pair.a, pair.b});
  write_quantiles(db, all.responses);
  write_stability(db, all.stability);
  write_verdict(db, all.best);
  write_sentences(db, "warning", all.warnings);
  write_sentences(db, "note", all.notes);
}

study_estimates read_estimates(SQLite::Database& db, const study& s) {
  const estimate_tables& from = tables_of_estimates;
  study_estimates all{
      read_by_point(db, from.measured, s), read_by_point(db, from.known, s), {}, read_quantiles(db, s.points.size())};
  check(db, from.differences.name(), "difference", {"point_a", "point_b"}, s.points.size());
  from.differences.read(db, "ORDER BY rowid", [&](const row_places& at, estimate&& apart) {
    if (all.differences.empty() || all.differences.back().a != at[0] || all.differences.back().b != at[1])
      all.differences.push_back({at[0], at[1], {}});
    all.differences.back().differences.push_back(std::move(apart));
  });
  all.stability = read_stability(db, s);
  all.best = read_verdict(db, s, all.measured);
  all.warnings = read_sentences(db, "warning");
  all.notes = read_sentences(db, "note");
  return all;
}

}  // namespace muster
