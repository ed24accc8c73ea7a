#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "platform/tables/data_table.h"

namespace muster {

/// The table for a terminal: heads and cells set in columns, numbers to the right.
std::string to_terminal(const data_table& table);

/// The table in Markdown, as people read it: with its heads, without a heading of its own.
std::string to_markdown(const data_table& table);

/// The table as CSV (RFC 4180): a line of names, and one for each row.
std::string to_csv(const data_table& table);

/// @name Parts of CSV, for files that are written line by line
/// @{
/// A text as a field: quoted where it holds a comma, a quote or an end of a line.
std::string csv_field(const std::string& text);
/// The fields as a line.
std::string csv_line(const std::vector<std::string>& fields);
/// The fields of a row: a number as the shortest text that gives it back, nothing as an empty field.
std::vector<std::string> csv_texts(const std::vector<column>& columns, const table_cells& row);
/// The names of the columns, as the first row has them.
std::vector<std::string> csv_names(const std::vector<column>& columns);
/// @}

/// The rows as a list of objects: numbers are numbers, nothing and an empty text are null, a note is always a text.
nlohmann::ordered_json to_json(const data_table& table);

/// The row for the page: numbers are numbers, nothing is null, a number that is not finite is a text, as JSON does not
/// know it. @param digits of numbers, significant ones; 0: all
nlohmann::ordered_json to_page(const table_cells& row, int digits = 0);

/// The table for the page: `columns`, their names; `texts`, how many columns of texts come first; `words`, each of
/// their texts once; `rows`, with the place among the words for each of those texts. Null without rows.
nlohmann::ordered_json to_page(const data_table& table, int digits = 0);

}  // namespace muster
