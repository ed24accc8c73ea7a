#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "muster/modules/scheduler/allocation/free_servers.h"
#include "muster/modules/scheduler/allocation/resource_observer.h"
#include "muster/modules/scheduler/allocation/server_group.h"
#include "muster/policies/cluster_state.h"
#include "muster/policies/placement.h"
#include "muster/policies/resource_layout.h"

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
  task_allocator(cluster_state& state, const table<group_id, server_group>& groups, const cluster_resources& resources,
                 const placement_entry& rule, random_numbers* random);

  std::uint32_t idle_cores(group_id group, std::uint32_t server) const {
    return static_cast<std::uint32_t>(servers_[group][server].free.front());
  }

  /// Places the tasks of a job of the class, which must fit, and takes what it needs of the cluster.
  /// @param at receives servers and cores
  /// @param held receives what is held in each place of each of these servers
  /// @return number of servers
  unsigned place(class_id type, std::vector<placement>& at, std::vector<amounts>& held);
  /// Gives back what a slice has held of its server. @param held in each place behind the cores
  void give_back(const placement& at, const std::uint64_t* held);
  /// Gives back what a job has held of the cluster, as its last slice has ended.
  void job_leaves(class_id type);

  /// The integral over time, until now, of what is stranded of a resource of servers: free on a server that is up, but
  /// of no use, as no task that needs the resource fits there. Amount times ticks, of devices in parts.
  tick_sum stranded(std::size_t resource) const {
    return stranded_[resource].integral + static_cast<tick_sum>(stranded_[resource].now) * (state_.now() - since_);
  }

  /// Shows what is free of each server to an observer, now and at each change. @param observer outlives the allocator
  void observe(resource_observer& observer);
  /// The number of resources, those of the cluster included.
  std::size_t resource_count() const { return of_cluster_.size(); }
  /// Whether the cluster has the resource as a whole.
  bool is_of_cluster(std::size_t resource) const { return of_cluster_[resource]; }
  /// What is free of a resource of the cluster.
  std::uint64_t free_of_cluster(std::size_t resource) const { return cluster_free_[resource]; }
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
    amounts free;        // in each place
    amounts stranded{};  // of each resource
    bool down = false;
  };
  /// What is stranded of a resource on all servers, and its integral until since_.
  struct stranded_amount {
    std::uint64_t now = 0;
    tick_sum integral = 0;
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

  chosen_server choose(class_id type, unsigned tasks);
  chosen_server first(class_id type) const;
  chosen_server lowest_score(class_id type, unsigned tasks) const;
  void take(class_id type, const chosen_server& from, unsigned tasks, amounts& held);
  void set_fitting(class_id type, const chosen_server& at, unsigned tasks);
  void show_fitting(class_id type);
  // Counts anew the tasks that fit on a server.
  void count(const chosen_server& at);
  // Counts anew what is stranded on a server. @param usable bits of the resources that a task which fits needs
  void count_stranded(const chosen_server& at, std::uint64_t usable);
  void show(const chosen_server& at) const;
  void forget_state(const chosen_server& at);
  void remember_state(const chosen_server& at);
  const task_need& need(class_id type) const { return *state_.type(type).tasks; }

  cluster_state& state_;
  const placement_entry& rule_;
  random_numbers* random_;
  table<group_id, resource_layout> layouts_;
  table<group_id, std::vector<server_state>> servers_;
  table<group_id, std::vector<class_id>> users_;  // classes that may use the group
  table<class_id, fitting_tasks> fitting_;
  table<group_id, std::map<amounts, std::set<std::uint32_t>>> states_;  // servers that are up, where the rule scores
  std::vector<class_id> users_of_cluster_;                              // classes that need a resource of the cluster
  amounts cluster_free_;
  std::vector<bool> of_cluster_;           // whether the cluster has a resource as a whole
  amounts largest_;                        // the most that one server has of each resource
  table<class_id, std::uint64_t> needed_;  // resources of servers that a task of the class needs, as bits
  std::vector<stranded_amount> stranded_;  // by resource
  ticks since_ = 0;
  std::uint32_t down_ = 0;
  resource_observer* observer_ = nullptr;  // null: none
};

}  // namespace muster
