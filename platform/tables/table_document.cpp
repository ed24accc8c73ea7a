#include "platform/tables/table_document.h"

#include <algorithm>

#include <fmt/format.h>
#include <boost/algorithm/string/replace.hpp>
#include <nlohmann/json.hpp>

#include "platform/tables/writers.h"

namespace muster {

table_document::part& table_document::part_of(const std::string& name) {
  const auto known = std::find_if(parts_.begin(), parts_.end(), [&](const part& p) { return p.table.name == name; });
  return known != parts_.end() ? *known : parts_.emplace_back(part{{name, {}, {}}, {}});
}

void table_document::add(const data_table& table) {
  text_ += to_terminal(table);
  add_data(table);
}

void table_document::add_data(const data_table& table) {
  data_table& all = part_of(table.name).table;
  if (all.columns.empty()) all.columns = table.columns;
  all.rows.insert(all.rows.end(), table.rows.begin(), table.rows.end());
}

void table_document::add_sentences(const std::string& name, const std::vector<std::string>& sentences) {
  std::vector<std::string>& all = part_of(name).sentences;
  all.insert(all.end(), sentences.begin(), sentences.end());
}

void table_document::append(const table_document& other) {
  say(other.text_);
  for (const part& p : other.parts_)
    if (p.table.columns.empty())
      add_sentences(p.table.name, p.sentences);
    else
      add_data(p.table);
}

std::string table_document::csv() const {
  for (const part& p : parts_)
    if (p.table.name == main_ && !p.table.columns.empty()) return to_csv(p.table);
  return "";
}

std::string table_document::json() const {
  nlohmann::ordered_json document = nlohmann::ordered_json::object();
  for (const part& p : parts_)
    document[p.table.name] = p.table.columns.empty() ? nlohmann::ordered_json(p.sentences) : to_json(p.table);
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string table_document::markdown() const {
  std::string text;
  for (const part& p : parts_) {
    if (p.table.rows.empty() && p.sentences.empty()) continue;
    text += fmt::format("{}## {}\n\n", text.empty() ? "" : "\n", boost::replace_all_copy(p.table.name, "_", " "));
    for (const std::string& sentence : p.sentences) text += "- " + sentence + "\n";
    if (!p.table.rows.empty()) text += to_markdown(without_empty_columns(p.table));
  }
  return text;
}

std::string table_document::in(output_format format) const {
  if (format == output_format::csv) return csv();
  if (format == output_format::json) return json();
  return format == output_format::markdown ? markdown() : text_;
}

}  // namespace muster
