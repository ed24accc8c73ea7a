#pragma once

#include <string>
#include <vector>

#include "platform/tables/data_table.h"

namespace muster {

/// A text as a field of a CSV table (RFC 4180): quoted where it holds a comma, a quote or an end of a line.
std::string csv_field(const std::string& text);

/// The fields of a row: a number as the shortest text that gives it back, nothing as an empty field.
std::vector<std::string> csv_texts(const std::vector<column>& columns, const table_cells& row);
/// The names of the columns, as the first row has them.
std::vector<std::string> csv_names(const std::vector<column>& columns);
/// The fields as a line.
std::string csv_line(const std::vector<std::string>& fields);

/// The table as CSV: a line of names, and one for each row.
std::string to_csv(const data_table& table);

}  // namespace muster
