#include "platform/results/stored_pictures.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

#include "platform/metrics/sketch_text.h"
#include "platform/model/class_table.h"

namespace muster {

namespace {

using statement = database::statement;

constexpr std::initializer_list<const char*> tables_of_pictures = {"responses", "bins", "jobs_in_bins", "windows",
                                                                   "slices"};

constexpr const char* schema_of_pictures = R"(
CREATE TABLE responses (point INTEGER, replication INTEGER, row INTEGER, class TEXT, counts TEXT,
                        PRIMARY KEY (point, replication, row));
CREATE TABLE bins (point INTEGER, replication INTEGER, row INTEGER, begin REAL, end REAL, utilization REAL,
                   overhead_share REAL, PRIMARY KEY (point, replication, row));
CREATE TABLE jobs_in_bins (point INTEGER, replication INTEGER, bin INTEGER, class TEXT, jobs REAL,
                           PRIMARY KEY (point, replication, bin, class));
CREATE TABLE windows (point INTEGER, replication INTEGER, begin REAL, end REAL, servers INTEGER,
                      PRIMARY KEY (point, replication));
CREATE TABLE slices (point INTEGER, replication INTEGER, row INTEGER, server INTEGER, class TEXT, job INTEGER,
                     cores TEXT, count INTEGER, begun REAL, works REAL, saves REAL, ended REAL,
                     PRIMARY KEY (point, replication, row));
CREATE TABLE response_quantiles (point INTEGER, class TEXT, share REAL, time REAL, PRIMARY KEY (point, class, share));
)";

[[noreturn]] void refuse(const database& db, const char* table, const std::string& expected) {
  throw output_error(fmt::format("{}: table {}: expected {}", db.file(), table, expected));
}

// A number that was overwritten by a text reads as 0.
void expect_numbers(database& db, const char* table, std::initializer_list<const char*> columns) {
  for (const char* column : columns)
    if (db.prepare(fmt::format("SELECT 1 FROM {} WHERE typeof({}) IN ('text', 'blob') LIMIT 1", table, column)).step())
      refuse(db, table, fmt::format("numbers as {}", column));
}

std::size_t place_of(database& db, const char* table, const std::string& class_name, const scenario& what) {
  const auto found =
      std::find_if(what.classes.begin(), what.classes.end(), [&](const class_spec& c) { return c.name == class_name; });
  if (found == what.classes.end()) refuse(db, table, "classes of scenario.toml");
  return static_cast<std::size_t>(found - what.classes.begin());
}

std::vector<time_bin> read_bins(database& db, std::size_t point, const scenario& what) {
  std::vector<time_bin> all;
  statement of_bin = db.prepare(
      "SELECT begin, end, utilization, overhead_share FROM bins WHERE point = ? AND replication = 0 ORDER BY row",
      point);
  while (of_bin.step())
    all.push_back({of_bin.number(0), of_bin.number(1), of_bin.number(2), of_bin.number(3),
                   std::vector<double>(what.classes.size())});
  statement jobs = db.prepare("SELECT bin, class, jobs FROM jobs_in_bins WHERE point = ? AND replication = 0", point);
  while (jobs.step()) {
    const auto bin = jobs.integer<std::size_t>(0);
    if (bin >= all.size()) refuse(db, "jobs_in_bins", "rows of the table bins");
    all[bin].jobs[place_of(db, "jobs_in_bins", jobs.text(1), what)] = jobs.number(2);
  }
  return all;
}

core_window read_cores(database& db, std::size_t point, const scenario& what) {
  core_window all;
  statement window = db.prepare("SELECT begin, end, servers FROM windows WHERE point = ? AND replication = 0", point);
  if (window.step()) all = {window.number(0), window.number(1), window.integer<std::uint64_t>(2), {}};
  if (all.servers > total_servers(what) || !(all.begin <= all.end))
    refuse(db, "windows", "servers of scenario.toml and an end that is not before the beginning");
  statement slice = db.prepare(
      "SELECT server, class, job, cores, count, begun, works, saves, ended FROM slices "
      "WHERE point = ? AND replication = 0 ORDER BY row",
      point);
  while (slice.step()) {
    core_slice s{
        slice.integer<std::uint64_t>(0), slice.text(1),   slice.integer<std::uint64_t>(2), slice.text(3),
        slice.integer<std::uint32_t>(4), slice.number(5), slice.number_if_any(6),          slice.number_if_any(7),
        slice.number_if_any(8)};
    place_of(db, "slices", s.class_name, what);
    if (s.server >= all.servers) refuse(db, "slices", "servers of the table windows");
    all.slices.push_back(std::move(s));
  }
  return all;
}

}  // namespace

void create_tables_of_pictures(database& db) { db.execute(schema_of_pictures); }

void write_pictures(database& db, std::size_t point, std::uint32_t replication, const replication_pictures& all) {
  statement responses = db.prepare("INSERT INTO responses VALUES (?, ?, ?, ?, ?)");
  for (std::size_t at = 0; at < all.responses.size(); ++at)
    responses.run(point, replication, at, all.responses[at].class_name, to_text(all.responses[at].times));
  statement of_bin = db.prepare("INSERT INTO bins VALUES (?, ?, ?, ?, ?, ?, ?)");
  statement jobs = db.prepare("INSERT INTO jobs_in_bins VALUES (?, ?, ?, ?, ?)");
  for (std::size_t at = 0; at < all.bins.size(); ++at) {
    const time_bin& bin = all.bins[at];
    of_bin.run(point, replication, at, bin.begin, bin.end, bin.utilization, bin.overhead_share);
    for (std::size_t n = 0; n < bin.jobs.size(); ++n)
      jobs.run(point, replication, at, all.responses.at(n).class_name, bin.jobs[n]);
  }
  const core_window& cores = all.cores;
  if (cores.servers == 0) return;
  db.prepare("INSERT INTO windows VALUES (?, ?, ?, ?, ?)")
      .run(point, replication, cores.begin, cores.end, cores.servers);
  statement slice = db.prepare("INSERT INTO slices VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t at = 0; at < cores.slices.size(); ++at) {
    const core_slice& s = cores.slices[at];
    slice.run(point, replication, at, s.server, s.class_name, s.job, s.cores, s.count, s.begun, s.works, s.saves,
              s.ended);
  }
}

void remove_pictures(database& db, std::size_t point, std::uint32_t replication) {
  for (const char* table : tables_of_pictures)
    db.prepare(fmt::format("DELETE FROM {} WHERE point = ? AND replication = ?", table)).run(point, replication);
}

void write_quantiles(database& db, const std::vector<std::vector<class_quantiles>>& by_point) {
  db.execute("DELETE FROM response_quantiles");
  statement insert = db.prepare("INSERT INTO response_quantiles VALUES (?, ?, ?, ?)");
  for (std::size_t p = 0; p < by_point.size(); ++p)
    for (const class_quantiles& of_class : by_point[p])
      for (std::size_t at = 0; at < of_class.times.size(); ++at)
        insert.run(p, of_class.class_name, quantile_shares()[at], of_class.times[at]);
}

std::vector<class_responses> read_responses(database& db, std::size_t point, std::uint32_t count) {
  std::vector<class_responses> all;
  statement rows = db.prepare(
      "SELECT row, class, counts FROM responses WHERE point = ? AND replication < ? ORDER BY replication, row", point,
      count);
  while (rows.step()) {
    const auto at = rows.integer<std::size_t>(0);
    if (at == all.size()) all.push_back({rows.text(1), {}});
    if (at >= all.size() || all[at].class_name != rows.text(1)) refuse(db, "responses", "the same classes everywhere");
    try {
      all[at].times.merge(sketch_from_text(rows.text(2)));
    } catch (const std::runtime_error& e) {
      throw output_error(fmt::format("{}: table responses: {}", db.file(), e.what()));
    }
  }
  return all;
}

std::vector<replication_pictures> read_pictures(database& db, const study& s) {
  expect_numbers(db, "bins", {"begin", "end", "utilization", "overhead_share"});
  expect_numbers(db, "jobs_in_bins", {"bin", "jobs"});
  expect_numbers(db, "windows", {"begin", "end", "servers"});
  expect_numbers(db, "slices", {"server", "job", "count", "begun", "works", "saves", "ended"});
  std::vector<replication_pictures> all;
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    const scenario& what = s.points[p].what;
    all.push_back({{}, read_bins(db, p, what), read_cores(db, p, what)});
  }
  return all;
}

std::vector<std::vector<class_quantiles>> read_quantiles(database& db, std::size_t points) {
  expect_numbers(db, "response_quantiles", {"point", "share", "time"});
  std::vector<std::vector<class_quantiles>> all(points);
  statement rows = db.prepare("SELECT point, class, share, time FROM response_quantiles ORDER BY rowid");
  while (rows.step()) {
    const auto point = rows.integer<std::size_t>(0);
    if (point >= points) refuse(db, "response_quantiles", "points of scenario.toml");
    if (all[point].empty() || all[point].back().class_name != rows.text(1)) all[point].push_back({rows.text(1), {}});
    std::vector<double>& times = all[point].back().times;
    if (times.size() >= quantile_shares().size() || rows.number(2) != quantile_shares()[times.size()])
      refuse(db, "response_quantiles", "other shares");
    times.push_back(rows.number(3));
  }
  return all;
}

}  // namespace muster
