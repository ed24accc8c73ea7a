#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

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

/// Opens a file, not read-only even to read: what a killed run left half done is rolled back first. Waits for a minute
/// if somebody looks at the results while they come in. No two threads may use it at once: it has no locks for them.
/// @param flags may have SQLite::OPEN_CREATE: a file that is not there is created
inline SQLite::Database open_database(const std::string& file, int flags = SQLite::OPEN_READWRITE) {
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
  template <class... Values>
  explicit query(const SQLite::Database& db, const std::string& sql, const Values&... values)
      : SQLite::Statement(db, sql) {
    [[maybe_unused]] int place = 0;
    (bind_value(*this, ++place, values), ...);
  }

  /// Goes to the next row, at first to the first one. @return whether there is one
  bool next() { return executeStep(); }
  /// A field of that row, by the number of its column.
  SQLite::Column operator[](int column) const { return getColumn(column); }
};

/// The fault of a file that is no database, or a damaged one, in words. Empty if there is none.
inline std::string fault_of(const SQLite::Database& db) {
  try {
    query check(db, "PRAGMA quick_check(1)");
    const std::string found = check.next() ? check[0].getString() : "no answer";
    return found == "ok" ? "" : found;
  } catch (const SQLite::Exception& e) {
    return e.what();
  }
}

/// @throws output_error: a table is not as it was stored
[[noreturn]] inline void refuse_table(const SQLite::Database& db, const std::string& table,
                                      const std::string& expected) {
  throw output_error(db.getFilename() + ": table " + table + ": expected " + expected);
}

/// Everything between construction and commit() happens, or nothing.
class transaction : public SQLite::Transaction {
 public:
  explicit transaction(SQLite::Database& db) : SQLite::Transaction(db, SQLite::TransactionBehavior::IMMEDIATE) {}
};

}  // namespace muster
