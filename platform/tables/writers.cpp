#include "platform/tables/writers.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <boost/algorithm/string/replace.hpp>
#include <nlohmann/json.hpp>

#include "platform/tables/number_text.h"

namespace muster {

namespace {

using json = nlohmann::ordered_json;

// A column as a terminal has it: the head, then the cells.
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

struct value_for_csv {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(const interval_value& number) const { return (*this)(number.mean); }
  template <class Value>
  std::string operator()(const Value& value) const {
    return fmt::format("{}", value);
  }
};

struct value_for_json {
  json operator()(std::monostate) const { return nullptr; }
  json operator()(const std::string& text) const { return text.empty() ? json() : json(text); }
  json operator()(std::int64_t number) const { return number; }
  // A whole number has no fraction, as counts are written.
  json operator()(double number) const {
    constexpr double largest = 9007199254740992.0;
    const bool whole = number == std::floor(number) && std::abs(number) < largest;
    return whole ? json(static_cast<std::int64_t>(number)) : json(number);
  }
  json operator()(const interval_value& number) const { return (*this)(number.mean); }
};

struct value_for_page {
  int digits;

  json operator()(std::monostate) const { return nullptr; }
  json operator()(const std::string& text) const { return text; }
  json operator()(std::int64_t number) const { return number; }
  json operator()(double number) const {
    const double shown = digits > 0 ? rounded_to_digits(number, digits) : number;
    return std::isfinite(shown) ? json(shown) : json(fmt::format("{}", shown));
  }
  json operator()(const interval_value& number) const { return (*this)(number.mean); }
};

}  // namespace

std::string to_terminal(const data_table& table) {
  std::vector<printed_column> columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].is_said_above) continue;
    printed_column& next = columns.emplace_back();
    next.add(head_of(table.columns[c]));
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

std::string to_markdown(const data_table& table) {
  const auto line = [&](const auto& text_of) {
    std::string fields = "|";
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      fields += " " + boost::replace_all_copy(std::string(text_of(c)), "|", "\\|") + " |";
    return fields + "\n";
  };
  std::string text = line([&](std::size_t c) { return head_of(table.columns[c]); });
  text += line([](std::size_t) { return "---"; });
  for (const table_cells& row : table.rows)
    text += line([&](std::size_t c) { return shown_text(table.columns[c], row[c]); });
  return text;
}

std::string to_csv(const data_table& table) {
  std::string text = csv_line(csv_names(table.columns));
  for (const table_cells& row : table.rows) text += csv_line(csv_texts(table.columns, row));
  return text;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  return '"' + boost::replace_all_copy(text, "\"", "\"\"") + '"';
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) line += (&field == &fields.front() ? "" : ",") + csv_field(field);
  return line + "\n";
}

std::vector<std::string> csv_texts(const std::vector<column>& columns, const table_cells& row) {
  std::vector<std::string> texts;
  for_each_field(columns, row, [&](const std::string&, const cell& value, bool) {
    texts.push_back(std::visit(value_for_csv{}, value.value()));
  });
  return texts;
}

std::vector<std::string> csv_names(const std::vector<column>& columns) {
  std::vector<std::string> names;
  for_each_field(columns, table_cells(columns.size()),
                 [&](const std::string& name, const cell&, bool) { names.push_back(name); });
  return names;
}

json to_json(const data_table& table) {
  json rows = json::array();
  for (const table_cells& row : table.rows) {
    json& object = rows.emplace_back(json::object());
    for_each_field(table.columns, row, [&](const std::string& name, const cell& value, bool is_note) {
      object[name] = is_note ? json(std::get<std::string>(value.value())) : std::visit(value_for_json{}, value.value());
    });
  }
  return rows;
}

json to_page(const table_cells& row, int digits) {
  json values = json::array();
  for (const cell& value : row) values.push_back(std::visit(value_for_page{digits}, value.value()));
  return values;
}

json to_page(const data_table& table, int digits) {
  if (table.rows.empty()) return nullptr;
  json columns = json::array(), words = json::array(), rows = json::array();
  for (const column& c : table.columns) columns.push_back(c.name);
  const auto first_number = std::find_if(table.columns.begin(), table.columns.end(),
                                         [](const column& c) { return c.kind != column_kind::text; });
  const auto texts = static_cast<std::size_t>(first_number - table.columns.begin());
  std::map<std::string, std::size_t> places;
  for (const table_cells& row : table.rows) {
    json& values = rows.emplace_back(to_page(row, digits));
    for (std::size_t c = 0; c < texts; ++c) {
      const auto [place, is_new] = places.emplace(values[c].get<std::string>(), words.size());
      if (is_new) words.push_back(place->first);
      values[c] = place->second;
    }
  }
  return {{"columns", std::move(columns)}, {"texts", texts}, {"words", std::move(words)}, {"rows", std::move(rows)}};
}

}  // namespace muster
