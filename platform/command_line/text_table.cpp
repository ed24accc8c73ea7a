#include "platform/command_line/text_table.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace muster {

std::string text_table(const std::vector<table_row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  std::vector<bool> numeric(widths.size(), true);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const std::string& field = rows[r][c];
      widths[c] = std::max(widths[c], field.size());
      const bool number = field.empty() || field == "-" || std::isdigit(static_cast<unsigned char>(field.front()));
      if (r > 0 && !number) numeric[c] = false;
    }
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c)
      line += (c ? "  " : "") +
              (numeric[c] ? fmt::format("{:>{}}", row[c], widths[c]) : fmt::format("{:<{}}", row[c], widths[c]));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace muster
