#include "platform/tables/csv.h"

#include <fmt/format.h>
#include <boost/algorithm/string/replace.hpp>

namespace muster {

namespace {

struct text_for_csv {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
  std::string operator()(double number) const { return fmt::format("{}", number); }
  std::string operator()(const interval_value& number) const { return (*this)(number.mean); }
};

}  // namespace

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  return '"' + boost::replace_all_copy(text, "\"", "\"\"") + '"';
}

std::vector<std::string> csv_texts(const std::vector<column>& columns, const table_cells& row) {
  std::vector<std::string> texts;
  for_each_field(columns, row, [&](const std::string&, const cell& value, bool) {
    texts.push_back(std::visit(text_for_csv{}, value.value()));
  });
  return texts;
}

std::vector<std::string> csv_names(const std::vector<column>& columns) {
  std::vector<std::string> names;
  for_each_field(columns, table_cells(columns.size()),
                 [&](const std::string& name, const cell&, bool) { names.push_back(name); });
  return names;
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) line += (&field == &fields.front() ? "" : ",") + csv_field(field);
  return line + "\n";
}

std::string to_csv(const data_table& table) {
  std::string text = csv_line(csv_names(table.columns));
  for (const table_cells& row : table.rows) text += csv_line(csv_texts(table.columns, row));
  return text;
}

}  // namespace muster
