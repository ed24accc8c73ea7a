#include "platform/experiment/trial_store.h"

namespace muster {

trial_store::trial_store(const std::string& file, const std::string& question) : db_(file) {
  transaction whole(db_);
  db_.execute(
      "CREATE TABLE IF NOT EXISTS question (text TEXT);"
      "CREATE TABLE IF NOT EXISTS trials (candidate TEXT, replication INTEGER, found TEXT, "
      "PRIMARY KEY (candidate, replication))");
  if (!db_.prepare("SELECT 1 FROM question WHERE text = ?", question).step()) {
    db_.execute("DELETE FROM question; DELETE FROM trials");
    db_.prepare("INSERT INTO question VALUES (?)").run(question);
  }
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
