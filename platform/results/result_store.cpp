#include "platform/results/result_store.h"

#include <filesystem>

#include <fmt/format.h>

#include "muster/version.h"

namespace muster {

namespace {

constexpr std::int64_t layout = 3;  // of the tables

constexpr const char* schema = R"(
CREATE TABLE study (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE points (point INTEGER, key TEXT, value TEXT, PRIMARY KEY (point, key));
CREATE TABLE replications (point INTEGER, replication INTEGER, jobs INTEGER, events INTEGER, simulated_time REAL,
                           seconds REAL, protocol_checked INTEGER, PRIMARY KEY (point, replication));
CREATE TABLE measurements (point INTEGER, replication INTEGER, row INTEGER, class TEXT, metric TEXT, value REAL,
                           jobs INTEGER, half_width REAL, marks TEXT, PRIMARY KEY (point, replication, row));
CREATE TABLE notes (point INTEGER, replication INTEGER, row INTEGER, note TEXT, class TEXT,
                    PRIMARY KEY (point, replication, row));
CREATE TABLE jobs_in_system (point INTEGER, replication INTEGER, row INTEGER, time REAL, class TEXT, jobs INTEGER,
                             PRIMARY KEY (point, replication, row));
CREATE TABLE traces (point INTEGER, replication INTEGER, file TEXT, PRIMARY KEY (point, replication, file));
CREATE TABLE warm_ups (point INTEGER PRIMARY KEY, jobs INTEGER, settled INTEGER);
CREATE TABLE estimates (point INTEGER, class TEXT, metric TEXT, estimate REAL, ci_low REAL, ci_high REAL,
                        replications INTEGER, jobs INTEGER, note TEXT);
)";

std::int64_t whole(std::uint64_t n) { return static_cast<std::int64_t>(n); }
std::uint64_t count(std::int64_t n) { return static_cast<std::uint64_t>(n); }
std::optional<double> number(const database::statement& row, int column) {
  return row.is_null(column) ? std::nullopt : std::optional<double>{row.number(column)};
}

std::int64_t layout_of(database& db) {
  auto version_of_layout = db.prepare("PRAGMA user_version");
  return version_of_layout.step() ? version_of_layout.integer(0) : 0;
}

std::string value_of(database& db, const std::string& key) {
  auto row = db.prepare("SELECT value FROM study WHERE key = ?");
  row.bind(key);
  return row.step() ? row.text(0) : "";
}

}  // namespace

result_store::content result_store::look_into(const std::string& path, const study& s) {
  std::error_code error;
  // A process killed before its first transaction leaves an empty file.
  if (!std::filesystem::exists(path, error) || std::filesystem::file_size(path, error) == 0) return content::nothing;
  constexpr const char* way_out = "choose another directory with --out, or overwrite with --force";
  database db(path);
  if (const std::string wrong = db.fault(); !wrong.empty())
    throw output_error(fmt::format("{}: is corrupt or not a muster results database: {}; {}", path, wrong, way_out));
  const std::int64_t found = layout_of(db);
  auto tables = db.prepare("SELECT 1 FROM sqlite_master");
  if (found == 0 && !tables.step()) return content::nothing;  // the first transaction has been rolled back
  const std::string by = found == layout ? value_of(db, "muster_version") : "";
  if (found != layout || by != version)
    throw output_error(fmt::format("{}: was written by {}, and this is muster {}; {}", path,
                                   by.empty() ? "another version of muster" : "muster " + by, version, way_out));
  return value_of(db, "model") == s.model ? content::same_study : content::another_study;
}

result_store::result_store(const std::string& path, const study& s) : db_(path) {
  db_.execute("PRAGMA journal_mode = DELETE");
  if (layout_of(db_) == 0) create(s);
}

void result_store::create(const study& s) {
  transaction all(db_);
  db_.execute(schema);
  db_.execute(fmt::format("PRAGMA user_version = {}", layout));
  auto fact = db_.prepare("INSERT INTO study VALUES (?, ?)");
  fact.bind("muster_version").bind(version).run();
  fact.bind("model").bind(s.model).run();
  auto insert = db_.prepare("INSERT INTO points VALUES (?, ?, ?)");
  for (std::size_t p = 0; p < s.points.size(); ++p)
    for (std::size_t k = 0; k < s.keys.size(); ++k)
      insert.bind(whole(p)).bind(s.keys[k]).bind(s.points[p].values[k]).run();
  all.commit();
}

void result_store::add(std::size_t point, std::uint32_t replication, const replication_result& result,
                       bool protocol_checked, const std::vector<std::string>& traces) {
  transaction whole_replication(db_);
  const std::int64_t p = whole(point), r = replication;
  db_.prepare("INSERT INTO replications VALUES (?, ?, ?, ?, ?, ?, ?)")
      .bind(p)
      .bind(r)
      .bind(whole(result.jobs))
      .bind(whole(result.events))
      .bind(result.simulated_time)
      .bind(result.seconds)
      .bind(std::int64_t{protocol_checked})
      .run();
  auto row = db_.prepare("INSERT INTO measurements VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t at = 0; at < result.measurements.size(); ++at) {
    const measurement& m = result.measurements[at];
    row.bind(p).bind(r).bind(whole(at)).bind(m.class_name).bind(m.metric);
    row.bind(m.has_value ? std::optional<double>{m.value} : std::nullopt).bind(whole(m.jobs)).bind(m.half_width);
    row.bind(m.marks.words()).run();
  }
  auto note = db_.prepare("INSERT INTO notes VALUES (?, ?, ?, ?, ?)");
  for (std::size_t at = 0; at < result.notes.size(); ++at)
    note.bind(p).bind(r).bind(whole(at)).bind(result.notes[at].text).bind(result.notes[at].class_name).run();
  auto sample = db_.prepare("INSERT INTO jobs_in_system VALUES (?, ?, ?, ?, ?, ?)");
  for (std::size_t at = 0; at < result.presence.size(); ++at) {
    const presence_sample& s = result.presence[at];
    sample.bind(p).bind(r).bind(whole(at)).bind(s.time).bind(s.class_name).bind(whole(s.jobs)).run();
  }
  auto trace = db_.prepare("INSERT INTO traces VALUES (?, ?, ?)");
  for (const std::string& file : traces) trace.bind(p).bind(r).bind(file).run();
  whole_replication.commit();
}

void result_store::remove(std::size_t point, std::uint32_t replication) {
  transaction all(db_);
  for (const char* table : {"replications", "measurements", "notes", "jobs_in_system", "traces"})
    db_.prepare(fmt::format("DELETE FROM {} WHERE point = ? AND replication = ?", table))
        .bind(whole(point))
        .bind(std::int64_t{replication})
        .run();
  all.commit();
}

std::vector<result_store::stored> result_store::list() {
  std::vector<stored> all;
  auto rows = db_.prepare("SELECT point, replication, protocol_checked FROM replications ORDER BY point, replication");
  while (rows.step())
    all.push_back({count(rows.integer(0)), static_cast<std::uint32_t>(rows.integer(1)), rows.integer(2) != 0});
  return all;
}

std::vector<replication_result> result_store::replications(std::size_t point, std::uint32_t most) {
  std::vector<replication_result> all;
  // They are counted from 0 without a gap, or the plan would not ask for them.
  const auto read = [&](const char* columns_and_table, const char* order, const auto& take) {
    auto rows = db_.prepare(fmt::format("SELECT replication, {} WHERE point = ? AND replication < ? ORDER BY {}",
                                        columns_and_table, order));
    rows.bind(whole(point)).bind(std::int64_t{most});
    while (rows.step()) take(rows);
  };
  read("jobs, events, simulated_time, seconds FROM replications", "replication", [&](const auto& row) {
    all.emplace_back();
    all.back().jobs = count(row.integer(1));
    all.back().events = count(row.integer(2));
    all.back().simulated_time = row.number(3);
    all.back().seconds = row.number(4);
  });
  const auto of = [&](const auto& row) -> replication_result& { return all.at(count(row.integer(0))); };
  read("class, metric, value, jobs, half_width, marks FROM measurements", "replication, row", [&](const auto& row) {
    of(row).measurements.push_back({row.text(1), row.text(2), !row.is_null(3), row.number(3), count(row.integer(4)),
                                    number(row, 5), cautions::of_words(row.text(6))});
  });
  read("note, class FROM notes", "replication, row", [&](const auto& row) {
    of(row).notes.push_back({row.text(1), row.text(2)});
  });
  read("time, class, jobs FROM jobs_in_system", "replication, row", [&](const auto& row) {
    of(row).presence.push_back({row.number(1), row.text(2), count(row.integer(3))});
  });
  return all;
}

std::optional<measurement> result_store::find(std::size_t point, std::uint32_t replication,
                                              const std::string& class_name, const std::string& metric) {
  auto row = db_.prepare(
      "SELECT value, jobs, half_width FROM measurements WHERE point = ? AND replication = ? AND class = ? AND metric = "
      "?");
  row.bind(whole(point)).bind(std::int64_t{replication}).bind(class_name).bind(metric);
  if (!row.step()) return std::nullopt;
  return measurement{class_name, metric, !row.is_null(0), row.number(0), count(row.integer(1)), number(row, 2), {}};
}

result_store::totals result_store::sums() {
  auto row = db_.prepare("SELECT count(*), sum(jobs), sum(events), sum(seconds) FROM replications");
  if (!row.step()) return {};
  return {count(row.integer(0)), count(row.integer(1)), count(row.integer(2)), row.number(3)};
}

std::vector<std::string> result_store::traces() {
  std::vector<std::string> all;
  auto rows = db_.prepare("SELECT file FROM traces ORDER BY file");
  while (rows.step()) all.push_back(rows.text(0));
  return all;
}

void result_store::set_warm_up(std::size_t point, const found_warm_up& found) {
  db_.prepare("INSERT INTO warm_ups VALUES (?, ?, ?)")
      .bind(whole(point))
      .bind(whole(found.jobs))
      .bind(std::int64_t{found.settled})
      .run();
}

std::optional<found_warm_up> result_store::warm_up(std::size_t point) {
  auto row = db_.prepare("SELECT jobs, settled FROM warm_ups WHERE point = ?");
  row.bind(whole(point));
  if (!row.step()) return std::nullopt;
  return found_warm_up{count(row.integer(0)), row.integer(1) != 0};
}

void result_store::set_estimates(const std::vector<std::vector<estimate>>& estimates) {
  transaction all(db_);
  db_.execute("DELETE FROM estimates");
  auto row = db_.prepare("INSERT INTO estimates VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t point = 0; point < estimates.size(); ++point)
    for (const estimate& e : estimates[point])
      row.bind(whole(point))
          .bind(e.class_name)
          .bind(e.metric)
          .bind(e.mean)
          .bind(e.ci_low)
          .bind(e.ci_high)
          .bind(std::int64_t{e.replications})
          .bind(whole(e.jobs))
          .bind(e.marks.words())
          .run();
  all.commit();
}

}  // namespace muster
