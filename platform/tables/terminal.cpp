#include "platform/tables/terminal.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include <fmt/format.h>

namespace muster {

namespace {

// A column as it is printed: the head, then the cells.
struct printed_column {
  std::vector<std::string> texts;
  std::size_t width = 0;
  bool numeric = true;

  void add(std::string text) {
    width = std::max(width, text.size());
    const bool number = text.empty() || text == "-" || std::isdigit(static_cast<unsigned char>(text.front()));
    if (!texts.empty() && !number) numeric = false;
    texts.push_back(std::move(text));
  }
};

}  // namespace

std::string to_terminal(const data_table& table) {
  std::vector<printed_column> columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].is_said_above) continue;
    printed_column& next = columns.emplace_back();
    next.add(table.columns[c].head);
    for (const table_cells& row : table.rows) next.add(shown_text(table.columns[c], row[c]));
  }
  std::string text;
  for (std::size_t r = 0; r <= table.rows.size(); ++r) {
    std::string line;
    for (const printed_column& c : columns)
      line += (&c == &columns.front() ? "" : "  ") +
              (c.numeric ? fmt::format("{:>{}}", c.texts[r], c.width) : fmt::format("{:<{}}", c.texts[r], c.width));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace muster
