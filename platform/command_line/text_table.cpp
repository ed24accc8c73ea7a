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
      const std::string& field = rows[r][c].text;
      widths[c] = std::max(widths[c], field.size());
      const bool number = field.empty() || field == "-" || std::isdigit(static_cast<unsigned char>(field.front()));
      if (r > 0 && !number) numeric[c] = false;
    }
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c)
      line += (c ? "  " : "") + (numeric[c] ? fmt::format("{:>{}}", row[c].text, widths[c])
                                            : fmt::format("{:<{}}", row[c].text, widths[c]));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::vector<table_row> without_empty_columns(const std::vector<table_row>& table) {
  std::vector<table_row> kept(table.size());
  for (std::size_t c = 0; c < table.front().size(); ++c) {
    const bool empty = table.size() > 1 && std::all_of(table.begin() + 1, table.end(), [&](const auto& row) {
                         return row[c].text == "-" || row[c].text.empty();
                       });
    for (std::size_t r = 0; !empty && r < table.size(); ++r) kept[r].push_back(table[r][c]);
  }
  return kept;
}

std::string marked(const std::string& number, const cautions& marks) {
  return marks.any() ? fmt::format("{} {}", number, marks.letters()) : number;
}

std::string explained(const cautions& marks) {
  std::string text;
  for (const caution_entry& entry : caution_catalogue())
    if (marks.has(entry.reason)) text += fmt::format("{}  {}: {}\n", entry.letter, entry.word, entry.about);
  return text;
}

std::string counted(std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

}  // namespace muster
