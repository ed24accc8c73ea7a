#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "muster/modules/scheduler/allocation/amount_level.h"
#include "muster/modules/scheduler/allocation/cluster_ledger.h"
#include "muster/modules/scheduler/allocation/free_servers.h"
#include "muster/modules/scheduler/allocation/resource_observer.h"
#include "muster/modules/scheduler/allocation/server_group.h"
#include "muster/policies/cluster_state.h"
#include "muster/policies/placement.h"
#include "muster/policies/resource_layout.h"
#include "muster/policies/task_placement.h"

namespace muster {

/// Knows what is free of each resource of each server, how many tasks of each class fit there, and decides which
/// servers and devices the tasks of a job get.
///
/// A change of a server takes a time proportional to the number of classes that may use it, and logarithmic in the
/// number of servers. A rule of placement that scores servers examines each state in which one is, however many are in
/// the same one.
class task_allocator {
 public:
  /// @param state where tasks count; outlives the allocator, which alone changes what is free there
  /// @param random for the rule; outlives the allocator; may be null where the rule draws nothing
  /// @param racks for the rule; outlive the allocator; null: it does not need them
  task_allocator(cluster_state& state, const table<group_id, server_group>& groups, const cluster_resources& resources,
                 const placement_entry& rule, random_numbers* random, const server_racks* racks = nullptr);

  std::uint32_t idle_cores(group_id group, std::uint32_t server) const {
    return static_cast<std::uint32_t>(servers_[group][server].free.front());
  }

  /// Places the tasks of a job of the class, which must fit, and takes what it needs of the cluster.
  /// @param at receives servers and cores
  /// @param held receives what is held in each place of each of these servers
  /// @param of_cluster receives what is held in each place of the cluster; empty: nothing
  /// @return number of servers
  unsigned place(class_id type, std::vector<placement>& at, std::vector<amounts>& held, amounts& of_cluster);
  /// Why tasks of a job of the class cannot be where a policy has placed them: what is wrong, and what was expected;
  /// nothing: they can.
  std::optional<std::string> objection(class_id type, const std::vector<task_placement>& where) const;
  /// Takes what tasks of a job of the class hold where a policy has placed them, and what it needs of the cluster.
  /// @param where has no objection
  /// @param at, held, of_cluster as those of place()
  unsigned place_on(class_id type, const std::vector<task_placement>& where, std::vector<placement>& at,
                    std::vector<amounts>& held, amounts& of_cluster);
  /// How many tasks of a job of the class fit on a server that it may use. @param at whose cores are not read
  unsigned fitting(class_id type, const placement& at) const {
    return fitting_[type].servers[at.group].cores(at.server);
  }
  /// Places as many tasks of a job of the class on each server as its cores say, where they fit, and takes what the job
  /// needs of the cluster.
  /// @param at, held, of_cluster as those of place()
  unsigned place_where_named(class_id type, const std::vector<placement>& where, std::vector<placement>& at,
                             std::vector<amounts>& held, amounts& of_cluster);
  /// The score of the server that gets the first tasks of a job of the class, which must fit. The rule must have
  /// scores.
  double score(class_id type) const { return lowest_score(type, need(type).tasks).score; }
  /// Gives back what a slice of a job of the class has held of its server. @param held in each place behind the cores
  void give_back(class_id type, const placement& at, const std::uint64_t* held);
  /// Gives back what a job has held in each place of the cluster, as its last slice has ended. @param held empty:
  /// nothing
  void job_leaves(const amounts& held, const held_time& times);

  /// The integral over time, until now, of what is stranded of a resource of servers: free on a server that is up, but
  /// of no use, as no task that needs the resource fits there. Amount times ticks, of devices in parts.
  tick_sum stranded(std::size_t resource) const { return levels_[resource].until(state_.now()); }
  /// The integral over time, until now, of what is free of devices on servers that are up: parts times ticks.
  /// @param resource of servers, one with devices
  tick_sum free_devices(std::size_t resource) const { return levels_[free_level(resource)].until(state_.now()); }
  /// The part of free_devices() that a task of the class can use, see least_usable().
  tick_sum usable_devices(std::size_t resource, class_id type) const {
    return levels_[usable_level(resource, type)].until(state_.now());
  }

  /// The integral over time, until now, of what jobs hold of a resource of the cluster, see cluster_ledger::held().
  tick_sum held_of_cluster(std::size_t resource) const { return cluster_.held(resource, state_.now()); }
  const cluster_ledger& of_cluster() const { return cluster_; }

  /// Shows what is free of each server to an observer, now and at each change. @param observer outlives the allocator
  void observe(resource_observer& observer);
  /// The number of resources, those of the cluster included.
  std::size_t resource_count() const { return of_cluster_.size(); }
  /// Whether the cluster has the resource as a whole.
  bool is_of_cluster(std::size_t resource) const { return of_cluster_[resource]; }
  std::size_t server_count(group_id group) const { return servers_[group].size(); }
  const resource_layout& layout(group_id group) const { return layouts_[group]; }

  /// @name Servers that are down
  /// @{
  void server_fails(group_id group, std::uint32_t server);
  void server_is_repaired(group_id group, std::uint32_t server);
  bool any_down() const { return down_ > 0; }
  /// @}

 private:
  struct server_state {
    amounts free;                   // in each place
    amounts levels{};               // its part in each of levels_
    std::vector<unsigned> alike{};  // tasks by number of need; empty: the rule does not count them
    bool down = false;
  };
  /// The tasks of a class that fit, by server.
  struct fitting_tasks {
    table<group_id, free_servers> servers;
    table<group_id, std::uint64_t> of_group;
    table<group_id, idle_ranking> ranked;  // where the rule chooses by rank
    std::uint64_t all = 0;
  };
  struct chosen_server {
    group_id group;
    std::uint32_t server;
  };
  /// What the score of a server depends on: what is free, and the tasks that it holds by need.
  using scored_state = std::tuple<amounts, std::vector<unsigned>>;

  struct scored_server {
    chosen_server server{};
    double score = 0.0;
  };

  // @param rack of the server that the job got last, where racks are known
  chosen_server choose(class_id type, unsigned tasks, std::optional<std::uint32_t> rack);
  chosen_server first(class_id type) const;
  scored_server lowest_score(class_id type, unsigned tasks) const;
  void take(class_id type, const chosen_server& from, unsigned tasks, amounts& held);
  // Counts what fits on the servers of a job that has been placed.
  void end_placing(const std::vector<placement>& at, unsigned servers);
  std::optional<std::string> objection_on(class_id type, const task_placement& part) const;
  void set_fitting(class_id type, const chosen_server& at, unsigned tasks);
  void show_fitting(class_id type);
  // Counts anew the tasks that fit on a server.
  void count(const chosen_server& at);
  // Counts anew what is stranded on a server. @param usable bits of the resources that a task which fits needs
  void count_stranded(const chosen_server& at, std::uint64_t usable);
  // Counts anew what is free of a server's devices, and what of it tasks of each class can use.
  void count_devices(const chosen_server& at, std::size_t resource);
  void set_level(std::size_t of, server_state& at, std::uint64_t amount);
  // The places in levels_: what is stranded of each resource, then of the devices what is free, and usable by class.
  std::size_t free_level(std::size_t resource) const { return largest_.size() + device_number_[resource]; }
  std::size_t usable_level(std::size_t resource, class_id type) const {
    return free_level(resource) + (static_cast<std::size_t>(type) + 1) * devices_.size();
  }
  void show(const chosen_server& at) const;
  void forget_state(const chosen_server& at);
  void remember_state(const chosen_server& at);
  void number_needs();
  // The tasks of the class's need that a server holds; null where they are not counted. None is counted of a job that
  // holds its servers whole: no other comes to them.
  unsigned* alike(server_state& at, class_id type) const;
  const task_need& need(class_id type) const { return *state_.type(type).tasks; }

  cluster_state& state_;
  const placement_entry& rule_;
  random_numbers* random_;
  const server_racks* racks_;
  table<group_id, resource_layout> layouts_;
  table<group_id, std::vector<server_state>> servers_;
  table<group_id, std::vector<class_id>> users_;  // classes that may use the group
  table<class_id, fitting_tasks> fitting_;
  table<group_id, std::map<scored_state, std::set<std::uint32_t>, std::less<>>>
      states_;                                // servers that are up, if the rule scores
  table<class_id, std::size_t> need_number_;  // classes of equal needs have the same; empty: tasks are not counted
  std::vector<class_id> users_of_cluster_;    // classes that need a resource of the cluster
  cluster_ledger cluster_;
  std::vector<bool> of_cluster_;            // whether the cluster has a resource as a whole
  amounts largest_;                         // the most that one server has of each resource
  table<class_id, std::uint64_t> needed_;   // resources of servers that a task of the class needs, as bits
  std::vector<std::size_t> devices_;        // the resources of servers that are devices
  std::vector<std::size_t> device_number_;  // by resource: its place in devices_
  std::vector<amount_level> levels_;        // what all servers add up to
  std::vector<std::uint64_t> partly_free_;  // used by count_devices(): free parts of each device that has some
  std::uint32_t down_ = 0;
  resource_observer* observer_ = nullptr;  // null: none
};

}  // namespace muster
