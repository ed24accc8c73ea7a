#pragma once

#include <string>

namespace muster {

/// Text as a field of a CSV table (RFC 4180): quoted where it holds a comma, a quote or an end of a line.
inline std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace muster
