#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

struct sqlite3;
struct sqlite3_stmt;

namespace muster {

/// A database that cannot be opened, read or written.
class database_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One SQLite file.
class database {
 public:
  /// Opens the file, and creates it if there is none. @throws database_error
  explicit database(const std::string& path);
  /// Opens a file that must be there. @throws database_error
  static database existing(const std::string& path);

  const std::string& file() const { return file_; }  ///< as it was opened
  void execute(const std::string& sql);
  /// What is wrong with the file: no database, or a damaged one. Empty if nothing is.
  std::string fault();

  /// A prepared statement with its values.
  class statement {
   public:
    /// Binds the next values, in order: integers, numbers, texts, or nothing.
    template <class... Values>
    statement& bind(const Values&... values) {
      (bind_next(values), ...);
      return *this;
    }
    /// @return whether there is a row
    bool step();
    /// Binds the values that are left, runs to the end and is ready to be bound again.
    template <class... Values>
    void run(const Values&... values) {
      bind(values...);
      finish();
    }
    template <class Integer = std::int64_t>
    Integer integer(int column) const {
      return static_cast<Integer>(integer_at(column));
    }
    double number(int column) const;
    std::string text(int column) const;
    bool is_null(int column) const;
    bool is_text(int column) const;
    std::optional<double> number_if_any(int column) const {
      return is_null(column) ? std::nullopt : std::optional(number(column));
    }

   private:
    friend class database;
    statement(sqlite3* db, sqlite3_stmt* prepared);
    void check(int code) const;
    template <class Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
    void bind_next(Integer value) {
      bind_integer(static_cast<std::int64_t>(value));
    }
    void bind_next(double value);
    void bind_next(const std::string& value);
    void bind_next(const std::optional<double>& value);
    void bind_integer(std::int64_t value);
    std::int64_t integer_at(int column) const;
    void finish();

    sqlite3* db_;
    std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> prepared_;
    int next_ = 1;
  };

  template <class... Values>
  statement prepare(const std::string& sql, const Values&... values) {
    statement prepared = compile(sql);
    prepared.bind(values...);
    return prepared;
  }

 private:
  database(const std::string& path, int flags);
  statement compile(const std::string& sql);

  std::string file_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> db_;
};

/// Everything between construction and commit() happens, or nothing.
class transaction {
 public:
  explicit transaction(database& db) : db_(db) { db_.execute("BEGIN IMMEDIATE"); }
  transaction(const transaction&) = delete;
  transaction& operator=(const transaction&) = delete;
  ~transaction();
  void commit();

 private:
  database& db_;
  bool open_ = true;
};

}  // namespace muster
