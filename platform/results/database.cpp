#include "platform/results/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

namespace muster {

namespace {
[[noreturn]] void fail(sqlite3* db) {
  throw database_error(fmt::format("{}: {}", sqlite3_db_filename(db, "main"), sqlite3_errmsg(db)));
}
}  // namespace

database::database(const std::string& path) : database(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) {}

// Not read-only: what a killed run left half done is rolled back first.
database database::existing(const std::string& path) { return {path, SQLITE_OPEN_READWRITE}; }

database::database(const std::string& path, int flags) : file_(path), db_(nullptr, sqlite3_close) {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &opened, flags, nullptr);
  db_.reset(opened);
  if (opened) sqlite3_busy_timeout(opened, 60'000);  // somebody may look at the results while they come in
  if (code != SQLITE_OK)
    throw database_error(fmt::format("{}: {}", path, opened ? sqlite3_errmsg(opened) : "no memory"));
}

void database::execute(const std::string& sql) {
  if (sqlite3_exec(db_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail(db_.get());
}

std::string database::fault() {
  try {
    auto check = prepare("PRAGMA quick_check(1)");
    const std::string found = check.step() ? check.text(0) : "no answer";
    return found == "ok" ? "" : found;
  } catch (const database_error&) {
    return sqlite3_errmsg(db_.get());
  }
}

database::statement database::compile(const std::string& sql) {
  sqlite3_stmt* prepared = nullptr;
  if (sqlite3_prepare_v2(db_.get(), sql.c_str(), -1, &prepared, nullptr) != SQLITE_OK) fail(db_.get());
  return {db_.get(), prepared};
}

database::statement::statement(sqlite3* db, sqlite3_stmt* prepared) : db_(db), prepared_(prepared, sqlite3_finalize) {}

void database::statement::check(int code) const {
  if (code != SQLITE_OK) fail(db_);
}

void database::statement::bind_integer(std::int64_t value) {
  check(sqlite3_bind_int64(prepared_.get(), next_++, value));
}

void database::statement::bind_next(double value) { check(sqlite3_bind_double(prepared_.get(), next_++, value)); }

void database::statement::bind_next(const std::string& value) {
  check(sqlite3_bind_text(prepared_.get(), next_++, value.c_str(), static_cast<int>(value.size()), SQLITE_TRANSIENT));
}

void database::statement::bind_next(const std::optional<double>& value) {
  if (value) return bind_next(*value);
  check(sqlite3_bind_null(prepared_.get(), next_++));
}

bool database::statement::step() {
  const int code = sqlite3_step(prepared_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) fail(db_);
  return code == SQLITE_ROW;
}

void database::statement::finish() {
  while (step()) {
  }
  check(sqlite3_reset(prepared_.get()));
  next_ = 1;
}

std::int64_t database::statement::integer_at(int column) const { return sqlite3_column_int64(prepared_.get(), column); }
double database::statement::number(int column) const { return sqlite3_column_double(prepared_.get(), column); }
bool database::statement::is_null(int column) const {
  return sqlite3_column_type(prepared_.get(), column) == SQLITE_NULL;
}

bool database::statement::is_text(int column) const {
  return sqlite3_column_type(prepared_.get(), column) == SQLITE_TEXT;
}

std::string database::statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(prepared_.get(), column));
  return bytes ? bytes : "";
}

transaction::~transaction() {
  if (!open_) return;
  try {
    db_.execute("ROLLBACK");
  } catch (const database_error&) {  // the failure that brought us here has ended the transaction already
  }
}

void transaction::commit() {
  db_.execute("COMMIT");
  open_ = false;
}

}  // namespace muster
