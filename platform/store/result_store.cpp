#include "platform/store/result_store.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "muster/version.h"
#include "platform/store/result_tables.h"

namespace muster {

namespace {

constexpr std::int64_t layout = 8;  // of the tables

const result_tables tables;

std::int64_t layout_of(database& db) { return db.execAndGet("PRAGMA user_version").getInt64(); }

std::string value_of(database& db, const std::string& key) {
  return tables.facts.row(db, "WHERE key = ?", key).value_or(result_tables::pair{}).second;
}

// Refuses a file that is no whole database, or has other tables. @param what_to_do follows the reason
void check_whole(database& db, const std::string& what_to_do) {
  if (const std::string wrong = fault_of(db); !wrong.empty())
    throw output_error(
        fmt::format("{}: is corrupt or not a muster results database: {}; {}", db.getFilename(), wrong, what_to_do));
}

// By their keys, as the table `points` has them.
std::vector<result_tables::pair> settings_of(const study& s, std::size_t point) {
  std::vector<result_tables::pair> all;
  for (std::size_t k = 0; k < s.keys.size(); ++k) all.emplace_back(s.keys[k], s.points[point].values[k]);
  std::sort(all.begin(), all.end());
  return all;
}

[[noreturn]] void refuse_version(const database& db, const std::string& by, const std::string& what_to_do) {
  throw output_error(fmt::format("{}: was written by {}, and this is muster {}; {}", db.getFilename(),
                                 by.empty() ? "another version of muster" : "muster " + by, version, what_to_do));
}

// Refuses replications of other code, so that nothing is mixed. @param what_to_do follows the reason
void check_code(database& db, const code_fingerprint& running, const std::string& what_to_do) {
  if (const std::string differs = code_difference(code_in(db), running); !differs.empty())
    throw output_error(
        fmt::format("{}: its replications are by other code: {}; {}", db.getFilename(), differs, what_to_do));
}

}  // namespace

code_fingerprint code_in(database& db) {
  code_fingerprint code;
  if (!db.tableExists("code")) return code;
  for (auto& [name, build] : tables.code.rows(db, "")) code[name] = build;
  return code;
}

void write_code(database& db, const code_fingerprint& code) {
  tables.code.create(db);
  tables.code.clear(db);
  tables.code.write_all(db, std::vector<result_tables::pair>(code.begin(), code.end()));
}

const stored_table<measurement>& table_of_measurements() { return tables.measurements; }

result_store::content result_store::look_into(const std::string& path, const study& s, const code_fingerprint& code) {
  std::error_code error;
  // A process killed before its first transaction leaves an empty file.
  if (!std::filesystem::exists(path, error) || std::filesystem::file_size(path, error) == 0) return content::nothing;
  constexpr const char* what_to_do = "choose another directory with --out, or overwrite with --force";
  return with_database_errors_as<output_error>(path, [&] {
    database db = open_database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    check_whole(db, what_to_do);
    const std::int64_t found = layout_of(db);
    query any_table(db, "SELECT 1 FROM sqlite_master");
    if (found == 0 && !any_table.next()) return content::nothing;  // the first transaction has been rolled back
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
  if (layout_of(db_) == 0) {
    db_.exec("PRAGMA synchronous = OFF");  // empty tables are made again
    transaction all(db_);
    create(s, code);
    all.commit();
  }
  // The journal is on disk before the file changes, but not its length before its pages, which have checksums.
  db_.exec("PRAGMA synchronous = NORMAL");
}

result_store result_store::of_run(const std::string& path, const study& s, bool is_whole) {
  constexpr const char* what_to_do = "muster run --force makes the results anew";
  return with_database_errors_as<output_error>(path, [&] {
    result_store store(open_database(path));
    if (!is_whole) check_whole(store.db_, what_to_do);
    const std::int64_t found = layout_of(store.db_);
    if (found == 0) throw output_error(fmt::format("{}: holds no results; {}", path, what_to_do));
    if (found != layout) refuse_version(store.db_, "", what_to_do);
    if (!store.has_points_of(s))
      throw output_error(fmt::format("{}: has other points than scenario.toml beside it; {}", path, what_to_do));
    return store;
  });
}

bool result_store::has_points_of(const study& s) {
  std::vector<std::vector<result_tables::pair>> found(s.points.size());
  bool same = true;
  tables.points.read(db_, tables.points.in_order(), [&](const row_places& at, result_tables::pair&& setting) {
    same = same && at[0] < found.size();
    if (same) found[at[0]].push_back(std::move(setting));
  });
  for (std::size_t p = 0; same && p < s.points.size(); ++p) same = found[p] == settings_of(s, p);
  return same;
}

code_fingerprint result_store::code() { return code_in(db_); }

// Writes rows in the open transaction, which is rolled back if one fails.
template <class Write>
void result_store::write(const Write& rows) {
  std::unique_ptr<transaction> all = open_ ? std::move(open_) : std::make_unique<transaction>(db_);
  rows();
  open_ = std::move(all);
  commit_if_due();
}

void result_store::create(const study& s, const code_fingerprint& code) {
  for (const table_of_cells* table : tables.of_replications) table->create(db_);
  tables.facts.create(db_);
  tables.points.create(db_);
  tables.warm_ups.create(db_);
  create_tables_of_pictures(db_);
  create_tables_of_estimates(db_);
  db_.exec(fmt::format("PRAGMA user_version = {}", layout));
  tables.facts.write_all(db_, std::vector<result_tables::pair>{{"muster_version", version}, {"model", s.model_text}});
  write_code(db_, code);
  for (std::size_t p = 0; p < s.points.size(); ++p) tables.points.write_all(db_, settings_of(s, p), {p});
}

void result_store::add(std::size_t point, std::uint32_t replication, const replication_result& result,
                       bool protocol_checked, const std::vector<std::string>& traces) {
  write([&] {
    const row_places at{point, replication};
    tables.replications.write(
        db_, {result.jobs, result.events, result.simulated_time, result.seconds, protocol_checked, result.in_parts},
        at);
    tables.measurements.write_numbered(db_, result.measurements, at);
    tables.controls.write_numbered(db_, result.controls, at);
    tables.notes.write_numbered(db_, result.notes, at);
    tables.presence.write_numbered(db_, result.presence, at);
    write_pictures(db_, at, result.pictures);
    for (const std::string& file : traces) tables.traces.write(db_, {file}, at);
  });
}

void result_store::commit_if_due() {
  constexpr std::chrono::milliseconds longest{100};
  if (open_ && clock::now() - committed_ >= longest) commit();
}

void result_store::commit() {
  if (const std::unique_ptr<transaction> all = std::move(open_)) {
    all->commit();
    committed_ = clock::now();
  }
}

result_store::~result_store() {
  try {
    commit();
  } catch (const SQLite::Exception&) {
    // The replications are simulated again.
  }
}

void result_store::remove(std::size_t point, std::uint32_t replication) {
  write([&] {
    for (const table_of_cells* table : tables.of_replications) table->remove(db_, {point, replication});
    remove_pictures(db_, {point, replication});
  });
}

std::vector<result_store::stored> result_store::list() {
  std::vector<stored> all;
  tables.replications.read(db_, "ORDER BY point, replication", [&](const row_places& at, const replication_row& row) {
    all.push_back({at[0], static_cast<std::uint32_t>(at[1]), row.protocol_checked, row.in_parts});
  });
  return all;
}

std::vector<replication_result> result_store::replications(std::size_t point, std::uint32_t count) {
  std::vector<replication_result> all;
  const auto read = [&](const auto& table, const auto& take) {
    table.read(
        db_, "WHERE point = ? AND replication < ? " + table.in_order(),
        [&](const row_places& at, auto&& row) {
          if (at[1] >= all.size()) all.resize(at[1] + 1);
          take(all[at[1]], std::forward<decltype(row)>(row));
        },
        point, count);
  };
  read(tables.replications, [](replication_result& into, const replication_row& row) {
    into.jobs = row.jobs;
    into.events = row.events;
    into.simulated_time = row.simulated_time;
    into.seconds = row.seconds;
    into.in_parts = row.in_parts;
  });
  const auto read_into = [&](auto member, const auto& table) {
    read(table,
         [&](replication_result& into, auto&& row) { (into.*member).push_back(std::forward<decltype(row)>(row)); });
  };
  read_into(&replication_result::measurements, tables.measurements);
  read_into(&replication_result::controls, tables.controls);
  read_into(&replication_result::notes, tables.notes);
  return all;
}

std::vector<presence_sample> result_store::presence(std::size_t point) {
  return tables.presence.rows(db_, "WHERE point = ? AND replication = 0 ORDER BY row", point);
}

result_store::totals result_store::sums() {
  totals all;
  tables.replications.read(db_, "", [&](const row_places&, const replication_row& row) {
    ++all.replications;
    all.jobs += row.jobs;
    all.events += row.events;
    all.seconds += row.seconds;
  });
  return all;
}

std::vector<std::string> result_store::traces() {
  std::vector<std::string> all;
  for (trace_row& row : tables.traces.rows(db_, "ORDER BY file")) all.push_back(std::move(row.file));
  return all;
}

void result_store::pack() {
  constexpr std::int64_t fewest_pages = 256;
  commit();
  if (db_.execAndGet("PRAGMA page_count").getInt64() < fewest_pages) return;
  try {
    db_.exec("VACUUM");
  } catch (const SQLite::Exception&) {
    // A reader holds the file, or there is no room for its copy.
  }
}

void result_store::set_warm_up(std::size_t point, const found_warm_up& found) {
  write([&] { tables.warm_ups.write(db_, found, {point}); });
}

std::optional<found_warm_up> result_store::warm_up(std::size_t point) {
  return tables.warm_ups.row(db_, "WHERE point = ?", point);
}

void result_store::set_stability(const study_stability& stability) {
  write([&] { write_stability(db_, stability); });
}

void result_store::set_estimates(const study_estimates& estimates) {
  write([&] { write_estimates(db_, estimates); });
}

}  // namespace muster
