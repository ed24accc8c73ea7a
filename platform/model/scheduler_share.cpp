#include "platform/model/scheduler_share.h"

#include <algorithm>
#include <limits>

#include "platform/model/class_table.h"

namespace muster {

namespace {

// The outages of an entry as one of its owners numbers its servers. That of another's server is kept, with a number
// that no server has: it says that servers of the entry may be out of service.
std::vector<server_outage> outages_in_share(const server_spec& entry, const entry_share& own) {
  std::vector<server_outage> outages = entry.outages;
  for (server_outage& o : outages) {
    const bool is_own = o.server >= own.first && (o.server - own.first) % own.step == 0;
    o.server = is_own ? (o.server - own.first) / own.step : std::numeric_limits<std::uint32_t>::max();
  }
  return outages;
}

// The changes of the speeds of an owner's servers, as it numbers them.
std::vector<speed_event> speeds_in_share(const server_spec& entry, const entry_share& own) {
  std::vector<speed_event> speeds;
  for (const speed_event& e : entry.speeds)
    if (e.server >= own.first && (e.server - own.first) % own.step == 0)
      speeds.push_back({(e.server - own.first) / own.step, e.at, e.speed});
  return speeds;
}

// Rates and shares of the classes of one scheduler.
void split_arrivals(scenario& own, const scenario& model, std::uint32_t scheduler) {
  const schedulers_spec& all = model.schedulers;
  if (!all.dispatching->by_class) {
    for (class_spec& c : own.classes) c.rate /= all.count;
    own.arrivals.rate /= all.count;
    return;
  }
  const std::vector<std::size_t> order = by_descending_need(model);
  double share = 0.0;
  for (std::size_t id = 0; id < order.size(); ++id) {
    class_spec& c = own.classes[order[id]];
    if (id % all.count == scheduler)
      share += c.share;
    else
      c.rate = c.share = 0.0;
  }
  for (class_spec& c : own.classes) c.share = share > 0.0 ? c.share / share : 0.0;
  own.arrivals.rate *= share;
}

}  // namespace

entry_share share_of_entry(const scenario& model, std::uint32_t scheduler, std::size_t entry) {
  if (model.schedulers.share_servers) return {0, 1, model.servers[entry].count};
  std::uint64_t before = 0;
  for (std::size_t s = 0; s < entry; ++s) before += model.servers[s].count;
  const std::uint32_t step = model.schedulers.count, servers = model.servers[entry].count;
  const std::uint32_t first = (scheduler + step - static_cast<std::uint32_t>(before % step)) % step;
  return {first, step, first < servers ? (servers - first - 1) / step + 1 : 0};
}

bool servers_stay(const scenario& model) {
  return model.schedulers.several() && (model.schedulers.share_servers || model.schedulers.steal);
}

scenario share_of_scheduler(const scenario& model, std::uint32_t scheduler) {
  scenario own = model;
  own.schedulers = {};
  own.controlled = model.controlled && !servers_stay(model);
  own.servers.clear();
  std::vector<std::string> absent;
  for (std::size_t entry = 0; entry < model.servers.size(); ++entry) {
    const entry_share share = share_of_entry(model, scheduler, entry);
    if (share.count == 0) {
      absent.push_back(model.servers[entry].name);
      continue;
    }
    server_spec& servers = own.servers.emplace_back(model.servers[entry]);
    servers.count = share.count;
    servers.outages = outages_in_share(model.servers[entry], share);
    servers.speeds = speeds_in_share(model.servers[entry], share);
  }
  const auto is_absent = [&](const std::string& name) {
    return std::find(absent.begin(), absent.end(), name) != absent.end();
  };
  if (!absent.empty())
    for (class_spec& c : own.classes)
      c.servers.erase(std::remove_if(c.servers.begin(), c.servers.end(), is_absent), c.servers.end());
  split_arrivals(own, model, scheduler);
  return own;
}

std::uint64_t cores_of_scheduler(const scenario& model) {
  if (!model.schedulers.several()) return total_cores(model);
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
  for (std::uint32_t k = 0; k < model.schedulers.count; ++k) {
    std::uint64_t cores = 0;
    for (std::size_t entry = 0; entry < model.servers.size(); ++entry)
      cores += std::uint64_t{share_of_entry(model, k, entry).count} * model.servers[entry].cores;
    fewest = std::min(fewest, cores);
  }
  return fewest;
}

bool have_equal_shares(const scenario& model) {
  if (model.schedulers.dispatching->by_class) return false;
  for (std::size_t entry = 0; entry < model.servers.size(); ++entry)
    if (model.servers[entry].count % model.schedulers.count != 0) return false;
  return true;
}

}  // namespace muster
