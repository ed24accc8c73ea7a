#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <boost/algorithm/string/replace.hpp>

#include "platform/tables/data_table.h"

namespace muster {

/// The columns of a table, each declared once: with its description, and with how its value is found in what a row is
/// made of. The order of the calls is that of the columns.
/// @tparam Row what a row is made of
template <class Row>
class table_layout {
 public:
  /// @param name of the table for programs
  explicit table_layout(std::string name) : name_(std::move(name)) {}

  /// @name Columns by kind
  /// @param value a function of the row or one of its members
  /// @{
  template <class Value>
  table_layout& text(column c, const Value& value) {
    return add(std::move(c), column_kind::text, value);
  }
  template <class Value>
  table_layout& whole(column c, const Value& value) {
    return add(std::move(c), column_kind::whole, value);
  }
  template <class Value>
  table_layout& number(column c, const Value& value) {
    return add(std::move(c), column_kind::number, value);
  }
  /// @param value has a text, see setting_cell()
  template <class Value>
  table_layout& setting(column c, const Value& value) {
    return add(std::move(c), column_kind::setting,
               [value](const Row& row) { return setting_cell(std::invoke(value, row)); });
  }
  template <class Value>
  table_layout& interval(column c, const Value& value) {
    return add(std::move(c), column_kind::interval, value);
  }
  template <class Value>
  table_layout& estimate(column c, const Value& value) {
    return add(std::move(c), column_kind::estimate, value);
  }
  /// A column for each key of a sweep. @param values has the texts that the sweep puts in, in the order of the keys
  template <class Values>
  table_layout& settings(const std::vector<std::string>& keys, const Values& values) {
    for (std::size_t k = 0; k < keys.size(); ++k)
      setting(keys[k], [values, k](const Row& row) -> std::string { return std::invoke(values, row)[k]; });
    return *this;
  }
  /// All columns of another layout. @param part has what a row of that layout is made of
  template <class Part, class Value>
  table_layout& all_of(const table_layout<Part>& other, const Value& part) {
    for (std::size_t c = 0; c < other.columns_.size(); ++c)
      add(other.columns_[c], other.columns_[c].kind,
          [value = other.values_[c], part](const Row& row) { return value(std::invoke(part, row)); });
    return *this;
  }
  /// @}

  template <class Value>
  table_layout& add(column c, column_kind kind, const Value& value) {
    c.kind = kind;
    if (c.name.empty()) c.name = boost::replace_all_copy(c.head, " ", "_");
    columns_.push_back(std::move(c));
    values_.push_back([value](const Row& row) { return cell(std::invoke(value, row)); });
    return *this;
  }

  const std::string& name() const { return name_; }
  const std::vector<column>& columns() const { return columns_; }
  table_cells cells(const Row& row) const {
    table_cells all;
    all.reserve(values_.size());
    for (const auto& value : values_) all.push_back(value(row));
    return all;
  }
  /// @param rows a range of what rows are made of
  template <class Rows>
  data_table table(const Rows& rows) const {
    data_table made{name_, columns_, {}};
    for (const auto& row : rows) made.rows.push_back(cells(row));
    return made;
  }

 private:
  template <class>
  friend class table_layout;

  std::string name_;
  std::vector<column> columns_;
  std::vector<std::function<cell(const Row&)>> values_;
};

}  // namespace muster
