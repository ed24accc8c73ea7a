#pragma once

#include <cstdint>

namespace muster {

/// How a command prints what it has found.
enum class output_format : std::uint8_t {
  table,     ///< sentences and tables for a terminal
  csv,       ///< the command's main table, RFC 4180
  json,      ///< all tables in one document
  markdown,  ///< all tables
};

}  // namespace muster
