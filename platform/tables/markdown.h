#pragma once

#include <string>

#include "platform/tables/data_table.h"

namespace muster {

/// The table in Markdown, as people read it: with its heads, without a heading of its own.
std::string to_markdown(const data_table& table);

}  // namespace muster
