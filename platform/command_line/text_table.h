#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "platform/command_line/table_field.h"
#include "platform/metrics/caution.h"
#include "platform/metrics/number_text.h"

namespace muster {

/// Lines of fields set in columns: the first row is the head, numbers to the right.
std::string text_table(const std::vector<table_row>& rows);

/// Without the columns that say nothing, "-" or nothing at all, in any row but the head.
std::vector<table_row> without_empty_columns(const std::vector<table_row>& table);

/// A number of a table with the letters of what is to be known of it: "4400 +- 2600 b".
std::string marked(const std::string& number, const cautions& marks);

/// What the letters of a table stand for, a line each.
std::string explained(const cautions& marks);

/// "1 point", "2 points".
std::string counted(std::size_t n, const char* what);

}  // namespace muster
