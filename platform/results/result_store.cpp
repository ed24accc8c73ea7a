#include "platform/results/result_store.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "muster/version.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

constexpr std::int64_t layout = 6;  // of the tables

constexpr const char* schema = R"(
CREATE TABLE study (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE code (name TEXT PRIMARY KEY, build TEXT);
CREATE TABLE points (point INTEGER, key TEXT, value TEXT, PRIMARY KEY (point, key));
CREATE TABLE replications (point INTEGER, replication INTEGER, jobs INTEGER, events INTEGER, simulated_time REAL,
                           seconds REAL, protocol_checked INTEGER, in_parts INTEGER,
                           PRIMARY KEY (point, replication));
CREATE TABLE measurements (point INTEGER, replication INTEGER, row INTEGER, class TEXT, metric TEXT, value REAL,
                           jobs INTEGER, half_width REAL, marks TEXT, parts TEXT,
                           PRIMARY KEY (point, replication, row));
CREATE TABLE control_variates (point INTEGER, replication INTEGER, row INTEGER, name TEXT, deviation REAL, parts TEXT,
                               PRIMARY KEY (point, replication, row));
CREATE TABLE notes (point INTEGER, replication INTEGER, row INTEGER, note TEXT, class TEXT,
                    PRIMARY KEY (point, replication, row));
CREATE TABLE jobs_in_system (point INTEGER, replication INTEGER, row INTEGER, time REAL, class TEXT, jobs INTEGER,
                             PRIMARY KEY (point, replication, row));
CREATE TABLE traces (point INTEGER, replication INTEGER, file TEXT, PRIMARY KEY (point, replication, file));
CREATE TABLE warm_ups (point INTEGER PRIMARY KEY, jobs INTEGER, settled INTEGER);
)";

std::int64_t layout_of(database& db) {
  auto version_of_layout = db.prepare("PRAGMA user_version");
  return version_of_layout.step() ? version_of_layout.integer(0) : 0;
}

std::string value_of(database& db, const std::string& key) {
  auto row = db.prepare("SELECT value FROM study WHERE key = ?", key);
  return row.step() ? row.text(0) : "";
}

// Refuses a file that is no whole database, or has other tables. @param what_to_do follows the reason
void check_whole(database& db, const std::string& what_to_do) {
  if (const std::string wrong = db.fault(); !wrong.empty())
    throw output_error(
        fmt::format("{}: is corrupt or not a muster results database: {}; {}", db.file(), wrong, what_to_do));
}

// Numbers to the last bit, with spaces between them.
std::string in_words(const std::vector<double>& parts) { return fmt::format("{}", fmt::join(parts, " ")); }

std::vector<double> parts_in(const std::string& words) {
  std::istringstream in(words);
  std::vector<double> parts;
  for (std::string word; in >> word;) parts.push_back(std::strtod(word.c_str(), nullptr));
  return parts;
}

[[noreturn]] void refuse_version(const database& db, const std::string& by, const std::string& what_to_do) {
  throw output_error(fmt::format("{}: was written by {}, and this is muster {}; {}", db.file(),
                                 by.empty() ? "another version of muster" : "muster " + by, version, what_to_do));
}

// That nothing is mixed. @param what_to_do follows the reason
void check_code(database& db, const code_fingerprint& running, const std::string& what_to_do) {
  if (const std::string differs = code_difference(code_in(db), running); !differs.empty())
    throw output_error(fmt::format("{}: its replications are by other code: {}; {}", db.file(), differs, what_to_do));
}

}  // namespace

code_fingerprint code_in(database& db) {
  code_fingerprint code;
  if (!db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'code'").step()) return code;
  auto rows = db.prepare("SELECT name, build FROM code");
  while (rows.step()) code[rows.text(0)] = rows.text(1);
  return code;
}

measurement measurement_in(const database::statement& row, int first) {
  return {row.text(first),
          row.text(first + 1),
          !row.is_null(first + 2),
          row.number(first + 2),
          row.integer<std::uint64_t>(first + 3),
          row.number_if_any(first + 4),
          cautions::of_words(row.text(first + 5))};
}

result_store::content result_store::look_into(const std::string& path, const study& s, const code_fingerprint& code) {
  std::error_code error;
  // A process killed before its first transaction leaves an empty file.
  if (!std::filesystem::exists(path, error) || std::filesystem::file_size(path, error) == 0) return content::nothing;
  constexpr const char* what_to_do = "choose another directory with --out, or overwrite with --force";
  return with_database_errors_as<output_error>([&] {
    database db(path);
    check_whole(db, what_to_do);
    const std::int64_t found = layout_of(db);
    auto tables = db.prepare("SELECT 1 FROM sqlite_master");
    if (found == 0 && !tables.step()) return content::nothing;  // the first transaction has been rolled back
    const std::string by = found == layout ? value_of(db, "muster_version") : "";
    if (found != layout || by != version) refuse_version(db, by, what_to_do);
    if (value_of(db, "model") != s.model) return content::another_study;
    check_code(db, code, "run all anew with --force, or choose another directory with --out");
    return content::same_study;
  });
}

result_store::result_store(const std::string& path, const study& s, const code_fingerprint& code) : db_(path) {
  db_.execute("PRAGMA journal_mode = DELETE");
  if (layout_of(db_) == 0) create(s, code);
}

result_store result_store::of_run(const std::string& path, const study& s) {
  constexpr const char* what_to_do = "muster run --force makes the results anew";
  return with_database_errors_as<output_error>([&] {
    result_store store(database::existing(path));
    check_whole(store.db_, what_to_do);
    const std::int64_t found = layout_of(store.db_);
    if (found == 0) throw output_error(fmt::format("{}: holds no results; {}", path, what_to_do));
    if (found != layout) refuse_version(store.db_, "", what_to_do);
    if (!store.has_points_of(s))
      throw output_error(fmt::format("{}: has other points than scenario.toml beside it; {}", path, what_to_do));
    return store;
  });
}

bool result_store::has_points_of(const study& s) {
  auto row = db_.prepare("SELECT point, key, value FROM points ORDER BY rowid");
  for (std::size_t p = 0; p < s.points.size(); ++p)
    for (std::size_t k = 0; k < s.keys.size(); ++k)
      if (!row.step() || row.integer<std::size_t>(0) != p || row.text(1) != s.keys[k] ||
          row.text(2) != s.points[p].values[k])
        return false;
  return !row.step();
}

code_fingerprint result_store::code() { return code_in(db_); }

void result_store::create(const study& s, const code_fingerprint& code) {
  transaction all(db_);
  db_.execute(schema);
  create_tables_of_pictures(db_);
  create_tables_of_estimates(db_);
  db_.execute(fmt::format("PRAGMA user_version = {}", layout));
  auto fact = db_.prepare("INSERT INTO study VALUES (?, ?)");
  fact.run("muster_version", version);
  fact.run("model", s.model);
  auto build = db_.prepare("INSERT INTO code VALUES (?, ?)");
  for (const auto& [name, id] : code) build.run(name, id);
  auto insert = db_.prepare("INSERT INTO points VALUES (?, ?, ?)");
  for (std::size_t p = 0; p < s.points.size(); ++p)
    for (std::size_t k = 0; k < s.keys.size(); ++k) insert.run(p, s.keys[k], s.points[p].values[k]);
  all.commit();
}

void result_store::add(std::size_t point, std::uint32_t replication, const replication_result& result,
                       bool protocol_checked, const std::vector<std::string>& traces) {
  transaction whole_replication(db_);
  db_.prepare("INSERT INTO replications VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
      .run(point, replication, result.jobs, result.events, result.simulated_time, result.seconds, protocol_checked,
           result.in_parts);
  auto row = db_.prepare("INSERT INTO measurements VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t at = 0; at < result.measurements.size(); ++at) {
    const measurement& m = result.measurements[at];
    row.run(point, replication, at, m.class_name, m.metric, m.value_if_any(), m.jobs, m.half_width, m.marks.words(),
            in_words(m.parts));
  }
  auto control = db_.prepare("INSERT INTO control_variates VALUES (?, ?, ?, ?, ?, ?)");
  for (std::size_t at = 0; at < result.controls.size(); ++at) {
    const control_variate& c = result.controls[at];
    control.run(point, replication, at, c.name, c.deviation, in_words(c.parts));
  }
  auto note = db_.prepare("INSERT INTO notes VALUES (?, ?, ?, ?, ?)");
  for (std::size_t at = 0; at < result.notes.size(); ++at)
    note.run(point, replication, at, result.notes[at].text, result.notes[at].class_name);
  auto sample = db_.prepare("INSERT INTO jobs_in_system VALUES (?, ?, ?, ?, ?, ?)");
  for (std::size_t at = 0; at < result.presence.size(); ++at)
    sample.run(point, replication, at, result.presence[at].time, result.presence[at].class_name,
               result.presence[at].jobs);
  write_pictures(db_, point, replication, result.pictures);
  auto trace = db_.prepare("INSERT INTO traces VALUES (?, ?, ?)");
  for (const std::string& file : traces) trace.run(point, replication, file);
  whole_replication.commit();
}

void result_store::remove(std::size_t point, std::uint32_t replication) {
  transaction all(db_);
  for (const char* table : {"replications", "measurements", "control_variates", "notes", "jobs_in_system", "traces"})
    db_.prepare(fmt::format("DELETE FROM {} WHERE point = ? AND replication = ?", table)).run(point, replication);
  remove_pictures(db_, point, replication);
  all.commit();
}

std::vector<result_store::stored> result_store::list() {
  std::vector<stored> all;
  auto rows = db_.prepare(
      "SELECT point, replication, protocol_checked, in_parts FROM replications ORDER BY point, replication");
  while (rows.step())
    all.push_back(
        {rows.integer<std::size_t>(0), rows.integer<std::uint32_t>(1), rows.integer(2) != 0, rows.integer(3) != 0});
  return all;
}

std::vector<replication_result> result_store::replications(std::size_t point, std::uint32_t count) {
  std::vector<replication_result> all;
  using row = database::statement;
  const auto read = [&](const char* columns_and_table, void (*take)(replication_result & into, const row& from)) {
    row rows = db_.prepare(fmt::format("SELECT replication, {} WHERE point = ? AND replication < ? "
                                       "ORDER BY replication, rowid",
                                       columns_and_table),
                           point, count);
    while (rows.step()) {
      const auto replication = rows.integer<std::size_t>(0);
      if (replication >= all.size()) all.resize(replication + 1);
      take(all[replication], rows);
    }
  };
  read("jobs, events, simulated_time, seconds, in_parts FROM replications",
       [](replication_result& into, const row& from) {
         into.jobs = from.integer<std::uint64_t>(1);
         into.events = from.integer<std::uint64_t>(2);
         into.simulated_time = from.number(3);
         into.seconds = from.number(4);
         into.in_parts = from.integer(5) != 0;
       });
  read("class, metric, value, jobs, half_width, marks, parts FROM measurements",
       [](replication_result& into, const row& from) {
         into.measurements.push_back(measurement_in(from, 1));
         into.measurements.back().parts = parts_in(from.text(7));
       });
  read("name, deviation, parts FROM control_variates", [](replication_result& into, const row& from) {
    into.controls.push_back({from.text(1), from.number(2), parts_in(from.text(3))});
  });
  read("note, class FROM notes", [](replication_result& into, const row& from) {
    into.notes.push_back({from.text(1), from.text(2)});
  });
  return all;
}

std::vector<presence_sample> result_store::presence(std::size_t point) {
  std::vector<presence_sample> all;
  auto rows = db_.prepare(
      "SELECT time, class, jobs FROM jobs_in_system WHERE point = ? AND replication = 0 ORDER BY row", point);
  while (rows.step()) {
    if (rows.is_text(0) || rows.is_text(2))
      throw output_error(fmt::format("{}: table jobs_in_system, point {}: expected numbers, found {} and {}",
                                     db_.file(), point, in_quotes(rows.text(0)), in_quotes(rows.text(2))));
    all.push_back({rows.number(0), rows.text(1), rows.integer<std::uint64_t>(2)});
  }
  return all;
}

result_store::totals result_store::sums() {
  auto row = db_.prepare("SELECT count(*), sum(jobs), sum(events), sum(seconds) FROM replications");
  if (!row.step()) return {};
  return {row.integer<std::uint64_t>(0), row.integer<std::uint64_t>(1), row.integer<std::uint64_t>(2), row.number(3)};
}

std::vector<std::string> result_store::traces() {
  std::vector<std::string> all;
  auto rows = db_.prepare("SELECT file FROM traces ORDER BY file");
  while (rows.step()) all.push_back(rows.text(0));
  return all;
}

void result_store::set_warm_up(std::size_t point, const found_warm_up& found) {
  db_.prepare("INSERT INTO warm_ups VALUES (?, ?, ?)").run(point, found.jobs, found.settled);
}

std::optional<found_warm_up> result_store::warm_up(std::size_t point) {
  auto row = db_.prepare("SELECT jobs, settled FROM warm_ups WHERE point = ?", point);
  if (!row.step()) return std::nullopt;
  return found_warm_up{row.integer<std::uint64_t>(0), row.integer(1) != 0};
}

void result_store::set_estimates(const study_estimates& estimates) {
  transaction all(db_);
  write_estimates(db_, estimates);
  all.commit();
}

}  // namespace muster
