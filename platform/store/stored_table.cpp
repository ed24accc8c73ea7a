#include "platform/store/stored_table.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muster {

namespace {

const char* sql_type(column_kind kind) {
  return kind == column_kind::whole ? "INTEGER" : kind == column_kind::number ? "REAL" : "TEXT";
}

// A number that was overwritten by a text would read as 0.
cell cell_in(const SQLite::Column& field, const column& c) {
  const int type = field.getType();
  if (type == SQLite::Null) return {};
  if (c.kind == column_kind::text) return field.getString();
  if (type == SQLite::INTEGER) return field.getInt64();
  if (type != SQLite::FLOAT) throw std::runtime_error("expected numbers as " + c.name);
  return field.getDouble();
}

}  // namespace

table_of_cells::table_of_cells(std::string name, const std::vector<std::string>& places, bool are_keys,
                               const std::vector<column>& others)
    : name_(std::move(name)), places_(places.size()) {
  for (const std::string& place : places) {
    columns_.push_back(column(place).named(place));
    columns_.back().kind = column_kind::whole;
    columns_.back().is_key = are_keys;
  }
  columns_.insert(columns_.end(), others.begin(), others.end());
}

std::vector<std::string> table_of_cells::keys() const {
  std::vector<std::string> names;
  for (const column& c : columns_)
    if (c.is_key) names.push_back(c.name);
  return names;
}

std::string table_of_cells::in_order() const {
  const std::vector<std::string> names = keys();
  return names.empty() ? "ORDER BY rowid" : fmt::format("ORDER BY {}", fmt::join(names, ", "));
}

void table_of_cells::create(database& db) const {
  std::vector<std::string> parts;
  for (const column& c : columns_) parts.push_back(fmt::format("\"{}\" {}", c.name, sql_type(c.kind)));
  const std::vector<std::string> names = keys();
  if (!names.empty()) parts.push_back(fmt::format("PRIMARY KEY ({})", fmt::join(names, ", ")));
  // Many short rows: an index would take half as much again. Rows without places may be long.
  const bool by_keys = places_ > 0 && columns_.front().is_key;
  db.exec(fmt::format("CREATE TABLE IF NOT EXISTS {} ({}){}", name_, fmt::join(parts, ", "),
                      by_keys ? " WITHOUT ROWID" : ""));
}

void table_of_cells::remove(database& db, const row_places& at) const {
  query(db, "DELETE FROM " + name_ + " WHERE point = ? AND replication = ?", at[0], at[1]).exec();
}

std::string table_of_cells::adding(const char* verb, std::size_t rows) const {
  const std::vector<std::string> values(columns_.size(), "?");
  const std::vector<std::string> each(rows, fmt::format("({})", fmt::join(values, ", ")));
  return fmt::format("{} INTO {} VALUES {}", verb, name_, fmt::join(each, ", "));
}

void table_of_cells::adder::bind(query& to, const row& added, int& place) const {
  for (const std::size_t of_row : added.at) bind_value(to, ++place, of_row);
  for (const cell& value : added.cells) {
    ++place;
    if (const auto* text = std::get_if<std::string>(&value.value()))
      to.bindNoCopy(place, *text);
    else if (const auto* whole = std::get_if<std::int64_t>(&value.value()))
      to.bind(place, *whole);
    else if (const auto* number = std::get_if<double>(&value.value()))
      to.bind(place, *number);
    else
      to.bind(place);
  }
}

void table_of_cells::adder::add(row_places at, table_cells cells) {
  rows_.push_back({std::move(at), std::move(cells)});
  if (rows_.size() < together) return;
  if (!many_) many_.emplace(db_, to_.adding(verb_, together));
  int place = 0;
  for (const row& added : rows_) bind(*many_, added, place);
  many_->exec();
  many_->reset();
  rows_.clear();
}

void table_of_cells::adder::finish() {
  if (rows_.empty()) return;
  query one(db_, to_.adding(verb_, 1));
  for (const row& added : rows_) {
    int place = 0;
    bind(one, added, place);
    one.exec();
    one.reset();
  }
  rows_.clear();
}

void table_of_cells::read_cells(const database& db, query& rows,
                                const std::function<void(const row_places&, const table_cells&)>& take) const {
  std::vector<int> numbers(columns_.size(), -1);
  for (int n = 0; n < rows.getColumnCount(); ++n)
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (columns_[c].name == rows.getColumnName(n)) numbers[c] = n;
  row_places at(places_);
  table_cells cells(columns_.size() - places_);
  while (rows.next()) {
    std::fill(at.begin(), at.end(), 0);
    try {
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        cell value = numbers[c] < 0 ? cell() : cell_in(rows.getColumn(numbers[c]), columns_[c]);
        if (c < places_)
          take_value(at[c], value);
        else
          cells[c - places_] = std::move(value);
      }
      take(at, cells);
    } catch (const output_error&) {
      throw;
    } catch (const std::runtime_error& e) {
      throw output_error(fmt::format("{}: table {}: {}", db.getFilename(), name_, e.what()));
    }
  }
}

}  // namespace muster
