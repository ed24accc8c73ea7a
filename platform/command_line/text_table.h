#pragma once

#include <string>
#include <vector>

#include "platform/command_line/table_field.h"
#include "platform/tables/number_text.h"

namespace muster {

/// The rows for a terminal, the head first: fields set in columns, numbers to the right.
std::string text_table(const std::vector<table_row>& rows);

}  // namespace muster
