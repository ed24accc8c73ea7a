#include "platform/store/result_store.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "muster/version.h"
#include "platform/store/stored_findings.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

constexpr std::int64_t layout = 7;  // of the tables

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

std::int64_t layout_of(SQLite::Database& db) {
  query version_of_layout(db, "PRAGMA user_version");
  return version_of_layout.next() ? version_of_layout[0].as<std::int64_t>() : 0;
}

std::string value_of(SQLite::Database& db, const std::string& key) {
  query row(db, "SELECT value FROM study WHERE key = ?", key);
  return row.next() ? row[0].text() : "";
}

// Refuses a file that is no whole database, or has other tables. @param what_to_do follows the reason
void check_whole(SQLite::Database& db, const std::string& what_to_do) {
  if (const std::string wrong = fault_of(db); !wrong.empty())
    throw output_error(
        fmt::format("{}: is corrupt or not a muster results database: {}; {}", db.getFilename(), wrong, what_to_do));
}

// Numbers to the last bit, with spaces between them.
std::string in_words(const std::vector<double>& parts) { return fmt::format("{}", fmt::join(parts, " ")); }

std::vector<double> parts_in(const std::string& words) {
  std::istringstream in(words);
  std::vector<double> parts;
  for (std::string word; in >> word;) parts.push_back(std::strtod(word.c_str(), nullptr));
  return parts;
}

[[noreturn]] void refuse_version(const SQLite::Database& db, const std::string& by, const std::string& what_to_do) {
  throw output_error(fmt::format("{}: was written by {}, and this is muster {}; {}", db.getFilename(),
                                 by.empty() ? "another version of muster" : "muster " + by, version, what_to_do));
}

// That nothing is mixed. @param what_to_do follows the reason
void check_code(SQLite::Database& db, const code_fingerprint& running, const std::string& what_to_do) {
  if (const std::string differs = code_difference(code_in(db), running); !differs.empty())
    throw output_error(
        fmt::format("{}: its replications are by other code: {}; {}", db.getFilename(), differs, what_to_do));
}

}  // namespace

code_fingerprint code_in(SQLite::Database& db) {
  code_fingerprint code;
  if (!query(db, "SELECT 1 FROM sqlite_master WHERE name = 'code'").next()) return code;
  query rows(db, "SELECT name, build FROM code");
  while (rows.next()) code[rows[0].text()] = rows[1].text();
  return code;
}

measurement measurement_in(const query& row, int first) {
  return {row[first],
          row[first + 1],
          !row[first + 2].is_null(),
          row[first + 2],
          row[first + 3],
          row[first + 4].number_if_any(),
          cautions::of_words(row[first + 5].text())};
}

result_store::content result_store::look_into(const std::string& path, const study& s, const code_fingerprint& code) {
  std::error_code error;
  // A process killed before its first transaction leaves an empty file.
  if (!std::filesystem::exists(path, error) || std::filesystem::file_size(path, error) == 0) return content::nothing;
  constexpr const char* what_to_do = "choose another directory with --out, or overwrite with --force";
  return with_database_errors_as<output_error>(path, [&] {
    SQLite::Database db = open_database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    check_whole(db, what_to_do);
    const std::int64_t found = layout_of(db);
    query tables(db, "SELECT 1 FROM sqlite_master");
    if (found == 0 && !tables.next()) return content::nothing;  // the first transaction has been rolled back
    const std::string by = found == layout ? value_of(db, "muster_version") : "";
    if (found != layout || by != version) refuse_version(db, by, what_to_do);
    if (value_of(db, "model") != s.model_text) return content::another_study;
    check_code(db, code, "run all anew with --force, or choose another directory with --out");
    return content::same_study;
  });
}

result_store::result_store(const std::string& path, const study& s, const code_fingerprint& code)
    : db_(open_database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)) {
  db_.exec("PRAGMA journal_mode = DELETE");
  if (layout_of(db_) == 0) create(s, code);
}

result_store result_store::of_run(const std::string& path, const study& s) {
  constexpr const char* what_to_do = "muster run --force makes the results anew";
  return with_database_errors_as<output_error>(path, [&] {
    result_store store(open_database(path));
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
  query row(db_, "SELECT point, key, value FROM points ORDER BY rowid");
  for (std::size_t p = 0; p < s.points.size(); ++p)
    for (std::size_t k = 0; k < s.keys.size(); ++k)
      if (!row.next() || row[0].as<std::size_t>() != p || row[1].text() != s.keys[k] ||
          row[2].text() != s.points[p].values[k])
        return false;
  return !row.next();
}

code_fingerprint result_store::code() { return code_in(db_); }

void result_store::create(const study& s, const code_fingerprint& code) {
  transaction all(db_);
  db_.exec(schema);
  create_tables_of_pictures(db_);
  create_tables_of_estimates(db_);
  db_.exec(fmt::format("PRAGMA user_version = {}", layout));
  row_writer fact(db_, "study");
  fact.add("muster_version", version);
  fact.add("model", s.model_text);
  row_writer build(db_, "code");
  for (const auto& [name, id] : code) build.add(name, id);
  row_writer insert(db_, "points");
  for (std::size_t p = 0; p < s.points.size(); ++p)
    for (std::size_t k = 0; k < s.keys.size(); ++k) insert.add(p, s.keys[k], s.points[p].values[k]);
  all.commit();
}

void result_store::add(std::size_t point, std::uint32_t replication, const replication_result& result,
                       bool protocol_checked, const std::vector<std::string>& traces) {
  transaction whole_replication(db_);
  row_writer(db_, "replications")
      .add(point, replication, result.jobs, result.events, result.simulated_time, result.seconds, protocol_checked,
           result.in_parts);
  row_writer row(db_, "measurements");
  for (std::size_t at = 0; at < result.measurements.size(); ++at) {
    const measurement& m = result.measurements[at];
    row.add(point, replication, at, m.class_name, m.metric, m.value_if_any(), m.jobs, m.half_width, m.marks.words(),
            in_words(m.parts));
  }
  row_writer control(db_, "control_variates");
  for (std::size_t at = 0; at < result.controls.size(); ++at) {
    const control_variate& c = result.controls[at];
    control.add(point, replication, at, c.name, c.deviation, in_words(c.parts));
  }
  row_writer note(db_, "notes");
  for (std::size_t at = 0; at < result.notes.size(); ++at)
    note.add(point, replication, at, result.notes[at].text, result.notes[at].class_name);
  row_writer sample(db_, "jobs_in_system");
  for (std::size_t at = 0; at < result.presence.size(); ++at)
    sample.add(point, replication, at, result.presence[at].time, result.presence[at].class_name,
               result.presence[at].jobs);
  write_pictures(db_, point, replication, result.pictures);
  row_writer trace(db_, "traces");
  for (const std::string& file : traces) trace.add(point, replication, file);
  whole_replication.commit();
}

void result_store::remove(std::size_t point, std::uint32_t replication) {
  transaction all(db_);
  for (const char* table : {"replications", "measurements", "control_variates", "notes", "jobs_in_system", "traces"})
    query(db_, fmt::format("DELETE FROM {} WHERE point = ? AND replication = ?", table), point, replication).exec();
  remove_pictures(db_, point, replication);
  all.commit();
}

std::vector<result_store::stored> result_store::list() {
  std::vector<stored> all;
  query rows(db_,
             "SELECT point, replication, protocol_checked, in_parts FROM replications ORDER BY point, replication");
  while (rows.next()) all.push_back({rows[0], rows[1], rows[2], rows[3]});
  return all;
}

std::vector<replication_result> result_store::replications(std::size_t point, std::uint32_t count) {
  std::vector<replication_result> all;
  const auto read = [&](const char* columns_and_table, void (*take)(replication_result & into, const query& from)) {
    query rows(db_,
               fmt::format("SELECT replication, {} WHERE point = ? AND replication < ? "
                           "ORDER BY replication, rowid",
                           columns_and_table),
               point, count);
    while (rows.next()) {
      const std::size_t replication = rows[0];
      if (replication >= all.size()) all.resize(replication + 1);
      take(all[replication], rows);
    }
  };
  read("jobs, events, simulated_time, seconds, in_parts FROM replications",
       [](replication_result& into, const query& from) {
         into.jobs = from[1].as<std::uint64_t>();
         into.events = from[2].as<std::uint64_t>();
         into.simulated_time = from[3].as<double>();
         into.seconds = from[4].as<double>();
         into.in_parts = from[5].as<bool>();
       });
  read("class, metric, value, jobs, half_width, marks, parts FROM measurements",
       [](replication_result& into, const query& from) {
         into.measurements.push_back(measurement_in(from, 1));
         into.measurements.back().parts = parts_in(from[7].text());
       });
  read("name, deviation, parts FROM control_variates", [](replication_result& into, const query& from) {
    into.controls.push_back({from[1], from[2], parts_in(from[3].text())});
  });
  read("note, class FROM notes", [](replication_result& into, const query& from) {
    into.notes.push_back({from[1], from[2]});
  });
  return all;
}

std::vector<presence_sample> result_store::presence(std::size_t point) {
  std::vector<presence_sample> all;
  query rows(db_, "SELECT time, class, jobs FROM jobs_in_system WHERE point = ? AND replication = 0 ORDER BY row",
             point);
  while (rows.next()) {
    if (rows[0].is_text() || rows[2].is_text())
      throw output_error(fmt::format("{}: table jobs_in_system, point {}: expected numbers, found {} and {}",
                                     db_.getFilename(), point, in_quotes(rows[0].text()), in_quotes(rows[2].text())));
    all.push_back({rows[0], rows[1], rows[2]});
  }
  return all;
}

result_store::totals result_store::sums() {
  query row(db_, "SELECT count(*), sum(jobs), sum(events), sum(seconds) FROM replications");
  if (!row.next()) return {};
  return {row[0], row[1], row[2], row[3]};
}

std::vector<std::string> result_store::traces() {
  std::vector<std::string> all;
  query rows(db_, "SELECT file FROM traces ORDER BY file");
  while (rows.next()) all.push_back(rows[0].text());
  return all;
}

void result_store::set_warm_up(std::size_t point, const found_warm_up& found) {
  row_writer(db_, "warm_ups").add(point, found.jobs, found.settled);
}

std::optional<found_warm_up> result_store::warm_up(std::size_t point) {
  query row(db_, "SELECT jobs, settled FROM warm_ups WHERE point = ?", point);
  if (!row.next()) return std::nullopt;
  return found_warm_up{row[0], row[1]};
}

void result_store::set_stability(const study_stability& stability) {
  transaction all(db_);
  write_stability(db_, stability);
  all.commit();
}

void result_store::set_estimates(const study_estimates& estimates) {
  transaction all(db_);
  write_estimates(db_, estimates);
  all.commit();
}

}  // namespace muster
