#include "platform/results/study_estimates.h"

#include <fmt/format.h>

namespace muster {

namespace {

constexpr const char* columns =
    "class TEXT, metric TEXT, {} REAL, ci_low REAL, ci_high REAL, replications INTEGER, jobs INTEGER, note TEXT";

template <class... Points>
void insert(database::statement& row, const std::vector<estimate>& all, Points... points) {
  for (const estimate& e : all)
    row.run(points..., e.class_name, e.metric, e.mean, e.ci_low, e.ci_high, e.replications, e.jobs, e.marks.words());
}

/// @param first number of the column `class`
estimate read(const database::statement& row, int first) {
  return {row.text(first),
          row.text(first + 1),
          row.number_if_any(first + 2),
          row.number_if_any(first + 3),
          row.number_if_any(first + 4),
          row.integer<std::uint32_t>(first + 5),
          row.integer<std::uint64_t>(first + 6),
          cautions::of_words(row.text(first + 7))};
}

// Names become those of files.
void check(database& db, const char* table, const char* value, const std::vector<std::string>& points,
           std::size_t count) {
  std::string damaged = fmt::format(
      "class = '' OR metric = '' OR class || metric GLOB '*[^A-Za-z0-9_.-]*' OR 'text' IN (typeof({}), typeof(ci_low), "
      "typeof(ci_high))",
      value);
  for (const std::string& point : points)
    damaged += fmt::format(" OR typeof({0}) <> 'integer' OR {0} NOT BETWEEN 0 AND {1}", point, count - 1);
  auto row = db.prepare(fmt::format("SELECT rowid FROM {} WHERE {} LIMIT 1", table, damaged));
  if (row.step())
    throw output_error(
        fmt::format("{}: table {}, row {}: expected a point of scenario.toml, 0 to {}, names of letters, "
                    "digits, '_', '-' and '.', and numbers or nulls",
                    db.file(), table, row.integer(0), count - 1));
}

std::vector<std::vector<estimate>> read_by_point(database& db, const char* table, const study& s) {
  check(db, table, "estimate", {"point"}, s.points.size());
  std::vector<std::vector<estimate>> all(s.points.size());
  auto rows = db.prepare(fmt::format("SELECT * FROM {} ORDER BY rowid", table));
  while (rows.step()) all[rows.integer<std::size_t>(0)].push_back(read(rows, 1));
  return all;
}

}  // namespace

void create_tables_of_estimates(database& db) {
  for (const char* table : {"estimates", "theory"})
    db.execute(fmt::format("CREATE TABLE {} (point INTEGER, {})", table, fmt::format(columns, "estimate")));
  db.execute(fmt::format("CREATE TABLE differences (point_a INTEGER, point_b INTEGER, {})",
                         fmt::format(columns, "difference")));
}

void write_estimates(database& db, const study_estimates& all) {
  for (const auto& [table, by_point] : {std::pair{"estimates", &all.measured}, {"theory", &all.known}}) {
    db.execute(fmt::format("DELETE FROM {}", table));
    auto row = db.prepare(fmt::format("INSERT INTO {} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", table));
    for (std::size_t p = 0; p < by_point->size(); ++p) insert(row, (*by_point)[p], p);
  }
  write_quantiles(db, all.responses);
  db.execute("DELETE FROM differences");
  auto row = db.prepare("INSERT INTO differences VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const paired_difference& pair : all.differences) insert(row, pair.differences, pair.a, pair.b);
}

study_estimates read_estimates(database& db, const study& s) {
  study_estimates all{
      read_by_point(db, "estimates", s), read_by_point(db, "theory", s), {}, read_quantiles(db, s.points.size())};
  check(db, "differences", "difference", {"point_a", "point_b"}, s.points.size());
  auto rows = db.prepare("SELECT * FROM differences ORDER BY rowid");
  while (rows.step()) {
    const auto a = rows.integer<std::size_t>(0), b = rows.integer<std::size_t>(1);
    if (all.differences.empty() || all.differences.back().a != a || all.differences.back().b != b)
      all.differences.push_back({a, b, {}});
    all.differences.back().differences.push_back(read(rows, 2));
  }
  return all;
}

}  // namespace muster
