#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "platform/model/platform_spec.h"
#include "platform/model/resource_places.h"
#include "platform/scenario/scenario_reader.h"
#include "platform/scenario/step_table.h"
#include "platform/toml/diagnostics.h"

// What servers, resources and energy cost, and what energy emits.

namespace muster {

namespace {

double read_price_of(table_reader& table, std::string_view key) { return table.optional_number(key).value_or(0.0); }

// The prices of the servers of each entry: a table with names of entries for keys. Entries without servers may have a
// price, too.
std::vector<double> read_prices_of_servers(table_reader& price, const point_draft& point) {
  table_reader table = price.table("servers");
  for (const auto* entries : {&point.model.servers, &point.absent_servers})
    for (const server_spec& s : *entries) table.describe({s.name, price_key, left_out{"0"}, ""});
  std::vector<double> prices;
  for (const server_spec& s : point.model.servers) prices.push_back(read_price_of(table, s.name));
  for (const server_spec& s : point.absent_servers) read_price_of(table, s.name);
  table.close();
  return prices;
}

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

// What a number for each unit of a resource measures. Empty: what the resource measures has no unit of its own.
struct measures_of_resource {
  std::string_view amount, price, power;
};
constexpr std::array<measures_of_resource, 3> measures{
    {{"", "", "W"}, {"bytes", "1/bytes", "W/bytes"}, {"W", "1/W", "W/W"}}};

const measures_of_resource& measures_of(const resource_type& type) {
  for (const measures_of_resource& m : measures)
    if (m.amount == measured_by(type.unit)) return m;
  return measures.front();
}

// Reads the table `resources`, if it is there: read_one(table, key, number) gives the value of a resource that it
// names. Cores are reported. @return the values by the places of the resources; empty: the table is not there
template <class Value, class ReadOne>
std::vector<Value> read_by_resource(table_reader& parent, const cluster_resources& declared,
                                    std::string_view key_of_cores, const ReadOne& read_one) {
  std::vector<Value> all;
  const toml_value* given = parent.find("resources");
  if (!given) return all;
  all.resize(declared.types.size());
  table_reader table = parent.table("resources");
  for (const toml_entry& entry : contents_of<toml_table>(given))
    if (entry.key == declared.types.front().name)
      table.complain(entry.key, fmt::format("expected {} for cores", key_of_cores));
    else if (const auto at = find_resource(table, entry.key, declared))
      all[*at] = read_one(table, entry.key, *at);
  return all;
}

// The prices of resources by their places; empty: none is given.
std::vector<double> read_prices_of_resources(table_reader& price, const cluster_resources& declared) {
  return read_by_resource<double>(price, declared, "price.core",
                                  [&](table_reader& table, const std::string& key, std::size_t resource) {
                                    number_key type = price_key;
                                    type.unit = measures_of(declared.types[resource]).price;
                                    table.describe({key, type, left_out{"0"}, ""});
                                    return table.optional_number(key).value_or(0.0);
                                  });
}

}  // namespace

// Prices that are not given are not written to the resolved scenario: most studies know none.
void read_price(table_reader& document, point_draft& point) {
  if (!document.find("price")) return;
  table_reader table = document.table("price");
  price_spec price;
  price.servers = read_prices_of_servers(table, point);
  price.core = read_price_of(table, "core");
  price.watt = read_price_of(table, "watt");
  price.link = read_price_of(table, "link");
  price.resources = read_prices_of_resources(table, point.model.resources);
  if (table.find("energy"))
    price.energy = is_table(table, "energy") ? read_tariff(table.table("energy")) : read_constant(table, "energy");
  if (table.find("carbon"))
    price.carbon =
        is_table(table, "carbon") ? read_column(table.table("carbon"), point) : read_constant(table, "carbon");
  const auto& absent = point.absent_servers;
  const bool power = point.model.draws_power() ||
                     std::any_of(absent.begin(), absent.end(), [](const server_spec& s) { return s.power.any(); });
  for (const auto& [key, given] : {std::pair{"watt", price.watt > 0.0}, std::pair{"energy", price.energy != nullptr},
                                   std::pair{"carbon", price.carbon != nullptr}})
    if (given && !power)
      table.complain(key, "has no effect without power; expected servers, or resources of the cluster, with power");
  table.close();
  point.model.price = std::move(price);
}

resource_power read_resource_power(table_reader table, const resource_type& type) {
  number_key watts = power_key;
  watts.unit = measures_of(type).power;
  const auto read = [&](std::string_view name, double standard) {
    table.describe({name, watts, standard, ""});
    return table.number(name);
  };
  resource_power power;
  power.idle = read("idle", 0.0);
  power.busy = read("busy", power.idle);
  table.close();
  return power;
}

std::vector<resource_power> read_power_of_resources(table_reader& power, const server_spec& server,
                                                    const cluster_resources& declared) {
  const auto read_one = [&](table_reader& table, const std::string& key, std::size_t resource) {
    const resource_type& type = declared.types[resource];
    table.describe({key, other_key{"table", "{ idle = 50.0, busy = 300.0 }"}, left_out{}, ""});
    const resource_power read = read_resource_power(table.table(key), type);
    if (type.of_cluster)
      table.complain(
          key, fmt::format("belongs to the cluster as a whole; expected its power in platform.resources.{}", key));
    else if (server.resources[resource] == 0)
      table.complain(key, fmt::format("has no effect, because the server has no {}", key));
    return read;
  };
  return read_by_resource<resource_power>(power, declared, "idle and active of power", read_one);
}

}  // namespace muster
