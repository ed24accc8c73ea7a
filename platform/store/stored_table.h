#pragma once

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "platform/store/database.h"
#include "platform/tables/table_layout.h"

namespace muster {

/// Whole numbers that say where a row belongs, such as its point.
using row_places = std::vector<std::size_t>;

/// Puts the number or the text of a cell into a member. An empty cell leaves it as it is, unless it is optional.
template <class T>
void take_value(T& into, const cell& from) {
  if constexpr (std::is_arithmetic_v<T>) {
    if (const auto* whole = std::get_if<std::int64_t>(&from.value())) into = static_cast<T>(*whole);
    if (const auto* number = std::get_if<double>(&from.value())) into = static_cast<T>(*number);
  } else if (const auto* text = std::get_if<std::string>(&from.value())) {
    into = *text;
  }
}
template <class T>
void take_value(std::optional<T>& into, const cell& from) {
  into.reset();
  if (!from.is_empty()) take_value(into.emplace(), from);
}

/// The kind of a column of members of a type.
template <class T>
constexpr column_kind kind_of = std::is_floating_point_v<T> ? column_kind::number
                                : std::is_arithmetic_v<T>   ? column_kind::whole
                                                            : column_kind::text;
template <class T>
constexpr column_kind kind_of<std::optional<T>> = kind_of<T>;

/// A member that is stored as a text. `of_text` may throw std::runtime_error.
template <class T, class Of, class To, class From>
struct text_member {
  T Of::*member;
  To to_text;
  From of_text;
};
template <class T, class Of, class To, class From>
text_member(T Of::*, To, From) -> text_member<T, Of, To, From>;

/// The columns of a table whose rows can be made again of their cells.
template <class Row>
class stored_layout : public table_layout<Row> {
 public:
  /// @param columns see has()
  template <class... Columns>
  stored_layout(std::string name, const Columns&... columns) : table_layout<Row>(std::move(name)) {
    has(columns...);
  }

  stored_layout& has() { return *this; }
  /// Adds columns. Behind each is the member that it has: a text, a number, an optional one, or a text_member.
  template <class T, class Of, class... Others>
  stored_layout& has(column c, T Of::*member, const Others&... others) {
    return has_values(std::move(c), kind_of<T>, member,
                      [=](Row& row, const cell& from) { take_value(row.*member, from); })
        .has(others...);
  }
  template <class T, class Of, class To, class From, class... Others>
  stored_layout& has(column c, const text_member<T, Of, To, From>& text, const Others&... others) {
    return has_values(
               std::move(c), column_kind::text,
               [=](const Row& row) { return std::invoke(text.to_text, row.*text.member); },
               [=](Row& row, const cell& from) {
                 if (const auto* stored = std::get_if<std::string>(&from.value()))
                   row.*text.member = text.of_text(*stored);
               })
        .has(others...);
  }
  /// Adds a column. @param take puts what is in a cell into a row
  template <class Value, class Take>
  stored_layout& has_values(column c, column_kind kind, const Value& value, const Take& take) {
    this->add(std::move(c), kind, value);
    takes_.push_back(take);
    return *this;
  }

  Row row(const table_cells& cells) const {
    Row made{};
    for (std::size_t c = 0; c < takes_.size(); ++c) takes_[c](made, cells[c]);
    return made;
  }

 private:
  std::vector<std::function<void(Row&, const cell&)>> takes_;
};

/// A table of a database, whatever its rows are made of. Its functions throw SQLite::Exception.
class table_of_cells {
 public:
  /// A table whose places are keys has its rows in their order, and no index beside them.
  /// @param places names of the first columns, which are keys unless `are_keys` is false @param others behind them
  table_of_cells(std::string name, const std::vector<std::string>& places, bool are_keys,
                 const std::vector<column>& others);

  const std::string& name() const { return name_; }
  /// A condition's end: the rows by their keys, or as they were written where there are none.
  std::string in_order() const;
  /// Creates it, unless it is there.
  void create(database& db) const;
  void clear(database& db) const { db.exec("DELETE FROM " + name_); }
  /// Removes the rows of a replication. @pre the places are point and replication, or begin with them
  void remove(database& db, const row_places& at) const;

 protected:
  /// Adds rows, many of them with each statement: to begin and to end one costs as much as a row or two.
  class adder {
   public:
    /// @param verb `INSERT`, or `REPLACE` for rows that may be there @param to, db outlive the object
    adder(const database& db, const table_of_cells& to, const char* verb) : db_(db), to_(to), verb_(verb) {}

    void add(row_places at, table_cells cells);
    /// Adds what is still to be added.
    void finish();

   private:
    static constexpr std::size_t together = 32;  // rows of a statement

    struct row {
      row_places at;
      table_cells cells;
    };

    void bind(query& to, const row& added, int& place) const;

    const database& db_;
    const table_of_cells& to_;
    const char* verb_;
    std::optional<query> many_;
    std::vector<row> rows_;  // to be added
  };

  // The statement that adds so many rows.
  std::string adding(const char* verb, std::size_t rows) const;
  /// Calls take(places, cells) for each row. A column that an earlier version has not stored has empty cells.
  /// @throws output_error: a row has a text in place of a number, or `take` throws std::runtime_error
  void read_cells(const database& db, query& rows,
                  const std::function<void(const row_places&, const table_cells&)>& take) const;

 private:
  std::string name_;
  std::vector<std::string> keys() const;

  std::vector<column> columns_;
  std::size_t places_;
};

/// A table of a database.
template <class Row>
class stored_table : public table_of_cells {
 public:
  /// @param layout has the name of the table, and its columns behind the places
  explicit stored_table(stored_layout<Row> layout, const std::vector<std::string>& places = {}, bool are_keys = true)
      : table_of_cells(layout.name(), places, are_keys, layout.columns()), layout_(std::move(layout)) {}

  void write(const database& db, const Row& row, const row_places& at = {}) const {
    write_each(db, "INSERT", [&](const auto& add) { add(at, row); });
  }
  /// Writes rows in whatever places. @param all calls the function that it is given with the places and the row of each
  /// @param verb `INSERT`, or `REPLACE` for rows that may be there
  template <class All>
  void write_each(const database& db, const char* verb, const All& all) const {
    adder rows(db, *this, verb);
    all([&](const row_places& at, const Row& row) { rows.add(at, layout_.cells(row)); });
    rows.finish();
  }
  /// @param verb `INSERT`, or `REPLACE` for rows that may be there
  template <class Rows>
  void write_all(const database& db, const Rows& rows, const row_places& at = {}, const char* verb = "INSERT") const {
    write_each(db, verb, [&](const auto& add) {
      for (const Row& row : rows) add(at, row);
    });
  }
  /// Writes rows whose last place is their number. @param at the other places
  template <class Rows>
  void write_numbered(const database& db, const Rows& rows, row_places at = {}) const {
    at.push_back(0);
    write_each(db, "INSERT", [&](const auto& add) {
      for (auto row = rows.begin(); row != rows.end(); ++row, ++at.back()) add(at, *row);
    });
  }

  /// Calls take(places, row) for the rows that a condition selects.
  /// @param condition what follows the name of the table, with `?` for each of the values
  template <class Take, class... Values>
  void read(const database& db, const std::string& condition, const Take& take, const Values&... values) const {
    query found(db, "SELECT * FROM " + name() + " " + condition, values...);
    read_cells(db, found, [&](const row_places& at, const table_cells& cells) { take(at, layout_.row(cells)); });
  }
  template <class... Values>
  std::vector<Row> rows(const database& db, const std::string& condition, const Values&... values) const {
    std::vector<Row> all;
    const auto add = [&](const row_places&, Row&& row) { all.push_back(std::move(row)); };
    read(db, condition, add, values...);
    return all;
  }
  /// The first of those rows, if there is any.
  template <class... Values>
  std::optional<Row> row(const database& db, const std::string& condition, const Values&... values) const {
    std::vector<Row> all = rows(db, condition, values...);
    return all.empty() ? std::nullopt : std::optional(std::move(all.front()));
  }

 private:
  stored_layout<Row> layout_;
};

}  // namespace muster
