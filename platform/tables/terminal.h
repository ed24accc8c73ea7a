#pragma once

#include <string>

#include "platform/tables/data_table.h"

namespace muster {

/// The table for a terminal: heads and cells set in columns, numbers to the right.
std::string to_terminal(const data_table& table);

}  // namespace muster
