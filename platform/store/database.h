#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include <SQLiteCpp/SQLiteCpp.h>

namespace muster {

/// An output directory, or a store of results in it, that cannot or must not be used.
class output_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// @return what `act` returns @throws Error in place of an SQLite::Exception of `act`: it names the file
template <class Error, class Act>
auto with_database_errors_as(const std::string& file, const Act& act) {
  try {
    return act();
  } catch (const SQLite::Exception& e) {
    throw Error(file + ": " + e.what());
  }
}

/// A database that keeps its statements once they are prepared: to prepare one takes as long as to write some rows.
class database : public SQLite::Database {
 public:
  using SQLite::Database::Database;

 private:
  friend class query;

  // A statement of a text that no query has; a new one if there is none.
  SQLite::Statement take(const std::string& sql) const {
    const auto found = prepared_.find(sql);
    if (found == prepared_.end()) return {*this, sql};
    SQLite::Statement taken = std::move(found->second);
    prepared_.erase(found);
    return taken;
  }

  mutable std::unordered_multimap<std::string, SQLite::Statement> prepared_;  // those that no query has, by their texts
};

/// Opens a file, not read-only even to read: what a killed run left half done is rolled back first. Waits for a minute
/// if somebody looks at the results while they come in. No two threads may use it at once: it has no locks for them.
/// @param flags may have SQLite::OPEN_CREATE: a file that is not there is created
inline database open_database(const std::string& file, int flags = SQLite::OPEN_READWRITE) {
  return {file, flags | SQLite::OPEN_NOMUTEX, 60'000};
}

/// Binds one value: an integer, a number or a text.
template <class T>
void bind_value(SQLite::Statement& to, int place, const T& value) {
  if constexpr (std::is_integral_v<T>)
    to.bind(place, static_cast<std::int64_t>(value));
  else
    to.bind(place, value);
}

/// A statement with its values, in order.
class query : public SQLite::Statement {
 public:
  /// @param db outlives the object, and then keeps the statement
  template <class... Values>
  explicit query(const database& db, std::string sql, const Values&... values)
      : SQLite::Statement(db.take(sql)), db_(db), sql_(std::move(sql)) {
    [[maybe_unused]] int place = 0;
    (bind_value(*this, ++place, values), ...);
  }
  query(const query&) = delete;
  query& operator=(const query&) = delete;
  ~query() {
    if (tryReset() == SQLite::OK) db_.prepared_.emplace(std::move(sql_), std::move(*this));
  }

  /// Goes to the next row, at first to the first one. @return whether there is one
  bool next() { return executeStep(); }
  /// A field of that row, by the number of its column.
  SQLite::Column operator[](int column) const { return getColumn(column); }

 private:
  const database& db_;
  std::string sql_;
};

/// The fault of a file that is no database, or a damaged one, in words. Empty if there is none.
inline std::string fault_of(const database& db) {
  try {
    query check(db, "PRAGMA quick_check(1)");
    const std::string found = check.next() ? check[0].getString() : "no answer";
    return found == "ok" ? "" : found;
  } catch (const SQLite::Exception& e) {
    return e.what();
  }
}

/// @throws output_error: a table is not as it was stored
[[noreturn]] inline void refuse_table(const database& db, const std::string& table, const std::string& expected) {
  throw output_error(db.getFilename() + ": table " + table + ": expected " + expected);
}

/// Everything between construction and commit() happens, or nothing.
class transaction : public SQLite::Transaction {
 public:
  explicit transaction(database& db) : SQLite::Transaction(db, SQLite::TransactionBehavior::IMMEDIATE) {}
};

}  // namespace muster
