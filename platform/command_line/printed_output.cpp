#include "platform/command_line/printed_output.h"

#include <boost/algorithm/string/replace.hpp>

#include "platform/command_line/text_table.h"
#include "platform/tables/terminal.h"

namespace muster {

namespace {

using kind = table_field::column_kind;

column column_of(const table_field& head) {
  column c(head.text);
  c.name = head.name.empty() ? boost::replace_all_copy(head.text, " ", "_") : head.name;
  c.kind = head.kind == kind::value      ? column_kind::text
           : head.kind == kind::interval ? column_kind::interval
                                         : column_kind::estimate;
  return c;
}

cell cell_of(const table_field& field) {
  if (!field.number) return text_cell(field.text);
  return cell(interval_value{*field.number, field.ci_low, field.ci_high, field.note}).shown_as(field.text);
}

data_table table_of(const std::string& name, const std::vector<table_row>& rows, const table_context& context) {
  data_table table{name, {}, {}};
  for (const table_field& head : context.heads) table.columns.push_back(column_of(head).said_above());
  for (const table_field& head : rows.front()) table.columns.push_back(column_of(head));
  for (std::size_t r = 1; r < rows.size(); ++r) {
    table_cells& cells = table.rows.emplace_back();
    for (const table_field& field : context.fields) cells.push_back(cell_of(field));
    for (const table_field& field : rows[r]) cells.push_back(cell_of(field));
  }
  return table;
}

}  // namespace

std::string text_table(const std::vector<table_row>& rows) { return to_terminal(table_of("", rows, {})); }

table_context table_context::of_point(const study& s, std::size_t point) {
  return {row_of("point", s.keys), row_of(point, s.points[point].values)};
}

void printed_output::add(const std::string& name, const std::vector<table_row>& rows, const table_context& context) {
  table_document::add(table_of(name, rows, context));
}

void printed_output::add_data(const std::string& name, const std::vector<table_row>& rows,
                              const table_context& context) {
  table_document::add_data(table_of(name, rows, context));
}

}  // namespace muster
