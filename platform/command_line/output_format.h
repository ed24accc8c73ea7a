#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

namespace muster {

/// How a command prints what it has found.
enum class output_format : std::uint8_t {
  table,     ///< sentences and tables for a terminal
  csv,       ///< the command's main table, RFC 4180
  json,      ///< all tables in one document
  markdown,  ///< all tables
};

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
