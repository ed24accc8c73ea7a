#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "platform/tables/cell.h"

namespace muster {

/// What a column has. Programs get one value of it, and with an interval also NAME_ci_low and NAME_ci_high.
enum class column_kind : std::uint8_t {
  text,
  whole,  ///< numbers without a fraction
  number,
  setting,   ///< what scenarios have for a key: a text or a number
  interval,  ///< numbers with 95 % intervals
  estimate,  ///< numbers with 95 % intervals and reasons for caution, which programs get as NAME_note
};

/// The description of a column.
struct column {
  // NOLINTBEGIN(google-explicit-constructor): most columns are no more than their head
  column(std::string head_text) : head(std::move(head_text)) {}
  column(const char* head_text) : head(head_text) {}
  // NOLINTEND(google-explicit-constructor)

  /// @name Setters of what is not as usual
  /// @{
  column& named(std::string for_programs) { return name = std::move(for_programs), *this; }
  column& in(std::string unit_of_values) { return unit = std::move(unit_of_values), *this; }
  column& formatted(std::string as_fmt_has_it) { return format = std::move(as_fmt_has_it), *this; }
  column& with_digits(int at_most) { return digits = at_most, *this; }
  column& said_above() { return is_said_above = true, *this; }
  column& as_key() { return is_key = true, *this; }
  /// @}

  std::string head;               ///< for people
  std::string name{};             ///< for programs; a layout makes it of the head, with `_` in the place of blanks
  std::string unit{};             ///< of the values; people read it behind the head
  std::string format = "{:.6g}";  ///< of numbers for people
  int digits = 4;                 ///< of a number with an interval for people, at most
  bool is_said_above = false;     ///< a terminal has the value above the table, not in it
  bool is_key = false;            ///< a store's table has it in its primary key
  column_kind kind = column_kind::text;
};

using table_cells = std::vector<cell>;

/// A result: rows of values below described columns. One is made by a table_layout, and read by the writers.
struct data_table {
  std::string name;  ///< for programs
  std::vector<column> columns;
  std::vector<table_cells> rows;  ///< each with a cell for each column
};

/// The head of a column for people, with the unit: "response_time (s)".
std::string head_of(const column& c);

/// What people read in a cell.
std::string shown_text(const column& c, const cell& value);

/// The table without the columns in which no row has anything. Without rows it stays as it is.
data_table without_empty_columns(const data_table& table);

/// The fields of a row as programs get them: calls on(name, value, is_note) with a cell that holds nothing, a text, a
/// whole number or a number. Columns without a name are left out.
template <class Function>
void for_each_field(const std::vector<column>& columns, const table_cells& row, const Function& on) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::string& name = columns[c].name;
    if (name.empty()) continue;
    const auto* number = std::get_if<interval_value>(&row[c].value());
    on(name, number ? cell(number->mean) : row[c], false);
    if (columns[c].kind != column_kind::interval && columns[c].kind != column_kind::estimate) continue;
    on(name + "_ci_low", number ? cell(number->ci_low) : cell(), false);
    on(name + "_ci_high", number ? cell(number->ci_high) : cell(), false);
    if (columns[c].kind == column_kind::estimate) on(name + "_note", number ? cell(number->note) : cell(""), true);
  }
}

}  // namespace muster
