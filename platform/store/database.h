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
/// if somebody looks at the results while they come in.
/// @param flags may have SQLite::OPEN_CREATE: a file that is not there is created
inline SQLite::Database open_database(const std::string& file, int flags = SQLite::OPEN_READWRITE) {
  return {file, flags, 60'000};
}

/// Binds one value: an integer, a number, a text, or nothing.
template <class T>
void bind_value(SQLite::Statement& to, int place, const T& value) {
  if constexpr (std::is_integral_v<T>)
    to.bind(place, static_cast<std::int64_t>(value));
  else
    to.bind(place, value);
}
template <class T>
void bind_value(SQLite::Statement& to, int place, const std::optional<T>& value) {
  if (value)
    bind_value(to, place, *value);
  else
    to.bind(place);
}

/// A field of a row. It is converted to what it initialises: an integer, a number or a text.
class stored_field {
 public:
  explicit stored_field(SQLite::Column column) : column_(std::move(column)) {}

  template <class T>
  T as() const {
    if constexpr (std::is_same_v<T, bool>)
      return column_.getInt64() != 0;
    else if constexpr (std::is_integral_v<T>)
      return static_cast<T>(column_.getInt64());
    else if constexpr (std::is_floating_point_v<T>)
      return column_.getDouble();
    else
      return column_.getString();
  }
  template <class T>
  operator T() const {
    return as<T>();
  }
  std::optional<double> number_if_any() const { return is_null() ? std::nullopt : std::optional(column_.getDouble()); }
  std::string text() const { return column_.getString(); }
  bool is_null() const { return column_.isNull(); }
  bool is_text() const { return column_.isText(); }

 private:
  SQLite::Column column_;
};

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
  stored_field operator[](int column) const { return stored_field(getColumn(column)); }
};

/// What is wrong with a file: it is no database, or a damaged one. Empty if nothing is.
inline std::string fault_of(const SQLite::Database& db) {
  try {
    query check(db, "PRAGMA quick_check(1)");
    const std::string found = check.next() ? check[0].text() : "no answer";
    return found == "ok" ? "" : found;
  } catch (const SQLite::Exception& e) {
    return e.what();
  }
}

/// @throws output_error: a table is not as it was stored
[[noreturn]] inline void refuse_table(const SQLite::Database& db, const char* table, const std::string& expected) {
  throw output_error(db.getFilename() + ": table " + table + ": expected " + expected);
}

/// Adds rows to a table.
class row_writer {
 public:
  row_writer(const SQLite::Database& db, std::string table) : db_(db), table_(std::move(table)) {}

  /// @param values of all columns, in their order
  template <class... Values>
  void add(const Values&... values) {
    if (!insert_) {
      std::string places = "?";
      for (std::size_t n = 1; n < sizeof...(values); ++n) places += ", ?";
      insert_.emplace(db_, "INSERT INTO " + table_ + " VALUES (" + places + ")");
    }
    insert_->reset();
    int place = 0;
    (bind_value(*insert_, ++place, values), ...);
    insert_->exec();
  }

 private:
  const SQLite::Database& db_;
  std::string table_;
  std::optional<SQLite::Statement> insert_;
};

/// Everything between construction and commit() happens, or nothing.
class transaction : public SQLite::Transaction {
 public:
  explicit transaction(SQLite::Database& db) : SQLite::Transaction(db, SQLite::TransactionBehavior::IMMEDIATE) {}
};

}  // namespace muster
