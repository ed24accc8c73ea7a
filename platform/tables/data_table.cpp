#include "platform/tables/data_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/tables/number_text.h"

namespace muster {

namespace {

struct text_for_people {
  const column& of;

  std::string operator()(std::monostate) const { return "-"; }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
  std::string operator()(double number) const { return fmt::format(fmt::runtime(of.format), number); }
  std::string operator()(const interval_value& number) const {
    const std::string text = with_interval(number.mean, number.ci_low, number.ci_high, of.digits);
    return number.letters.empty() ? text : fmt::format("{} {}", text, number.letters);
  }
};

}  // namespace

std::string head_of(const column& c) { return c.unit.empty() ? c.head : fmt::format("{} ({})", c.head, c.unit); }

std::string shown_text(const column& c, const cell& value) {
  return value.shown().empty() ? std::visit(text_for_people{c}, value.value()) : value.shown();
}

data_table without_empty_columns(const data_table& table) {
  data_table kept{table.name, {}, std::vector<table_cells>(table.rows.size())};
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const bool empty = !table.rows.empty() && std::all_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
      const std::string text = shown_text(table.columns[c], row[c]);
      return text.empty() || text == "-";
    });
    if (empty) continue;
    kept.columns.push_back(table.columns[c]);
    for (std::size_t r = 0; r < table.rows.size(); ++r) kept.rows[r].push_back(table.rows[r][c]);
  }
  return kept;
}

}  // namespace muster
