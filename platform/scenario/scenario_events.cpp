#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>

#include <fmt/format.h>

#include "platform/scenario/scenario_reader.h"
#include "platform/toml/nearest_name.h"
#include "platform/toml/quantity.h"

namespace muster {

namespace {

enum class event_action { drain, fail, comes_back };

// The keys of what an event changes, beside parameters of the policy.
constexpr const char* changes[] = {"action", "speed", "frequency", "rate", "power_cap"};

/// An element of `events`: servers of an entry leave service, return to it, or change their speed; power is capped; or
/// the rate of arrivals changes.
struct server_event {
  table_reader table;  // where it is written
  double at = 0.0;
  server_spec* entry = nullptr;  // null: there is none of that name
  std::optional<std::uint32_t> count{};
  event_action action{};
  std::optional<double> speed{};  // none: the action counts
  std::optional<double> rate{};   // of arrivals; none: the servers count
  bool known = false;
  std::optional<double> watts{};        // of a cap; none: there is no cap any more
  bool caps = false;                    // whether power is capped; then the action does not count
  std::optional<std::uint32_t> rack{};  // whose power is capped; then the servers do not count
};

// Reads what servers do: an action, or a speed.
void read_change(table_reader& table, server_event& event) {
  const bool acts = table.find("action"), changes_frequency = table.find("frequency"),
             changes_speed = table.find("speed") || changes_frequency;
  if (acts) event.action = table.choice<event_action>("action");
  if (table.find("speed")) event.speed = table.optional_number("speed");
  if (table.find("speed") && changes_frequency) table.complain("speed", "expected no speed beside a frequency");
  if (table.find("known")) event.known = table.truth("known");
  if (!acts && !changes_speed)
    table.complain("action", "missing; expected an action, a speed, a frequency, a power_cap, a rate or a parameter");
  if (acts && table.find("speed")) table.complain("speed", "expected no speed beside an action; expected two events");
  if (acts && changes_frequency)
    table.complain("frequency", "expected no frequency beside an action; expected two events");
  if (changes_speed && event.known)
    table.complain("known", "has no effect on a speed, which no policy knows beforehand");
  if (table.find("rack")) table.complain("rack", "has no effect without a power_cap");
}

// Reports keys beside one that has nothing to do with them. Where some of them are a change of their own, keys that say
// more of it are not reported, too.
// @param more of `servers`, `count`, `rack` and `known`, those that have no effect
void refuse_others(table_reader& table, std::string_view changed, std::initializer_list<const char*> more,
                   std::string_view why) {
  bool other_change = false;
  for (const char* key : changes)
    if (key != changed && table.find(key)) {
      table.complain(key, fmt::format("has no effect on {}; expected two events", why));
      other_change = true;
    }
  for (const char* key : more)
    if (table.find(key) && !other_change)
      table.complain(key, fmt::format("has no effect on {}; expected no {}", why, key));
}

// Reads a change of the rate of arrivals.
void read_rate(table_reader& table, const point_draft& point, server_event& event) {
  event.rate = table.optional_number("rate");
  refuse_others(table, "rate", {"servers", "count", "rack", "known"}, "a rate, which is of all arrivals");
  const arrival_entry* const process = point.process;
  if (point.finite())
    table.complain("rate", fmt::format("jobs of process '{}' arrive at given times; expected no rate", process->name));
  else if (process && process->cycle)
    table.complain("rate", fmt::format("the rate of process '{}' follows a course of its own; expected no other rate",
                                       process->name));
  else if (point.slotted)
    table.complain("rate", "deadlines of slotted jobs are counted from their arrivals; expected no rate with them");
  table.close();
}

// Finds the entry of servers that an event names.
void find_entry(table_reader& table, const std::string& name, scenario& model, server_event& event) {
  for (server_spec& s : model.servers)
    if (s.name == name) event.entry = &s;
  if (!event.entry)
    table.complain("servers",
                   "unknown entry of servers " + in_quotes(name) + table.hint(name, names_of(model.servers)));
}

// Reads the rack whose power is capped.
void read_rack(table_reader& table, const scenario& model, server_event& event) {
  event.rack = table.integer<std::uint32_t>("rack");
  for (const char* key : {"servers", "count"})
    if (table.find(key))
      table.complain(key, fmt::format("has no effect on a rack, whose servers are meant; expected no {}", key));
  const bool has_racks = model.network.shape->name == "racks" && !model.network.values.empty();
  if (!has_racks)
    table.complain("rack", "has no effect without racks; expected platform.link.topology = \"racks\"");
  else if (*event.rack >= model.network.values.front())
    table.complain(
        "rack", fmt::format("expected a rack from 0 to {}, found {}", model.network.values.front() - 1.0, *event.rack));
}

// Reads a cap on the power of servers, of all of them where no entry is named.
void read_power_cap(table_reader& table, scenario& model, server_event& event) {
  event.caps = true;
  refuse_others(table, "power_cap", {"known"}, "a power_cap");
  const std::string* const word = table.find_text("power_cap");
  if (word && *word != "none" && !quantity_in(*word))
    table.complain("power_cap", fmt::format("expected 'none', or a power such as '5 kW', found {}", in_quotes(*word)));
  else if (!word || *word != "none")
    event.watts = table.optional_number("power_cap");
  if (table.find("rack"))
    read_rack(table, model, event);
  else if (table.find("servers"))
    find_entry(table, table.text("servers"), model, event);
  else if (table.find("count"))
    table.complain("count", "has no effect without servers; expected the name of their entry, too");
  if (table.find("count")) event.count = table.integer<std::uint32_t>("count");
  table.close();
  const server_spec* const entry = event.entry;
  const bool draws = entry ? entry->power.any()
                           : std::any_of(model.servers.begin(), model.servers.end(),
                                         [](const server_spec& s) { return s.power.any(); });
  if (!draws) table.complain("power_cap", "has no effect without power; expected servers with power");
  if (entry && event.count.value_or(0) > entry->count)
    table.complain("count", fmt::format("expected at most {}, as many servers as '{}' has, found {}", entry->count,
                                        entry->name, *event.count));
}

// Takes the speed of a frequency as the one that servers change to, and reports a speed of servers with frequencies.
void take_frequency(table_reader& table, server_event& event) {
  const governed_frequencies* const frequencies = event.entry->frequencies.get();
  const std::string& name = event.entry->name;
  if (!table.find("frequency")) {
    if (event.speed && frequencies)
      table.complain("speed", fmt::format("'{}' has frequencies; expected a frequency, or no speed", name));
    return;
  }
  event.speed = 1.0;                 // that of no row, if something is wrong
  if (table.problems() > 0) return;  // perhaps of the table of frequencies
  if (!frequencies)
    table.complain("frequency", fmt::format("'{}' has no frequencies; expected a speed", name));
  else if (!frequencies->governor->takes_frequency)
    table.complain("frequency", fmt::format("the frequency of '{}' is set by governor '{}'; expected governor 'fixed'",
                                            name, frequencies->governor->name));
  else if (const auto row = find_frequency(table, frequencies->table))
    event.speed = frequencies->table[*row].speed;
}

server_event read_event(table_reader& table, point_draft& point) {
  scenario& model = point.model;
  server_event event{table, table.number("at")};
  if (table.find("value")) {
    table.complain("value", "has no effect without a parameter; expected its name, too");
    if (std::none_of(std::begin(changes), std::end(changes), [&](const char* key) { return table.find(key); })) {
      table.close();
      return event;
    }
  }
  if (table.find("rate")) return read_rate(table, point, event), event;
  if (table.find("power_cap")) return read_power_cap(table, model, event), event;
  const std::size_t before = table.problems();
  const std::string name = table.text("servers", "the name of an entry of platform.servers");
  if (table.find("count")) event.count = table.integer<std::uint32_t>("count");
  read_change(table, event);
  if (event.known && event.action == event_action::comes_back && table.problems() == before)
    table.complain("known", "has no effect on a return, which is known where the servers' leaving is");
  table.close();
  if (table.problems() == before) find_entry(table, name, model, event);
  if (event.entry) take_frequency(table, event);
  if (event.entry && event.entry->faults && !event.speed && !table.find("frequency"))
    table.complain("servers",
                   fmt::format("{} has faults of its own; expected an entry without faults", in_quotes(name)));
  return event;
}

/// The servers of an entry while its events are gone through in the order of time.
class entry_in_time {
 public:
  explicit entry_in_time(server_spec& servers) : servers_(servers), latest_(servers.count, none) {}

  void apply(server_event& event) {
    if (event.speed)
      change_speed(event);
    else
      leave_or_return(event);
  }

  /// Reports servers that do not return.
  void check_returns() {
    const auto out = std::count_if(latest_.begin(), latest_.end(), [&](std::size_t o) { return !is_in_service(o); });
    if (out > 0 && last_)
      last_->table.complain("servers", fmt::format("{} of the servers of '{}' will not return, but the arrivals never "
                                                   "end; expected a return of all",
                                                   out, servers_.name));
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  /// Reports that there are not as many servers as are to change their speed.
  void change_speed(server_event& event) {
    const std::uint32_t count = event.count.value_or(servers_.count);
    if (count > servers_.count)
      event.table.complain("count", fmt::format("expected at most {}, as many servers as '{}' has, found {}",
                                                servers_.count, servers_.name, count));
    for (std::uint32_t n = 0; n < std::min(count, servers_.count); ++n)
      servers_.speeds.push_back({n, event.at, *event.speed});
  }

  /// Reports that there are not as many servers as are to leave or return.
  void leave_or_return(server_event& event) {
    const bool leaves = event.action != event_action::comes_back;
    const auto fit = static_cast<std::uint32_t>(std::count_if(
        latest_.begin(), latest_.end(), [&](std::size_t outage) { return is_in_service(outage) == leaves; }));
    std::uint32_t left = event.count.value_or(fit);
    const char* where = leaves ? "in" : "out of";
    if (fit == 0)
      event.table.complain("action", fmt::format("no server of '{}' is {} service then", servers_.name, where));
    if (fit > 0 && left > fit)
      event.table.complain("count", fmt::format("expected at most {}, as many servers of '{}' as are {} service then, "
                                                "found {}",
                                                fit, servers_.name, where, left));
    if (fit == 0 || left > fit) return;
    for (std::uint32_t n = 0; left > 0; ++n) {
      if (is_in_service(latest_[n]) != leaves) continue;
      --left;
      if (!leaves) {
        servers_.outages[latest_[n]].until = event.at;
        continue;
      }
      latest_[n] = servers_.outages.size();
      servers_.outages.push_back(
          {n, event.at, server_outage{}.until, event.action == event_action::drain, event.known});
    }
    last_ = &event;
  }

  bool is_in_service(std::size_t outage) const {
    return outage == none || std::isfinite(servers_.outages[outage].until);
  }

  server_spec& servers_;
  std::vector<std::size_t> latest_;  // by server: its latest outage
  server_event* last_ = nullptr;
};

}  // namespace

void read_events(table_reader& document, point_draft& point) {
  if (!document.find("events")) return;
  const std::size_t before = document.problems();
  std::vector<server_event> events;
  for (table_reader& table : document.tables("events"))
    if (!table.find("parameter")) events.push_back(read_event(table, point));
  if (document.problems() != before) return;
  std::stable_sort(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  for (const server_event& event : events)
    if (event.rate)
      point.model.arrivals.changes.push_back({event.at, *event.rate});
    else if (event.caps && !event.entry)
      point.model.power_caps.push_back({event.at, "", 0, event.watts, event.rack});
    else if (event.caps && event.entry->count > 0)
      point.model.power_caps.push_back(
          {event.at, event.entry->name, event.count.value_or(event.entry->count), event.watts});
  for (server_spec& servers : point.model.servers) {
    entry_in_time entry(servers);
    for (server_event& event : events)
      if (event.entry == &servers && servers.count > 0 && !event.caps) entry.apply(event);
    if (!point.finite() && document.problems() == before) entry.check_returns();
  }
}

void read_parameter_events(table_reader& document, point_draft& point) {
  if (!document.find("events") || document.problems() > 0) return;
  for (table_reader& table : document.tables("events")) {
    if (!table.find("parameter")) continue;
    const double at = table.number("at");
    const std::string name = table.text("parameter");
    refuse_others(table, "parameter", {"servers", "count", "rack", "known"}, "a parameter");
    if (auto value = read_replacement(table, name, point))
      point.model.parameter_changes.push_back({at, name, std::move(*value)});
  }
  auto& all = point.model.parameter_changes;
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
}

}  // namespace muster
