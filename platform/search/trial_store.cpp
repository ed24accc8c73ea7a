#include "platform/search/trial_store.h"

#include <fmt/format.h>

#include "platform/store/result_store.h"

namespace muster {

trial_store::trial_store(const std::string& file, const std::string& question, const code_fingerprint& code)
    : db_(with_database_errors_as<output_error>(
          file, [&] { return open_database(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE); })) {
  const std::string wrong = fault_of(db_);
  if (!wrong.empty())
    throw output_error(fmt::format("{}: is corrupt or not a database of trials: {}; {}", file, wrong, remedy));
  try {
    open(question, code);
  } catch (const SQLite::Exception& e) {
    throw output_error(fmt::format("{}: {}; {}", file, e.what(), remedy));
  }
}

void trial_store::open(const std::string& question, const code_fingerprint& code) {
  transaction whole(db_);
  db_.exec(
      "CREATE TABLE IF NOT EXISTS question (text TEXT);"
      "CREATE TABLE IF NOT EXISTS code (name TEXT PRIMARY KEY, build TEXT);"
      "CREATE TABLE IF NOT EXISTS trials (candidate TEXT, replication INTEGER, found TEXT, "
      "PRIMARY KEY (candidate, replication))");
  const bool unknown_code = !code.empty() && code_in(db_).empty();
  if (unknown_code || !query(db_, "SELECT 1 FROM question WHERE text = ?", question).next()) {
    db_.exec("DELETE FROM question; DELETE FROM trials; DELETE FROM code");
    row_writer(db_, "question").add(question);
    for (const auto& [name, build] : code) row_writer(db_, "code").add(name, build);
  }
  if (const std::string differs = code_difference(code_in(db_), code); !differs.empty())
    throw output_error(fmt::format("{}: its replications are by other code: {}; {}", file(), differs, remedy));
  query count(db_, "SELECT count(*) FROM trials");
  if (count.next()) taken_over_ = count[0].as<std::size_t>();
  whole.commit();
}

std::optional<std::string> trial_store::find(const std::string& candidate, std::uint32_t replication) {
  return with_database_errors_as<std::runtime_error>(file(), [&] {
    query row(db_, "SELECT found FROM trials WHERE candidate = ? AND replication = ?", candidate, replication);
    return row.next() ? std::optional(row[0].text()) : std::nullopt;
  });
}

void trial_store::add(const std::string& candidate, std::uint32_t replication, const std::string& found) {
  with_database_errors_as<std::runtime_error>(file(), [&] {
    query(db_, "INSERT OR REPLACE INTO trials VALUES (?, ?, ?)", candidate, replication, found).exec();
  });
}

}  // namespace muster
