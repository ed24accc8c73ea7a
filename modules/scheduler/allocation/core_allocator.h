#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include <boost/range/iterator_range_core.hpp>

#include "muster/modules/scheduler/allocation/free_servers.h"
#include "muster/modules/scheduler/allocation/server_group.h"
#include "muster/policies/cluster_state.h"

namespace muster {

/// Knows which cores are free, and decides which of them a job gets. No core of a server that is down is free.
///
/// The allocator counts free cores by server, and keeps the view's count by group, which is enough for a group of one
/// server.
class core_allocator {
 public:
  /// @param state outlives the allocator, which alone books cores there
  core_allocator(cluster_state& state, const table<group_id, server_group>& groups);

  const group_location& location(group_id group) const { return locations_[group]; }
  const table<group_id, group_location>& locations() const { return locations_; }

  std::uint32_t idle_cores(group_id group, std::uint32_t server) const {
    return locations_[group].servers == 1 ? state_.free_in(group) : free_servers_[group].cores(server);
  }
  /// The lowest server of the group with an idle core. Some server must have one.
  std::uint32_t free_server(group_id group) const {
    return locations_[group].servers == 1 ? 0 : free_servers_[group].first();
  }
  /// All cores of the lowest idle server, in a group whose servers are given as a whole. Some server must be idle.
  placement whole_server(group_id group) const { return {group, free_server(group), locations_[group].cores}; }
  /// One core of a server; nothing if none is idle.
  std::optional<placement> single_core(group_id group, std::uint32_t server) const {
    if (idle_cores(group, server) == 0) return std::nullopt;
    return placement{group, server, 1};
  }
  /// One core of the lowest server of the group that has an idle one; nothing if none has.
  std::optional<placement> single_core(group_id group) const {
    if (state_.free_in(group) == 0) return std::nullopt;
    return placement{group, free_server(group), 1};
  }
  /// The work per tick that the cores do together.
  double rate(const placement& at) const { return at.cores * locations_[at.group].capacity; }

  void take(const placement& at) {
    if (locations_[at.group].servers > 1) free_servers_[at.group].take(at.server, at.cores);
    state_.take(at.group, at.cores);
  }
  /// Makes the cores of a slice that has ended idle. Those of a server that is down become idle when it is repaired.
  void give_back(const placement& at) {
    if (!down_.empty() && withhold(at)) return;
    set_free(at);
  }

  /// Books the cores of a rigid job, group by group in the order of its class and from the lowest server that has some
  /// free. The job must fit.
  /// @return on how many servers the cores are
  unsigned place(const job& waiting);
  /// The cores of the latest job for which place() was called.
  boost::iterator_range<const placement*> placements() const {
    return {placements_.data(), placements_.data() + placed_};
  }
  /// The smallest capacity among the servers of placements().
  double slowest() const { return slowest_; }

  /// Books the cores of a rigid job as place() does, where its class may use one group only and the first server there
  /// that has idle cores has enough. So the place of most jobs is found without a search. The job must fit.
  /// @return a placement without cores: the conditions are not met, and no cores are booked
  placement place_on_one_server(class_id type) {
    const group_id* const only = state_.only_group(type);
    if (!only) return {};
    const unsigned cores = state_.need(type);
    std::uint32_t server = 0;
    if (locations_[*only].servers > 1) {
      free_servers& servers = free_servers_[*only];
      server = servers.first();
      if (servers.cores(server) < cores) return {};
      servers.take(server, cores);
    }
    state_.take(*only, cores);
    return {*only, server, cores};
  }
  double capacity(const placement& at) const { return locations_[at.group].capacity; }

  /// @name Servers that are down
  /// @{
  void server_fails(group_id group, std::uint32_t server);
  void server_is_repaired(group_id group, std::uint32_t server);
  bool any_down() const { return !down_.empty(); }
  /// @}

 private:
  void add(const placement& at) {
    placements_[placed_++] = at;
    state_.take(at.group, at.cores);
  }
  void place_on_servers(group_id group, unsigned cores);
  [[gnu::noinline]] bool withhold(const placement& at);
  void set_free(const placement& at) {
    if (locations_[at.group].servers > 1) free_servers_[at.group].give_back(at.server, at.cores);
    state_.give_back(at.group, at.cores);
  }

  cluster_state& state_;
  table<group_id, group_location> locations_;
  table<group_id, free_servers> free_servers_;
  std::unordered_map<std::uint64_t, std::uint32_t> down_;  // cores that no slice holds, by server that is down
  std::vector<placement> placements_;                      // has room for all servers
  unsigned placed_ = 0;                                    // placements_ of the latest job
  double slowest_ = 1.0;
};

}  // namespace muster
