#include <array>

#include <fmt/format.h>

#include "platform/model/resource_places.h"
#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

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

// Calls read_one(key, number) for each resource that a table names, but not for cores, which are reported.
template <class ReadOne>
void read_each(table_reader& table, const toml_value& given, const cluster_resources& declared,
               std::string_view key_of_cores, const ReadOne& read_one) {
  const auto* entries = given.as<toml_table>();
  for (const toml_entry& entry : entries ? *entries : toml_table{})
    if (entry.key == declared.types.front().name)
      table.complain(entry.key, fmt::format("expected {} for cores", key_of_cores));
    else if (const auto at = find_resource(table, entry.key, declared))
      read_one(entry.key, *at);
}

}  // namespace

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

std::vector<double> read_prices_of_resources(table_reader& price, const cluster_resources& declared) {
  std::vector<double> prices;
  const toml_value* given = price.find("resources");
  if (!given) return prices;
  prices.resize(declared.types.size());
  table_reader table = price.table("resources");
  read_each(table, *given, declared, "price.core", [&](const std::string& key, std::size_t resource) {
    number_key type = price_key;
    type.unit = measures_of(declared.types[resource]).price;
    table.describe({key, type, left_out{"0"}, ""});
    prices[resource] = table.optional_number(key).value_or(0.0);
  });
  return prices;
}

std::vector<resource_power> read_power_of_resources(table_reader& power, const server_spec& server,
                                                    const cluster_resources& declared) {
  std::vector<resource_power> all;
  const toml_value* given = power.find("resources");
  if (!given) return all;
  all.resize(declared.types.size());
  table_reader table = power.table("resources");
  read_each(table, *given, declared, "idle and active of power", [&](const std::string& key, std::size_t resource) {
    const resource_type& type = declared.types[resource];
    table.describe({key, other_key{"table", "{ idle = 50.0, busy = 300.0 }"}, left_out{}, ""});
    all[resource] = read_resource_power(table.table(key), type);
    if (type.of_cluster)
      table.complain(
          key, fmt::format("belongs to the cluster as a whole; expected its power in platform.resources.{}", key));
    else if (server.resources[resource] == 0)
      table.complain(key, fmt::format("has no effect, because the server has no {}", key));
  });
  return all;
}

}  // namespace muster
