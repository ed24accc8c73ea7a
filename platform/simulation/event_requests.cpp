#include "platform/simulation/event_requests.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace muster {

namespace {

using action = control_request::action;

/// The requests of all events, before they are in order.
class request_list {
 public:
  explicit request_list(const scenario& model) : model_(model) {
    std::uint32_t first = 0;
    for (const server_spec& s : model.servers) {
      entries_[s.name] = {first, s.count};
      add_servers(s, first);
      first += s.count;
    }
    entries_[""] = {0, first};
    for (const rate_event& e : model.arrivals.changes) add(e.at, {action::arrival_rate, {}, e.factor});
    for (const power_cap_event& e : model.power_caps) add_cap(e);
    for (const parameter_event& e : model.parameter_changes)
      add(e.at, {action::parameter, {}, 1.0, e.parameter, e.value});
  }

  std::vector<timed_request> in_order() && {
    std::stable_sort(all_.begin(), all_.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
    std::vector<timed_request> joined;
    for (timed_request& next : all_) {
      if (!joined.empty() && continues(joined.back(), next))
        joined.back().what.servers.count += next.what.servers.count;
      else
        joined.push_back(std::move(next));
    }
    return joined;
  }

 private:
  void add(double at, control_request what) { all_.push_back({model_.unit.to_ticks(at), std::move(what)}); }

  // A server that leaves is out for at least a tick.
  void add_servers(const server_spec& s, std::uint32_t first) {
    for (const server_outage& o : s.outages) {
      const server_range server{first + o.server, 1};
      add(o.from, {o.drains ? action::drain : action::remove, server});
      const ticks until = std::max(model_.unit.to_ticks(o.until), model_.unit.to_ticks(o.from) + 1);
      all_.push_back({until, {action::restore, server}});
    }
    for (const speed_event& e : s.speeds) add(e.at, {action::speed, {first + e.server, 1}, e.speed});
  }

  void add_cap(const power_cap_event& e) {
    server_range servers = entries_.at(e.servers);
    if (!e.servers.empty()) servers.count = e.count;
    if (e.rack) servers = servers_of_rack(*e.rack, servers.count);
    add(e.at, {action::power_cap, servers, e.watts.value_or(control_request::no_cap)});
  }

  // The servers of a rack, of so many as the cluster has: server n is in rack n * racks / all.
  server_range servers_of_rack(std::uint32_t rack, std::uint32_t all) const {
    const auto racks = static_cast<std::uint64_t>(model_.network.values.front());
    const auto first = [&](std::uint64_t r) { return static_cast<std::uint32_t>((r * all + racks - 1) / racks); };
    return {first(rack), first(rack + 1) - first(rack)};
  }

  // Whether a request does the same to the servers behind those of another one.
  static bool continues(const timed_request& before, const timed_request& next) {
    const action what = next.what.what;
    const bool of_each =
        what == action::drain || what == action::remove || what == action::restore || what == action::speed;
    return of_each && next.at == before.at && what == before.what.what && next.what.value == before.what.value &&
           next.what.servers.first == before.what.servers.first + before.what.servers.count;
  }

  const scenario& model_;
  std::map<std::string, server_range> entries_;  // by name; "": all
  std::vector<timed_request> all_;
};

}  // namespace

std::vector<timed_request> requests_of_events(const scenario& model) { return request_list(model).in_order(); }

}  // namespace muster
