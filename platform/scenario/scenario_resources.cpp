#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "muster/policies/name.h"
#include "platform/model/resource_places.h"
#include "platform/scenario/scenario_reader.h"
#include "platform/toml/nearest_name.h"
#include "platform/toml/quantity.h"

namespace muster {

namespace {

enum class resource_kind { devices, amount };
enum class resource_owner { servers, cluster };

/// Whose amounts a table has.
enum class amounts_of { server, task, job };

// The keys of a resource; of what the cluster has of it as devices, or the resource's unit, want it.
void describe_resource(table_reader& table, bool is_devices, std::string_view unit) {
  for (const key_node& node : scenario_schema().find("platform")->find("resources")->find("NAME")->children) {
    described_key key = *node.key;
    if (key.name == "amount" && is_devices) key.type = integer_key{0, most_devices};
    if (key.name == "amount" && !is_devices) std::get<number_key>(key.type).unit = measured_by(unit);
    table.describe(key);
  }
}

// What to say of an amount that is written with a unit, such as 64 GB, of a resource that is not declared in a unit of
// that kind; empty: nothing.
std::string undeclared_unit(const toml_value* found, const resource_type& type) {
  const auto* text = as_if<std::string>(found);
  const std::optional<quantity> given = text ? quantity_in(*text) : std::nullopt;
  if (!given || !measured_by(type.unit).empty()) return "";
  for (const unit_of_measure& unit : units_without_time())
    for (const unit_of_measure& base : units_without_time())
      if (unit.name == given->unit && base.of == unit.of && measured_by(base.name) == unit.of)
        return fmt::format("{}; expected a number alone, or unit = \"{}\" where it is declared, found {}",
                           type.unit.empty() ? "has no unit" : "is counted in " + in_quotes(type.unit), base.name,
                           in_quotes(*text));
  return "";
}

// A number that must be whole. @param x that its key accepts
std::uint64_t whole_amount_of(table_reader& table, std::string_view key, double x) {
  if (is_exact_integer(x)) return static_cast<std::uint64_t>(x);
  table.complain(key, fmt::format("expected {}, found {}", whole_amount.words, shortest(x)));
  return 0;
}

void check_resource_name(table_reader& all, const std::string& name) {
  if (name == "cores")
    all.complain(name, "every server has cores; expected the name of another resource");
  else if (const auto expected = expected_name(name))
    all.complain(name, fmt::format("expected {}, found {}", *expected,
                                   name.size() > longest_name ? std::to_string(name.size()) : in_quotes(name)));
}

// What the cluster has of a resource, of devices their number.
std::uint64_t read_of_cluster(table_reader& table, const resource_type& type) {
  return type.is_devices() ? table.integer<std::uint64_t>("amount")
                           : whole_amount_of(table, "amount", table.number("amount"));
}

// Reads one of platform.resources, and what the cluster has of it. Power and the owner of devices are not written to
// the resolved scenario where they are not given: most studies have devices of servers, and know no power.
void read_resource(table_reader& all, const toml_entry& given, scenario& model) {
  check_resource_name(all, given.key);
  all.describe({given.key, other_key{"table", "{ kind = \"amount\" }"}, left_out{}, ""});
  table_reader table = all.table(given.key);
  const auto text_of = [&](std::string_view key) {
    const auto* const text = as_if<std::string>(given.value.find(key));
    return text ? std::string_view{*text} : std::string_view{};
  };
  describe_resource(table, text_of("kind") != "amount", text_of("unit"));
  resource_type type{given.key};
  std::uint64_t of_cluster = 0;
  resource_power power;
  if (table.choice<resource_kind>("kind") == resource_kind::devices)
    type.parts = table.integer<std::uint64_t>("shares");
  else if (table.find("unit"))
    type.unit = table.name("unit");
  if (!type.is_devices() || table.find("of"))
    type.of_cluster = table.choice<resource_owner>("of") == resource_owner::cluster;
  if (type.of_cluster) of_cluster = read_of_cluster(table, type);
  if (type.of_cluster && table.find("power")) power = read_resource_power(table.table("power"), type);
  table.close();
  model.resources.types.push_back(std::move(type));
  model.resources.of_cluster.push_back(of_cluster);
  model.power_of_cluster.push_back(power);
}

// The place of a resource that a table of amounts names. Nothing if it has none there, which is reported.
std::optional<std::size_t> place_of(table_reader& table, const std::string& name, const cluster_resources& declared,
                                    amounts_of whose) {
  const auto found = find_resource(table, name, declared, whose == amounts_of::task);
  if (!found || declared.types[*found].of_cluster == (whose == amounts_of::job)) return found;
  table.complain(name, whose == amounts_of::job
                           ? "belongs to servers; expected it in per_task"
                           : "belongs to the cluster as a whole; expected it in per_job of classes alone");
  return std::nullopt;
}

// Reads a table of amounts of resources but cores. @param read_one (reader, key, type) an amount
template <class ReadOne>
void read_amounts(table_reader& table, const toml_value& given, const cluster_resources& declared, amounts_of whose,
                  amounts& to, const ReadOne& read_one) {
  to.resize(declared.types.size());
  for (const toml_entry& entry : contents_of<toml_table>(&given)) {
    if (entry.key == declared.types.front().name) continue;
    if (const auto at = place_of(table, entry.key, declared, whose))
      to[*at] = read_one(table, entry.key, declared.types[*at]);
  }
}

// An amount that is not one of devices. It must be there.
std::uint64_t read_amount(table_reader& table, const std::string& key, const resource_type& type) {
  table.describe({key, number_key{whole_amount, measured_by(type.unit)}, left_out{}, ""});
  if (const std::string why = undeclared_unit(table.find(key), type); !why.empty()) {
    table.complain(key, why);
    return 0;
  }
  const std::optional<double> x = table.optional_number(key);
  return x ? whole_amount_of(table, key, *x) : 0;
}

// What a server has, of devices their number.
std::uint64_t read_of_server(table_reader& table, const std::string& key, const resource_type& type) {
  if (!type.is_devices()) return read_amount(table, key, type);
  table.describe({key, integer_key{0, most_devices}, left_out{}, ""});
  return table.integer<std::uint64_t>(key);
}

// Devices as parts of them; 0 where they cannot be, which is reported.
std::uint64_t parts_of(table_reader& table, const std::string& key, const resource_type& type, double devices) {
  std::uint64_t parts = 0;
  const std::string why = devices_in_parts(type, devices, parts);
  if (why.empty()) return parts;
  table.complain(key, why);
  return 0;
}

std::uint64_t read_need_of(table_reader& table, const std::string& key, const resource_type& type) {
  if (!type.is_devices()) return read_amount(table, key, type);
  static constexpr number_range devices{"a number of devices from 0 to 1024", 0.0, false,
                                        static_cast<double>(most_devices)};
  table.describe({key, number_key{devices}, left_out{}, ""});
  const std::optional<double> x = table.optional_number(key);
  return x ? parts_of(table, key, type, *x) : 0;
}

amounts read_per_task(table_reader& table, const cluster_resources& declared) {
  amounts all(declared.types.size());
  all.front() = 1;
  const toml_value* given = table.find("per_task");
  if (!given) return all;
  table_reader within = table.table("per_task");
  read_amounts(within, *given, declared, amounts_of::task, all, read_need_of);
  all.front() = within.integer<std::uint64_t>("cores");
  return all;
}

amounts read_per_job(table_reader& table, const cluster_resources& declared) {
  amounts all;
  const toml_value* given = table.find("per_job");
  if (!given) return all;
  table_reader within = table.table("per_job");
  if (given->find("cores")) within.complain("cores", "belongs to servers; expected it in per_task");
  read_amounts(within, *given, declared, amounts_of::job, all, read_need_of);
  return all;
}

// Makes all tasks one, as it is on one server that holds them all.
void join_tasks(table_reader& table, const cluster_resources& declared, task_need& need) {
  constexpr std::uint64_t beyond = std::uint64_t{1} << 62;
  for (std::size_t r = 0; r < need.per_task.size(); ++r) {
    std::uint64_t& amount = need.per_task[r];
    amount = amount > beyond / need.tasks ? beyond : amount * need.tasks;
    const resource_type& type = declared.types[r];
    if (type.is_devices() && amount > type.parts && amount % type.parts > 0)
      table.complain("on", fmt::format("all tasks together hold {} {}; expected a part of one device or a whole number "
                                       "of them",
                                       amount_text(type, amount), type.name));
  }
  need.tasks = 1;
}

// Reads what a job of tasks needs. @param tasks how many, where the table has `need` in their stead
task_need read_tasks(table_reader& table, unsigned tasks, const cluster_resources& declared) {
  task_need need;
  need.tasks = table.find("tasks") ? table.integer<unsigned>("tasks") : tasks;
  need.per_task = read_per_task(table, declared);
  need.per_job = read_per_job(table, declared);
  if (table.find("at_most_per_server")) need.at_most_per_server = table.integer<unsigned>("at_most_per_server");
  if (table.find("on") && !table.word("on").empty()) {
    refuse(table, {"at_most_per_server"}, "one server holds all tasks");
    need.at_most_per_server = 0;
    join_tasks(table, declared, need);
  }
  return need;
}

}  // namespace

std::string devices_in_parts(const resource_type& type, double devices, std::uint64_t& parts) {
  const double of_one = static_cast<double>(type.parts), exact = devices * of_one, nearest = std::round(exact);
  parts = static_cast<std::uint64_t>(nearest);
  if (devices == std::trunc(devices)) return "";
  constexpr double rounding = 1e-9;
  if (type.parts == 1)
    return fmt::format("expected a whole number, because a device is held whole (without shares), found {}",
                       shortest(devices));
  if (devices > 1.0)
    return fmt::format("expected a part of one device or a whole number of them, found {}", shortest(devices));
  if (std::abs(exact - nearest) <= rounding * exact) return "";
  const std::string below = shortest(std::floor(exact) / of_one), above = shortest(std::ceil(exact) / of_one);
  return fmt::format("a device has {} shares; expected a whole number of them, such as {}, found {}", type.parts,
                     exact < 1.0 ? above : below + " or " + above, shortest(devices));
}

std::optional<std::size_t> find_resource(table_reader& table, const std::string& name,
                                         const cluster_resources& declared, bool or_cores) {
  std::vector<std::string> known = names_of(declared.types);
  if (!or_cores) known.erase(known.begin());
  const auto found = std::find_if(declared.types.begin(), declared.types.end(),
                                  [&](const resource_type& type) { return type.name == name; });
  if (found != declared.types.end()) return static_cast<std::size_t>(found - declared.types.begin());
  table.complain(name, fmt::format("unknown resource {}{}", in_quotes(name),
                                   declared.types.size() == 1 ? "; expected it to be declared in platform.resources"
                                                              : table.hint(name, known)));
  return std::nullopt;
}

void read_resources(table_reader& platform, scenario& model) {
  const toml_value* given = platform.find("resources");
  if (!given) return;
  cluster_resources& to = model.resources;
  table_reader table = platform.table("resources");
  to.of_cluster.assign(1, 0);
  model.power_of_cluster.resize(1);
  for (const toml_entry& entry : contents_of<toml_table>(given)) read_resource(table, entry, model);
  if (to.types.size() > most_resources + 1)
    platform.complain("resources", fmt::format("expected at most {} resources beside cores, found {}", most_resources,
                                               to.types.size() - 1));
  if (std::none_of(to.types.begin(), to.types.end(), [](const resource_type& type) { return type.of_cluster; }))
    to.of_cluster.clear();
  if (!any_draws(model.power_of_cluster)) model.power_of_cluster.clear();
}

void read_server_resources(table_reader& server, server_spec& spec, const cluster_resources& declared) {
  if (declared.types.size() > 1) spec.resources.resize(declared.types.size());
  if (const toml_value* given = server.find("resources")) {
    table_reader table = server.table("resources");
    if (given->find("cores")) table.complain("cores", "expected cores beside resources, as a key of the server");
    read_amounts(table, *given, declared, amounts_of::server, spec.resources, read_of_server);
  }
  if (!spec.resources.empty()) spec.resources.front() = spec.cores;
}

std::string why_no_tasks(const point_draft& point, const char* if_slotted) {
  if (point.slotted) return if_slotted;
  if (point.policy && point.policy->jobs() != job_kind::rigid)
    return fmt::format("policy {} serves {} jobs, which have no tasks", in_quotes(point.policy->name),
                       word_for(point.policy->jobs()));
  return "";
}

void read_need(table_reader& table, class_spec& spec, const point_draft& point) {
  const bool in_tasks = table.find("tasks") || table.find("per_task");
  const bool exclusive = table.truth("exclusive");
  if (!in_tasks)
    spec.need = table.integer<std::uint32_t>("need");
  else if (table.find("need"))
    table.complain("need",
                   fmt::format("found need and {}; expected one of them", table.find("tasks") ? "tasks" : "per_task"));
  if (!in_tasks && !exclusive && !table.find("per_job") && !table.find("at_most_per_server") && !table.find("on"))
    return;
  if (const std::string why = why_no_tasks(point, "any number of cores may work on a slotted job"); !why.empty())
    return refuse(table, {"tasks", "per_task", "per_job", "exclusive", "at_most_per_server", "on"}, why);
  const std::size_t before = table.problems();
  task_need need = read_tasks(table, in_tasks ? 1 : spec.need, point.model.resources);
  need.exclusive = exclusive;
  if (table.problems() != before) return;
  const std::uint64_t cores = need.tasks * need.per_task.front();
  if (cores > static_cast<std::uint64_t>(most_cores))
    return table.complain(in_tasks ? "tasks" : "need",
                          fmt::format("expected at most {} cores of all tasks, found {}", most_cores, cores));
  spec.need = static_cast<std::uint32_t>(cores);
  spec.tasks = std::move(need);
}

void give_tasks_to_all(scenario& model) {
  if (!model.counts_tasks()) return;
  for (class_spec& c : model.classes) {
    if (c.tasks) continue;
    task_need& need = c.tasks.emplace();
    need.tasks = c.need;
    need.per_task.resize(model.resources.types.size());
    need.per_task.front() = 1;
  }
}

}  // namespace muster
