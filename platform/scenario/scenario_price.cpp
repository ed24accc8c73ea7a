#include <algorithm>

#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

// By entry: a table with their names for keys.
std::vector<double> read_prices_of_servers(table_reader& price, const scenario& what) {
  table_reader table = price.table("servers");
  for (const server_spec& s : what.servers) table.describe({s.name, number_key{zero_or_more}, left_out{"0"}, ""});
  std::vector<double> prices;
  for (const server_spec& s : what.servers) prices.push_back(table.optional_number(s.name).value_or(0.0));
  table.close();
  return prices;
}

}  // namespace

// Nothing is written back where nothing is given: most studies know no prices.
void read_price(table_reader& document, scenario& what) {
  if (!document.find("price")) return;
  table_reader table = document.table("price");
  price_spec price;
  price.servers = read_prices_of_servers(table, what);
  price.core = table.optional_number("core").value_or(0.0);
  price.watt = table.optional_number("watt").value_or(0.0);
  price.link = table.optional_number("link").value_or(0.0);
  const auto has_power = [](const server_spec& s) { return s.power.any(); };
  if (price.watt > 0.0 && std::none_of(what.servers.begin(), what.servers.end(), has_power))
    table.complain("watt", "has no effect without power; expected servers with power");
  table.close();
  what.price = std::move(price);
}

}  // namespace muster
