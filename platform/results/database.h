#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <fmt/format.h>
#include <sqlite3.h>

namespace muster {

/// A database that cannot be opened, read or written.
class database_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An output directory, or a store of results in it, that cannot or must not be used.
class output_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// @return what `act` returns @throws Error with the text of a database_error of `act`
template <class Error, class Act>
auto with_database_errors_as(const Act& act) {
  try {
    return act();
  } catch (const database_error& e) {
    throw Error(e.what());
  }
}

/// One SQLite file.
class database {
 public:
  /// Opens the file, and creates it if there is none. @throws database_error
  explicit database(const std::string& path) : database(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) {}
  /// Opens a file that must be there; not read-only: what a killed run left half done is rolled back first.
  /// @throws database_error
  static database existing(const std::string& path) { return {path, SQLITE_OPEN_READWRITE}; }

  const std::string& file() const { return file_; }  ///< as it was opened
  void execute(const std::string& sql) { expect_ok(db_.get(), sqlite3_exec(db_.get(), sql.c_str(), {}, {}, {})); }
  /// What is wrong with the file: no database, or a damaged one. Empty if nothing is.
  std::string fault() {
    try {
      auto check = prepare("PRAGMA quick_check(1)");
      const std::string found = check.step() ? check.text(0) : "no answer";
      return found == "ok" ? "" : found;
    } catch (const database_error&) {
      return sqlite3_errmsg(db_.get());
    }
  }

  /// A prepared statement with its values.
  class statement {
   public:
    statement(sqlite3* db, const std::string& sql) : db_(db), prepared_(nullptr, sqlite3_finalize) {
      sqlite3_stmt* prepared = nullptr;
      expect_ok(db, sqlite3_prepare_v2(db, sql.c_str(), -1, &prepared, nullptr));
      prepared_.reset(prepared);
    }

    /// Binds the next values, in order: integers, numbers, texts, or nothing.
    template <class... Values>
    statement& bind(const Values&... values) {
      (expect_ok(db_, bind_at(next_++, values)), ...);
      return *this;
    }
    /// @return whether there is a row
    bool step() {
      const int code = sqlite3_step(prepared_.get());
      if (code != SQLITE_ROW && code != SQLITE_DONE) fail(db_);
      return code == SQLITE_ROW;
    }
    /// Binds the values that are left, runs to the end and is ready to be bound again.
    template <class... Values>
    void run(const Values&... values) {
      bind(values...);
      while (step()) {
      }
      expect_ok(db_, sqlite3_reset(prepared_.get()));
      next_ = 1;
    }

    template <class Integer = std::int64_t>
    Integer integer(int column) const {
      return static_cast<Integer>(sqlite3_column_int64(prepared_.get(), column));
    }
    double number(int column) const { return sqlite3_column_double(prepared_.get(), column); }
    std::string text(int column) const {
      const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(prepared_.get(), column));
      return bytes ? bytes : "";
    }
    bool is_null(int column) const { return sqlite3_column_type(prepared_.get(), column) == SQLITE_NULL; }
    bool is_text(int column) const { return sqlite3_column_type(prepared_.get(), column) == SQLITE_TEXT; }
    std::optional<double> number_if_any(int column) const {
      return is_null(column) ? std::nullopt : std::optional(number(column));
    }

   private:
    template <class Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
    int bind_at(int place, Integer value) {
      return sqlite3_bind_int64(prepared_.get(), place, static_cast<std::int64_t>(value));
    }
    int bind_at(int place, double value) { return sqlite3_bind_double(prepared_.get(), place, value); }
    int bind_at(int place, const std::string& value) {
      return sqlite3_bind_text(prepared_.get(), place, value.c_str(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
    }
    int bind_at(int place, const std::optional<double>& value) {
      return value ? bind_at(place, *value) : sqlite3_bind_null(prepared_.get(), place);
    }

    sqlite3* db_;
    std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> prepared_;
    int next_ = 1;
  };

  template <class... Values>
  statement prepare(const std::string& sql, const Values&... values) {
    statement prepared(db_.get(), sql);
    prepared.bind(values...);
    return prepared;
  }

 private:
  database(const std::string& path, int flags) : file_(path), db_(nullptr, sqlite3_close) {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &opened, flags, nullptr);
    db_.reset(opened);
    if (opened) sqlite3_busy_timeout(opened, 60'000);  // somebody may look at the results while they come in
    if (code != SQLITE_OK)
      throw database_error(fmt::format("{}: {}", path, opened ? sqlite3_errmsg(opened) : "no memory"));
  }

  [[noreturn]] static void fail(sqlite3* db) {
    throw database_error(fmt::format("{}: {}", sqlite3_db_filename(db, "main"), sqlite3_errmsg(db)));
  }
  static void expect_ok(sqlite3* db, int code) {
    if (code != SQLITE_OK) fail(db);
  }

  std::string file_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> db_;
};

/// Everything between construction and commit() happens, or nothing.
class transaction {
 public:
  explicit transaction(database& db) : db_(db) { db_.execute("BEGIN IMMEDIATE"); }
  transaction(const transaction&) = delete;
  transaction& operator=(const transaction&) = delete;
  ~transaction() {
    if (!open_) return;
    try {
      db_.execute("ROLLBACK");
    } catch (const database_error&) {  // the failure that brought us here has ended the transaction already
    }
  }
  void commit() {
    db_.execute("COMMIT");
    open_ = false;
  }

 private:
  database& db_;
  bool open_ = true;
};

}  // namespace muster
