#include "platform/tables/json.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace muster {

namespace {

using json = nlohmann::ordered_json;

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

}  // namespace

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

}  // namespace muster
