#pragma once

#include <string_view>
#include <vector>

#include "platform/tables/output_format.h"

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

namespace muster {

struct named_format {
  std::string_view name;
  output_format format;
};

/// All formats, the default first.
const std::vector<named_format>& format_catalogue();

/// --format
/// @param main what the command's main table has, as help names it
void add_format(CLI::App& command, output_format& format, std::string_view main);

}  // namespace muster
