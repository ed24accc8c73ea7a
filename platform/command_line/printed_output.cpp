#include "platform/command_line/printed_output.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include <fmt/format.h>
#include <boost/algorithm/string/replace.hpp>
#include <nlohmann/json.hpp>

#include "platform/command_line/text_table.h"
#include "platform/metrics/csv_field.h"

namespace muster {

namespace {

using kind = table_field::column_kind;

std::string name_of(const table_field& head) {
  return head.name.empty() ? boost::replace_all_copy(head.text, " ", "_") : head.name;
}

// A number, a text, or null.
using value = nlohmann::ordered_json;

value value_of(const std::optional<double>& number) { return number ? value(*number) : value(); }

value value_of(const table_field& field) {
  if (field.number) return *field.number;
  return field.text.empty() || field.text == "-" ? value() : value(field.text);
}

// Calls `on` with the name and the value of each column for programs: of those that have a name.
template <class Function>
void for_each_value(const table_row& heads, const table_row& row, const Function& on) {
  for (std::size_t c = 0; c < heads.size(); ++c) {
    const std::string name = name_of(heads[c]);
    if (name.empty()) continue;
    on(name, value_of(row[c]));
    if (heads[c].kind == kind::value) continue;
    on(name + "_ci_low", value_of(row[c].ci_low));
    on(name + "_ci_high", value_of(row[c].ci_high));
    if (heads[c].kind == kind::marked_interval) on(name + "_note", value(row[c].note));
  }
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) line += (&field == &fields.front() ? "" : ",") + csv_field(field);
  return line + "\n";
}

std::string markdown_line(const std::vector<std::string>& fields) {
  std::string line = "|";
  for (const std::string& field : fields) line += " " + boost::replace_all_copy(field, "|", "\\|") + " |";
  return line + "\n";
}

std::vector<std::string> texts_of(const table_row& row) {
  std::vector<std::string> texts;
  texts.reserve(row.size());
  for (const table_field& field : row) texts.push_back(field.text);
  return texts;
}

std::string markdown_table(const std::vector<table_row>& rows) {
  std::string text = markdown_line(texts_of(rows.front()));
  text += markdown_line(std::vector<std::string>(rows.front().size(), "---"));
  for (std::size_t r = 1; r < rows.size(); ++r) text += markdown_line(texts_of(rows[r]));
  return text;
}

// Integers without a fraction, as counts are written.
value written(const value& v) {
  constexpr double largest = 9007199254740992.0;
  if (!v.is_number_float()) return v;
  const auto number = v.get<double>();
  const bool whole = number == std::floor(number) && std::abs(number) < largest;
  return whole ? value(static_cast<std::int64_t>(number)) : v;
}

}  // namespace

table_context table_context::of_point(const study& s, std::size_t point) {
  return {row_of("point", s.keys), row_of(point, s.points[point].values)};
}

printed_output::part& printed_output::part_of(const std::string& name) {
  const auto known = std::find_if(parts_.begin(), parts_.end(), [&](const part& p) { return p.name == name; });
  return known != parts_.end() ? *known : parts_.emplace_back(part{name, {}, {}});
}

void printed_output::add(const std::string& name, const std::vector<table_row>& rows, const table_context& context) {
  text_ += text_table(rows);
  add_data(name, rows, context);
}

void printed_output::add_data(const std::string& name, const std::vector<table_row>& rows,
                              const table_context& context) {
  std::vector<table_row>& all = part_of(name).rows;
  if (all.empty()) all.push_back(row_of(context.heads, rows.front()));
  for (std::size_t r = 1; r < rows.size(); ++r) all.push_back(row_of(context.fields, rows[r]));
}

void printed_output::add_sentences(const std::string& name, const std::vector<std::string>& sentences) {
  std::vector<std::string>& all = part_of(name).sentences;
  all.insert(all.end(), sentences.begin(), sentences.end());
}

void printed_output::append(const printed_output& other) {
  say(other.text_);
  for (const part& p : other.parts_)
    if (p.rows.empty())
      add_sentences(p.name, p.sentences);
    else
      add_data(p.name, p.rows);
}

std::string printed_output::csv() const {
  std::string text;
  for (const part& p : parts_) {
    if (p.name != main_ || p.rows.empty()) continue;
    std::vector<std::string> names;
    const table_row& heads = p.rows.front();
    for_each_value(heads, heads, [&](const std::string& name, const value&) { names.push_back(name); });
    text += csv_line(names);
    for (std::size_t r = 1; r < p.rows.size(); ++r) {
      std::vector<std::string> fields;
      for_each_value(heads, p.rows[r], [&](const std::string&, const value& v) {
        fields.push_back(v.is_null() ? "" : v.is_string() ? v.get<std::string>() : csv_field(v.get<double>()));
      });
      text += csv_line(fields);
    }
  }
  return text;
}

std::string printed_output::json() const {
  value document = value::object();
  for (const part& p : parts_) {
    value& rows = document[p.name] = value::array();
    for (const std::string& sentence : p.sentences) rows.push_back(sentence);
    for (std::size_t r = 1; r < p.rows.size(); ++r) {
      value& row = rows.emplace_back(value::object());
      for_each_value(p.rows.front(), p.rows[r],
                     [&](const std::string& name, const value& v) { row[name] = written(v); });
    }
  }
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string printed_output::markdown() const {
  std::string text;
  for (const part& p : parts_) {
    if (p.rows.size() < 2 && p.sentences.empty()) continue;
    text += fmt::format("{}## {}\n\n", text.empty() ? "" : "\n", boost::replace_all_copy(p.name, "_", " "));
    for (const std::string& sentence : p.sentences) text += "- " + sentence + "\n";
    if (!p.rows.empty()) text += markdown_table(without_empty_columns(p.rows));
  }
  return text;
}

std::string printed_output::in(output_format format) const {
  if (format == output_format::csv) return csv();
  if (format == output_format::json) return json();
  return format == output_format::markdown ? markdown() : text_;
}

void output_printer::say(const std::string& lines) const {
  if (format_ == output_format::table) fmt::print("{}", lines);
}

void output_printer::add(const printed_output& found) {
  say(found.text());
  std::fflush(stdout);
  all_.append(found);
}

void output_printer::end() const {
  if (format_ != output_format::table) fmt::print("{}", all_.in(format_));
}

}  // namespace muster
