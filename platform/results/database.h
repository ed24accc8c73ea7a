#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

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

  void execute(const std::string& sql);
  /// What is wrong with the file: no database, or a damaged one. Empty if nothing is.
  std::string fault();

  /// A prepared statement; bind in order, then step.
  class statement {
   public:
    statement& bind(std::int64_t value);
    statement& bind(double value);
    statement& bind(const std::string& value);
    statement& bind_null();
    statement& bind(const std::optional<double>& value) { return value ? bind(*value) : bind_null(); }
    /// @return whether there is a row
    bool step();
    /// Runs to the end and is ready to be bound again.
    void run();
    std::int64_t integer(int column) const;
    double number(int column) const;
    std::string text(int column) const;
    bool is_null(int column) const;

   private:
    friend class database;
    statement(sqlite3* db, sqlite3_stmt* prepared);
    void check(int code) const;

    sqlite3* db_;
    std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> prepared_;
    int next_ = 1;
  };

  statement prepare(const std::string& sql);

 private:
  database(const std::string& path, int flags);

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
