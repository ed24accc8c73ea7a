#include "platform/store/study_estimates.h"

#include <fmt/format.h>

#include "platform/store/stored_findings.h"

namespace muster {

namespace {

constexpr const char* columns =
    "class TEXT, metric TEXT, {} REAL, ci_low REAL, ci_high REAL, replications INTEGER, jobs INTEGER, note TEXT";

template <class... Points>
void insert(row_writer& row, const std::vector<estimate>& all, Points... points) {
  for (const estimate& e : all)
    row.add(points..., e.class_name, e.metric, e.mean, e.ci_low, e.ci_high, e.replications, e.jobs, e.marks.words());
}

/// @param first number of the column `class`
estimate read(const query& row, int first) {
  return {row[first],
          row[first + 1],
          row[first + 2].number_if_any(),
          row[first + 3].number_if_any(),
          row[first + 4].number_if_any(),
          row[first + 5],
          row[first + 6],
          cautions::of_words(row[first + 7].text())};
}

// Names become those of files.
void check(SQLite::Database& db, const char* table, const char* value, const std::vector<std::string>& points,
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
                    db.getFilename(), table, row[0].text(), count - 1));
}

std::vector<std::vector<estimate>> read_by_point(SQLite::Database& db, const char* table, const study& s) {
  check(db, table, "estimate", {"point"}, s.points.size());
  std::vector<std::vector<estimate>> all(s.points.size());
  query rows(db, fmt::format("SELECT * FROM {} ORDER BY rowid", table));
  while (rows.next()) all[rows[0].as<std::size_t>()].push_back(read(rows, 1));
  return all;
}

}  // namespace

void create_tables_of_estimates(SQLite::Database& db) {
  for (const char* table : {"estimates", "theory"})
    db.exec(fmt::format("CREATE TABLE {} (point INTEGER, {})", table, fmt::format(columns, "estimate")));
  db.exec(fmt::format("CREATE TABLE differences (point_a INTEGER, point_b INTEGER, {})",
                      fmt::format(columns, "difference")));
  create_tables_of_findings(db);
}

void write_estimates(SQLite::Database& db, const study_estimates& all) {
  for (const auto& [table, by_point] : {std::pair{"estimates", &all.measured}, {"theory", &all.known}}) {
    db.exec(fmt::format("DELETE FROM {}", table));
    row_writer row(db, table);
    for (std::size_t p = 0; p < by_point->size(); ++p) insert(row, (*by_point)[p], p);
  }
  write_quantiles(db, all.responses);
  db.exec("DELETE FROM differences");
  row_writer row(db, "differences");
  for (const paired_difference& pair : all.differences) insert(row, pair.differences, pair.a, pair.b);
  write_stability(db, all.stability);
  write_verdict(db, all.best);
  write_sentences(db, "warning", all.warnings);
  write_sentences(db, "note", all.notes);
}

study_estimates read_estimates(SQLite::Database& db, const study& s) {
  study_estimates all{
      read_by_point(db, "estimates", s), read_by_point(db, "theory", s), {}, read_quantiles(db, s.points.size())};
  check(db, "differences", "difference", {"point_a", "point_b"}, s.points.size());
  query rows(db, "SELECT * FROM differences ORDER BY rowid");
  while (rows.next()) {
    const std::size_t a = rows[0], b = rows[1];
    if (all.differences.empty() || all.differences.back().a != a || all.differences.back().b != b)
      all.differences.push_back({a, b, {}});
    all.differences.back().differences.push_back(read(rows, 2));
  }
  all.stability = read_stability(db, s);
  all.best = read_verdict(db, s, all.measured);
  all.warnings = read_sentences(db, "warning");
  all.notes = read_sentences(db, "note");
  return all;
}

}  // namespace muster
