#include "platform/store/stored_pictures.h"

#include <algorithm>
#include <initializer_list>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/metrics/sketch_text.h"
#include "platform/model/class_table.h"
#include "platform/model/joined_servers.h"

namespace muster {

namespace {

constexpr std::initializer_list<const char*> tables_of_pictures = {
    "responses", "bins", "jobs_in_bins", "windows", "window_bins", "slices", "waits", "running_in_waits"};

constexpr const char* schema_of_pictures = R"(
CREATE TABLE responses (point INTEGER, replication INTEGER, row INTEGER, class TEXT, counts TEXT,
                        PRIMARY KEY (point, replication, row));
CREATE TABLE bins (point INTEGER, replication INTEGER, row INTEGER, begin REAL, end REAL, utilization REAL,
                   overhead_share REAL, servers TEXT, PRIMARY KEY (point, replication, row));
CREATE TABLE jobs_in_bins (point INTEGER, replication INTEGER, bin INTEGER, class TEXT, jobs REAL,
                           PRIMARY KEY (point, replication, bin, class));
CREATE TABLE windows (point INTEGER, replication INTEGER, begin REAL, end REAL, servers INTEGER,
                      PRIMARY KEY (point, replication));
CREATE TABLE window_bins (point INTEGER, replication INTEGER, row INTEGER, begin REAL, end REAL, servers TEXT,
                          PRIMARY KEY (point, replication, row));
CREATE TABLE slices (point INTEGER, replication INTEGER, row INTEGER, server INTEGER, class TEXT, job INTEGER,
                     cores TEXT, count INTEGER, begun REAL, works REAL, saves REAL, ended REAL,
                     PRIMARY KEY (point, replication, row));
CREATE TABLE waits (point INTEGER, replication INTEGER, row INTEGER, class TEXT, job INTEGER, arrival REAL, wait REAL,
                    until REAL, has_left INTEGER, PRIMARY KEY (point, replication, row));
CREATE TABLE running_in_waits (point INTEGER, replication INTEGER, wait INTEGER, class TEXT, share REAL,
                               PRIMARY KEY (point, replication, wait, class));
CREATE TABLE response_quantiles (point INTEGER, class TEXT, share REAL, time REAL, PRIMARY KEY (point, class, share));
)";

// A number that was overwritten by a text reads as 0.
void expect_numbers(SQLite::Database& db, const char* table, std::initializer_list<const char*> columns) {
  for (const char* column : columns)
    if (query(db, fmt::format("SELECT 1 FROM {} WHERE typeof({}) IN ('text', 'blob') LIMIT 1", table, column)).next())
      refuse_table(db, table, fmt::format("numbers as {}", column));
}

std::size_t place_of(SQLite::Database& db, const char* table, const std::string& class_name, const scenario& model) {
  const auto found = std::find_if(model.classes.begin(), model.classes.end(),
                                  [&](const class_spec& c) { return c.name == class_name; });
  if (found == model.classes.end()) refuse_table(db, table, "classes of scenario.toml");
  return static_cast<std::size_t>(found - model.classes.begin());
}

std::string as_text(const server_shares& shares) { return fmt::format("{}", fmt::join(shares, " ")); }

/// @param table for the message @param rows of servers
server_shares shares_of(const query& row, int column, const SQLite::Database& db, const char* table, std::size_t rows) {
  const std::string text = row[column];
  std::istringstream in(text);
  server_shares shares;
  for (std::uint16_t share; in >> share && share <= 1000;) shares.push_back(share);
  if (as_text(shares) != text || shares.size() != rows)
    refuse_table(db, table, "as servers a number up to 1000 for each row of servers");
  return shares;
}

std::vector<time_bin> read_bins(SQLite::Database& db, std::size_t point, const scenario& model) {
  std::vector<time_bin> all;
  const std::size_t rows = joined_servers(model).count();
  query of_bin(
      db,
      "SELECT begin, end, utilization, overhead_share, servers FROM bins WHERE point = ? AND replication = 0 ORDER BY "
      "row",
      point);
  while (of_bin.next())
    all.push_back({of_bin[0], of_bin[1], of_bin[2], of_bin[3], std::vector<double>(model.classes.size()),
                   shares_of(of_bin, 4, db, "bins", rows)});
  query jobs(db, "SELECT bin, class, jobs FROM jobs_in_bins WHERE point = ? AND replication = 0", point);
  while (jobs.next()) {
    const std::size_t bin = jobs[0];
    if (bin >= all.size()) refuse_table(db, "jobs_in_bins", "rows of the table bins");
    all[bin].jobs[place_of(db, "jobs_in_bins", jobs[1], model)] = jobs[2].as<double>();
  }
  return all;
}

core_window read_cores(SQLite::Database& db, std::size_t point, const scenario& model) {
  core_window all;
  query window(db, "SELECT begin, end, servers FROM windows WHERE point = ? AND replication = 0", point);
  if (window.next()) all = {window[0], window[1], window[2], {}, {}};
  if (all.servers > total_servers(model) || !(all.begin <= all.end))
    refuse_table(db, "windows", "servers of scenario.toml and an end that is not before the beginning");
  query slice(db,
              "SELECT server, class, job, cores, count, begun, works, saves, ended FROM slices "
              "WHERE point = ? AND replication = 0 ORDER BY row",
              point);
  while (slice.next()) {
    core_slice s{slice[0],
                 slice[1],
                 slice[2],
                 slice[3],
                 slice[4],
                 slice[5],
                 slice[6].number_if_any(),
                 slice[7].number_if_any(),
                 slice[8].number_if_any()};
    place_of(db, "slices", s.class_name, model);
    if (s.server >= all.servers) refuse_table(db, "slices", "servers of the table windows");
    all.slices.push_back(std::move(s));
  }
  query bin(db, "SELECT begin, end, servers FROM window_bins WHERE point = ? AND replication = 0 ORDER BY row", point);
  const std::size_t rows = joined_servers(model).count();
  while (bin.next()) all.bins.push_back({bin[0], bin[1], shares_of(bin, 2, db, "window_bins", rows)});
  return all;
}

std::vector<long_wait> read_waits(SQLite::Database& db, std::size_t point, const scenario& model) {
  std::vector<long_wait> all;
  query wait(
      db,
      "SELECT class, job, arrival, wait, until, has_left FROM waits WHERE point = ? AND replication = 0 ORDER BY row",
      point);
  while (wait.next()) {
    all.push_back({wait[0], wait[1], wait[2], wait[3], wait[4], wait[5], std::vector<double>(model.classes.size())});
    place_of(db, "waits", all.back().class_name, model);
  }
  query running(db, "SELECT wait, class, share FROM running_in_waits WHERE point = ? AND replication = 0", point);
  while (running.next()) {
    const std::size_t at = running[0];
    if (at >= all.size()) refuse_table(db, "running_in_waits", "rows of the table waits");
    all[at].running[place_of(db, "running_in_waits", running[1], model)] = running[2].as<double>();
  }
  return all;
}

void write_cores(SQLite::Database& db, std::size_t point, std::uint32_t replication, const core_window& cores) {
  if (cores.bins.empty()) return;
  row_writer(db, "windows").add(point, replication, cores.begin, cores.end, cores.servers);
  row_writer slice(db, "slices");
  for (std::size_t at = 0; at < cores.slices.size(); ++at) {
    const core_slice& s = cores.slices[at];
    slice.add(point, replication, at, s.server, s.class_name, s.job, s.cores, s.count, s.begun, s.works, s.saves,
              s.ended);
  }
  row_writer bin(db, "window_bins");
  for (std::size_t at = 0; at < cores.bins.size(); ++at)
    bin.add(point, replication, at, cores.bins[at].begin, cores.bins[at].end, as_text(cores.bins[at].servers));
}

void write_waits(SQLite::Database& db, std::size_t point, std::uint32_t replication, const replication_pictures& all) {
  row_writer wait(db, "waits");
  row_writer running(db, "running_in_waits");
  for (std::size_t at = 0; at < all.waits.size(); ++at) {
    const long_wait& w = all.waits[at];
    wait.add(point, replication, at, w.class_name, w.job, w.arrival, w.wait, w.until, w.has_left);
    for (std::size_t n = 0; n < w.running.size(); ++n)
      running.add(point, replication, at, all.responses.at(n).class_name, w.running[n]);
  }
}

}  // namespace

void create_tables_of_pictures(SQLite::Database& db) { db.exec(schema_of_pictures); }

void write_pictures(SQLite::Database& db, std::size_t point, std::uint32_t replication,
                    const replication_pictures& all) {
  row_writer responses(db, "responses");
  for (std::size_t at = 0; at < all.responses.size(); ++at)
    responses.add(point, replication, at, all.responses[at].class_name, to_text(all.responses[at].times));
  row_writer of_bin(db, "bins");
  row_writer jobs(db, "jobs_in_bins");
  for (std::size_t at = 0; at < all.bins.size(); ++at) {
    const time_bin& bin = all.bins[at];
    of_bin.add(point, replication, at, bin.begin, bin.end, bin.utilization, bin.overhead_share, as_text(bin.servers));
    for (std::size_t n = 0; n < bin.jobs.size(); ++n)
      jobs.add(point, replication, at, all.responses.at(n).class_name, bin.jobs[n]);
  }
  write_cores(db, point, replication, all.cores);
  write_waits(db, point, replication, all);
}

void remove_pictures(SQLite::Database& db, std::size_t point, std::uint32_t replication) {
  for (const char* table : tables_of_pictures)
    query(db, fmt::format("DELETE FROM {} WHERE point = ? AND replication = ?", table), point, replication).exec();
}

void write_quantiles(SQLite::Database& db, const std::vector<std::vector<class_quantiles>>& by_point) {
  db.exec("DELETE FROM response_quantiles");
  row_writer insert(db, "response_quantiles");
  for (std::size_t p = 0; p < by_point.size(); ++p)
    for (const class_quantiles& of_class : by_point[p])
      for (std::size_t at = 0; at < of_class.times.size(); ++at)
        insert.add(p, of_class.class_name, quantile_shares()[at], of_class.times[at]);
}

std::vector<class_responses> read_responses(SQLite::Database& db, std::size_t point, std::uint32_t count) {
  std::vector<class_responses> all;
  query rows(db,
             "SELECT row, class, counts FROM responses WHERE point = ? AND replication < ? ORDER BY replication, row",
             point, count);
  while (rows.next()) {
    const std::size_t at = rows[0];
    if (at == all.size()) all.push_back({rows[1], {}});
    if (at >= all.size() || all[at].class_name != rows[1].text())
      refuse_table(db, "responses", "the same classes everywhere");
    try {
      all[at].times.merge(sketch_from_text(rows[2].text()));
    } catch (const std::runtime_error& e) {
      throw output_error(fmt::format("{}: table responses: {}", db.getFilename(), e.what()));
    }
  }
  return all;
}

std::vector<replication_pictures> read_pictures(SQLite::Database& db, const study& s) {
  expect_numbers(db, "bins", {"begin", "end", "utilization", "overhead_share"});
  expect_numbers(db, "jobs_in_bins", {"bin", "jobs"});
  expect_numbers(db, "windows", {"begin", "end", "servers"});
  expect_numbers(db, "slices", {"server", "job", "count", "begun", "works", "saves", "ended"});
  expect_numbers(db, "window_bins", {"begin", "end"});
  expect_numbers(db, "waits", {"job", "arrival", "wait", "until", "has_left"});
  expect_numbers(db, "running_in_waits", {"wait", "share"});
  std::vector<replication_pictures> all;
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    const scenario& model = s.points[p].model;
    all.push_back({{}, read_bins(db, p, model), read_cores(db, p, model), read_waits(db, p, model)});
  }
  return all;
}

std::vector<std::vector<class_quantiles>> read_quantiles(SQLite::Database& db, std::size_t points) {
  expect_numbers(db, "response_quantiles", {"point", "share", "time"});
  std::vector<std::vector<class_quantiles>> all(points);
  query rows(db, "SELECT point, class, share, time FROM response_quantiles ORDER BY rowid");
  while (rows.next()) {
    const std::size_t point = rows[0];
    if (point >= points) refuse_table(db, "response_quantiles", "points of scenario.toml");
    if (all[point].empty() || all[point].back().class_name != rows[1].text()) all[point].push_back({rows[1], {}});
    std::vector<double>& times = all[point].back().times;
    if (times.size() >= quantile_shares().size() || rows[2].as<double>() != quantile_shares()[times.size()])
      refuse_table(db, "response_quantiles", "other shares");
    times.push_back(rows[3].as<double>());
  }
  return all;
}

}  // namespace muster
