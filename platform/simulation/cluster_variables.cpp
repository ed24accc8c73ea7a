#include "platform/simulation/cluster_variables.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "platform/model/class_table.h"
#include "platform/model/shown_variables.h"
#include "platform/toml/nearest_name.h"

namespace muster {

namespace {

using role = cluster_variable::role;
using action = control_request::action;

// Caps on power, in watts. No cap is a number that any program can read, in place of infinity.
constexpr double least_cap = 1e-3, no_cap = 1e15;

cluster_variable count(std::string name, std::string help) {
  return {std::move(name), "", std::move(help), role::output, true};
}
cluster_variable number(std::string name, std::string unit, std::string help) {
  return {std::move(name), std::move(unit), std::move(help)};
}
cluster_variable input(std::string name, std::string help, double least, double most, bool whole = false) {
  return {std::move(name), "", std::move(help), role::input, whole, 0.0, least, most};
}

}  // namespace

cluster_variables::cluster_variables(const scenario& model, cluster_hardware& hardware)
    : model_(model), hardware_(hardware), energy_(model, hardware) {
  std::uint32_t first = 0;
  for (std::size_t n = 0; n < model.servers.size(); ++n) {
    const server_spec& s = model.servers[n];
    const auto& banks = hardware.servers();
    const auto bank =
        std::find_if(banks.begin(), banks.end(), [&](const auto& b) { return "server_" + s.name == b->basename(); });
    if (bank != banks.end()) entries_.push_back({n, bank->get(), {first, s.count}});
    first += s.count;
  }
  const cluster_view& view = hardware.central.view();
  view_.resize(model.classes.size());
  declared_.resize(model.classes.size());
  const std::vector<std::size_t> order = by_descending_need(model);
  for (std::size_t id = 0; id < order.size(); ++id) {
    declared_[order[id]] = static_cast<class_id>(id);
    for (const class_id seen : view.classes())
      if (view.name(seen) == model.classes[order[id]].name) view_[order[id]].push_back(seen);
  }
  add_jobs();
  if (hardware.has_all_servers()) add_resources();
  add_servers();
  if (hardware.has_all_servers() && model.draws_power()) add_power();
  add_inputs();
  for (std::size_t n = 0; n < all_.size(); ++n) all_[n].start = access_[n].read();
}

std::size_t cluster_variables::find(const std::string& name) const {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const cluster_variable& v) { return v.name == name; });
  if (found != all_.end()) return static_cast<std::size_t>(found - all_.begin());
  throw std::invalid_argument(
      fmt::format("the cluster has no variable '{}'{}", name, suggestion(name, names_of(all_))));
}

double cluster_variables::value(std::size_t variable) const {
  const access& a = access_.at(variable);
  return a.set_at == now() ? a.set_to : a.read();
}

void cluster_variables::set(std::size_t variable, double value) {
  access& a = access_.at(variable);
  check_value(all_[variable], value);
  hardware_.control.request(a.request(value));
  a.set_at = now();
  a.set_to = value;
}

void cluster_variables::add(cluster_variable shown, std::function<double()> read) {
  all_.push_back(std::move(shown));
  access_.push_back({std::move(read)});
}

// An input whose own value the control would refuse is left out: it can have no other.
void cluster_variables::add(cluster_variable input, std::function<double()> read,
                            std::function<control_request(double)> request) {
  try {
    hardware_.control.check(request(read()));
  } catch (const std::invalid_argument&) {
    return;
  }
  all_.push_back(std::move(input));
  access_.push_back({std::move(read), std::move(request)});
}

void cluster_variables::add_jobs() {
  for (std::size_t c = 0; c < model_.classes.size(); ++c) {
    const std::string& name = model_.classes[c].name;
    add(count("waiting." + name, "jobs of the class that hold nothing"), [this, c] { return jobs_waiting(c); });
    add(count("running." + name, "jobs of the class in service"), [this, c] { return jobs_running(c); });
  }
  add(count("arrived", "jobs that have arrived"), [this] { return static_cast<double>(hardware_.jobs_arrived()); });
  add(count("completed", "jobs that are complete or have expired"),
      [this] { return static_cast<double>(hardware_.jobs_completed()); });
}

double cluster_variables::jobs_waiting(std::size_t place) const {
  std::size_t jobs = 0;
  for (const scheduler* const s : hardware_.schedulers())
    for (const class_id id : view_[place]) jobs += s->view().waiting(id);
  for (const job_extension* j : hardware_.jobs_pending_admission())
    jobs += j->declared_class() == declared_[place] ? 1 : 0;
  return static_cast<double>(jobs);
}

double cluster_variables::jobs_running(std::size_t place) const {
  std::size_t jobs = 0;
  for (const scheduler* const s : hardware_.schedulers())
    for (const class_id id : view_[place]) jobs += s->view().in_service(id);
  return static_cast<double>(jobs);
}

// What is held now, of devices that are held in parts in such parts.
double cluster_variables::parts_in_use(std::size_t resource) const {
  if (model_.resources.types[resource].of_cluster) {
    const task_allocator* tasks = hardware_.central.tasks();
    return tasks ? static_cast<double>(tasks->of_cluster().held_now(resource)) : 0.0;
  }
  std::uint64_t held = 0;
  for (const entry_of_servers& e : entries_)
    held += resource == 0 ? e.bank->cores_in_use() : e.bank->resources() ? e.bank->resources()->held_now(resource) : 0;
  return static_cast<double>(held);
}

void cluster_variables::add_resources() {
  for (std::size_t r = 0; r < model_.resources.types.size(); ++r) {
    const resource_type& type = model_.resources.types[r];
    const double all = r == 0            ? static_cast<double>(total_cores(model_))
                       : type.of_cluster ? static_cast<double>(model_.resources.all_of_cluster(r))
                                         : total_amount(model_, r);
    if (all == 0.0) continue;
    const auto parts = static_cast<double>(std::max<std::uint64_t>(type.parts, 1));
    cluster_variable held = count("in_use." + type.name, fmt::format("{} that jobs hold", type.name));
    held.unit = type.unit;
    held.whole = parts == 1.0;
    add(std::move(held), [this, r, parts] { return parts_in_use(r) / parts; });
    add(number("utilization." + type.name, "", fmt::format("share of all {} that jobs hold", type.name)),
        [this, r, all] { return parts_in_use(r) / all; });
  }
}

void cluster_variables::add_servers() {
  for (const entry_of_servers& e : entries_)
    add(count("up." + model_.servers[e.number].name, "servers of the entry that are not down"),
        [bank = e.bank] { return static_cast<double>(bank->servers_up()); });
}

double cluster_variables::power() const {
  double watts = energy_.power_of_cluster();
  for (const entry_of_servers& e : entries_) watts += energy_.power(e.number, *e.bank, now());
  return watts;
}

void cluster_variables::add_power() {
  add(number("power", "W", "power of the cluster"), [this] { return power(); });
  for (const entry_of_servers& e : entries_)
    add(number("power." + model_.servers[e.number].name, "W",
               "power of the servers of the entry, and of what they have"),
        [this, e] { return energy_.power(e.number, *e.bank, now()); });
  add(number("energy", "J", "energy that the cluster has spent since time 0"),
      [this] { return energy_.spent(now()) / static_cast<double>(model_.unit.ticks) * model_.unit.seconds; });
}

void cluster_variables::add_inputs() {
  cluster_control& control = hardware_.control;
  add(
      input("arrival_rate", "factor of the rate of arrivals", paced_arrivals::least, paced_arrivals::most),
      [&] { return control.arrival_rate(); },
      [](double value) {
        return control_request{action::arrival_rate, {}, value};
      });
  for (const entry_of_servers& e : entries_) {
    const std::string& name = model_.servers[e.number].name;
    const server_range servers = e.servers;
    if (!model_.servers[e.number].sets_own_speed())
      add(
          input("speed." + name, "factor of the capacity of the servers of the entry", server_speeds::least,
                server_speeds::most),
          [&control, servers] { return control.speed(servers.first); },
          [servers](double value) {
            return control_request{action::speed, servers, value};
          });
    add(
        input("in_service." + name, "1: the servers of the entry are in service; 0: they are drained", 0.0, 1.0, true),
        [&control, servers] { return control.is_withdrawn(servers.first) ? 0.0 : 1.0; },
        [servers](double value) {
          return control_request{value == 0.0 ? action::drain : action::restore, servers};
        });
  }
  add_cap("power_cap", "most that all servers may draw together; 1e15: there is no cap", control.all_servers());
  for (const entry_of_servers& e : entries_)
    if (e.servers.count < control.server_count())
      add_cap("power_cap." + model_.servers[e.number].name,
              "most that the servers of the entry may draw together; 1e15: there is no cap", e.servers);
  add_parameters();
}

void cluster_variables::add_parameters() {
  const scheduler& central = hardware_.central;
  for (const replaceable_number& n : replaceable_numbers(*central.settings().policy, central.view(),
                                                         central.active_policy(), central.parameters(), model_.unit)) {
    cluster_variable parameter = input("policy." + n.name, n.help, n.least, n.most, n.whole);
    parameter.unit = n.unit;
    add(
        std::move(parameter), [&central, n] { return n.in(central.parameters()); },
        [n](double value) {
          return control_request{action::parameter, {}, 1.0, n.name, n.setting(value)};
        });
  }
}

void cluster_variables::add_cap(std::string name, std::string help, server_range servers) {
  cluster_variable cap = input(std::move(name), std::move(help), least_cap, no_cap);
  cap.unit = "W";
  add(
      std::move(cap), [this, servers] { return std::min(hardware_.control.power_cap(servers), no_cap); },
      [servers](double watts) {
        return control_request{action::power_cap, servers, watts < no_cap ? watts : control_request::no_cap};
      });
}

}  // namespace muster
