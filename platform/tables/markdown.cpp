#include "platform/tables/markdown.h"

#include <boost/algorithm/string/replace.hpp>

namespace muster {

std::string to_markdown(const data_table& table) {
  const auto line = [&](const auto& text_of) {
    std::string fields = "|";
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      fields += " " + boost::replace_all_copy(std::string(text_of(c)), "|", "\\|") + " |";
    return fields + "\n";
  };
  std::string text = line([&](std::size_t c) { return table.columns[c].head; });
  text += line([](std::size_t) { return "---"; });
  for (const table_cells& row : table.rows)
    text += line([&](std::size_t c) { return shown_text(table.columns[c], row[c]); });
  return text;
}

}  // namespace muster
