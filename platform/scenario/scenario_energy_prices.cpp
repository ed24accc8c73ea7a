#include <memory>
#include <utility>

#include <fmt/format.h>

#include "platform/model/platform_spec.h"
#include "platform/scenario/scenario_reader.h"
#include "platform/scenario/step_table.h"
#include "platform/toml/diagnostics.h"

// What energy costs and emits, over time.

namespace muster {

namespace {

using steps = std::shared_ptr<const step_function>;

// A value that is always the same. @param unit of the number
steps read_constant(table_reader& price, std::string_view key) {
  price.describe({key, price_key, left_out{}, ""});
  const std::optional<double> value = price.optional_number(key);
  return value ? std::make_shared<const step_function>(step_function{{{0.0, *value}}}) : nullptr;
}

bool is_table(const table_reader& price, std::string_view key) { return price.find(key)->as<toml_table>(); }

// Prices of equal parts of a period, as a process of arrivals has its rates.
steps read_tariff(table_reader table) {
  const std::size_t before = table.problems();
  const std::vector<double> prices = table.numbers("prices");
  const double period = table.number("period");
  table.close();
  if (table.problems() != before) return nullptr;
  step_function tariff;
  const auto parts = static_cast<double>(prices.size());
  for (std::size_t part = 0; part < prices.size(); ++part)
    tariff.steps.push_back({period * static_cast<double>(part) / parts, prices[part]});
  tariff.period = period;
  check_step(table, "period", period / parts, "a part of the period takes {}");
  return std::make_shared<const step_function>(std::move(tariff));
}

// A column of a file.
steps read_column(table_reader table, const point_draft& point) {
  const auto file = read_file<column_file>(table, "file", point.files);
  const std::size_t before = table.problems();
  const std::string value = table.text("column", "the name of a column"), time = table.text("time");
  const std::optional<double> period = table.optional_number("period");
  table.close();
  if (!file || table.problems() != before) return nullptr;
  named_file report;
  step_function column = read_steps(*file, time, value, point.model.unit, report);
  for (const named_file::flaw& flaw : report.flaws)
    table.complain_in(file->path, flaw.where.line, flaw.where.column, "file", flaw.message);
  if (!report.flaws.empty()) return nullptr;
  column.period = period;
  if (period && *period <= column.steps.back().from)
    table.complain("period", fmt::format("expected more than {}, the last time of the file, found {}",
                                         shortest(column.steps.back().from), shortest(*period)));
  return std::make_shared<const step_function>(std::move(column));
}

}  // namespace

void read_energy_prices(table_reader& table, const point_draft& point, price_spec& price) {
  if (table.find("energy"))
    price.energy = is_table(table, "energy") ? read_tariff(table.table("energy")) : read_constant(table, "energy");
  if (table.find("carbon"))
    price.carbon =
        is_table(table, "carbon") ? read_column(table.table("carbon"), point) : read_constant(table, "carbon");
}

}  // namespace muster
