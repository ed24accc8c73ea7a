#include <algorithm>
#include <utility>

#include "platform/scenario/scenario_reader.h"

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
  read_energy_prices(table, point, price);
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

}  // namespace muster
