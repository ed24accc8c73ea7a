#include "platform/tables/page.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace muster {

namespace {

using json = nlohmann::ordered_json;

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

double rounded_to_digits(double value, int digits) {
  return std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
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
  const auto texts =
      static_cast<std::size_t>(std::find_if(table.columns.begin(), table.columns.end(),
                                            [](const column& c) { return c.kind != column_kind::text; }) -
                               table.columns.begin());
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
