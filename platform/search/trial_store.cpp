#include "platform/search/trial_store.h"

#include <fmt/format.h>

#include "platform/results/result_store.h"

namespace muster {

trial_store::trial_store(const std::string& file, const std::string& question, const code_fingerprint& code)
    : db_(with_database_errors_as<output_error>([&] { return database(file); })) {
  const std::string wrong = db_.fault();
  if (!wrong.empty())
    throw output_error(fmt::format("{}: is corrupt or not a database of trials: {}; {}", file, wrong, remedy));
  try {
    open(question, code);
  } catch (const database_error& e) {
    throw output_error(fmt::format("{}; {}", e.what(), remedy));
  }
}

void trial_store::open(const std::string& question, const code_fingerprint& code) {
  transaction whole(db_);
  db_.execute(
      "CREATE TABLE IF NOT EXISTS question (text TEXT);"
      "CREATE TABLE IF NOT EXISTS code (name TEXT PRIMARY KEY, build TEXT);"
      "CREATE TABLE IF NOT EXISTS trials (candidate TEXT, replication INTEGER, found TEXT, "
      "PRIMARY KEY (candidate, replication))");
  const bool unknown_code = !code.empty() && code_in(db_).empty();
  if (unknown_code || !db_.prepare("SELECT 1 FROM question WHERE text = ?", question).step()) {
    db_.execute("DELETE FROM question; DELETE FROM trials; DELETE FROM code");
    db_.prepare("INSERT INTO question VALUES (?)").run(question);
    for (const auto& [name, build] : code) db_.prepare("INSERT INTO code VALUES (?, ?)").run(name, build);
  }
  if (const std::string differs = code_difference(code_in(db_), code); !differs.empty())
    throw output_error(fmt::format("{}: its replications are by other code: {}; {}", file(), differs, remedy));
  auto count = db_.prepare("SELECT count(*) FROM trials");
  if (count.step()) taken_over_ = count.integer<std::size_t>(0);
  whole.commit();
}

std::optional<std::string> trial_store::find(const std::string& candidate, std::uint32_t replication) {
  auto row = db_.prepare("SELECT found FROM trials WHERE candidate = ? AND replication = ?", candidate, replication);
  return row.step() ? std::optional(row.text(0)) : std::nullopt;
}

void trial_store::add(const std::string& candidate, std::uint32_t replication, const std::string& found) {
  db_.prepare("INSERT OR REPLACE INTO trials VALUES (?, ?, ?)").run(candidate, replication, found);
}

}  // namespace muster
