#pragma once

#include <string>
#include <vector>

#include "platform/tables/cell.h"
#include "platform/tables/column.h"

namespace muster {

using table_cells = std::vector<cell>;

/// A result: rows of values below described columns. One is made by a table_layout, and read by the writers: terminal,
/// Markdown, CSV and JSON.
struct data_table {
  std::string name;  ///< for programs
  std::vector<column> columns;
  std::vector<table_cells> rows;  ///< each with a cell for each column
};

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
