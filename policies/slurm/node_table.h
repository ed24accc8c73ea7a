#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "muster/policies/rigid_policy.h"
#include "muster/policies/slurm/node_set.h"
#include "muster/policies/slurm/slurm_job.h"

namespace muster {

/// Tasks that a job gets on a node.
struct node_share {
  std::size_t node;
  unsigned tasks;
};

/// The nodes of a cluster of Slurm: what each has free now, and which of them a job would get.
///
/// A node is a server where tasks count. Each core is a node of its own where only cores count: nobody tells a policy
/// which server has how many of them free.
class node_table {
 public:
  explicit node_table(const cluster_view& cluster);
  node_table(const node_table&) = delete;
  node_table& operator=(const node_table&) = delete;

  /// Why no such table can be made of the cluster; nothing: it can.
  static std::optional<std::string> objection(const cluster_view& cluster);

  std::size_t size() const { return nodes_.size(); }
  /// Nodes that may hold tasks of the class when they are idle.
  const node_set& usable(class_id id) const { return types_[id].usable; }
  /// All nodes of the servers that the class may use.
  const node_set& of_servers(class_id id) const { return types_[id].of_servers; }
  const task_need& need(class_id id) const { return types_[id].need; }
  /// The fewest nodes that can hold a job of the class when they are idle.
  std::size_t fewest_nodes(class_id id) const { return types_[id].fewest_nodes; }
  /// The most tasks of the class that room() counts on an idle node; at least 1.
  unsigned most_on_a_node(class_id id) const { return types_[id].most_on_a_node; }
  /// A number of what room() says of the class: classes of the same number get the same room on each node.
  std::size_t kind(class_id id) const { return types_[id].kind; }
  /// Nodes that are up, those in planned outages included.
  const node_set& up() const { return up_; }
  /// Nodes on which some core is free.
  const node_set& with_free_cores() const { return with_free_cores_; }
  const amounts& free(std::size_t node) const { return nodes_[node].free; }
  /// What an idle node has.
  const amounts& all(std::size_t node) const { return nodes_[node].layout->all(); }
  /// Tasks of the class that fit where so much is free on a node, however many a job has; but where it needs devices at
  /// most those that it has, as Slurm limits what it counts of a node to the devices of the job.
  unsigned room(class_id id, std::size_t node, const amounts& free) const {
    return nodes_[node].layout->tasks_that_fit(free, types_[id].any_tasks);
  }
  bool needs_devices(class_id id) const { return types_[id].needs_devices; }
  /// Whether some class does.
  bool any_needs_devices() const { return any_needs_devices_; }
  /// Tasks of a class that needs devices for which those suffice that are free on a node, whatever else is; of several
  /// kinds their sum. At most the tasks of a job count for each.
  unsigned room_of_devices(class_id id, std::size_t node, const amounts& free) const;
  /// The nodes of planned outages, with their times.
  struct outage {
    ticks from, until;
    node_set nodes;
  };
  const std::vector<outage>& outages() const { return outages_; }

  /// Finds which nodes are up. Called before a pass.
  void find_down(rigid_view cluster);
  /// The nodes that are named for a job; empty: there are none, or they have no room.
  std::vector<node_share> named_for(const job& waiting, rigid_view cluster, const rigid_decisions& decide);

  /// Starts a job on these nodes. @return what it holds there
  std::vector<slurm_job::holding> start(const job& waiting, const std::vector<node_share>& where,
                                        rigid_decisions& decide);
  /// Gives back what a job has held.
  void end(const std::vector<slurm_job::holding>& held);
  /// Takes what a job holds, where end() has given it back.
  void hold(const std::vector<slurm_job::holding>& held);

 private:
  struct node_state {
    server_name name;
    const resource_layout* layout;
    amounts free;
  };
  struct type {
    task_need need;
    node_set usable, of_servers;
    task_need any_tasks;  ///< need, of any number of tasks where it has no devices
    std::size_t fewest_nodes = 0, kind = 0;
    unsigned most_on_a_node = 1;
    bool needs_devices = false;
  };

  type& add_type(const task_need& need);
  void add_servers(const cluster_view& cluster);
  void add_cores(const cluster_view& cluster);
  void add_outages(const cluster_view& cluster);
  void count_fewest_nodes();
  void number_kinds();
  static bool is_device_of(std::size_t resource, const type& own, const resource_layout& layout) {
    return resource < own.need.per_task.size() && own.need.per_task[resource] > 0 && layout.parts(resource) > 0;
  }
  void note_free(std::size_t number);
  void find_down_cores(rigid_view cluster);
  std::uint32_t number(const server_name& s) const { return first_of_[s.group] + s.server; }

  std::vector<node_state> nodes_;
  table<group_id, std::uint32_t> first_of_;  // number of the first node of each group
  table<class_id, type> types_;
  node_set up_, with_free_cores_;
  std::vector<outage> outages_;
  std::vector<server_name> down_;
  bool any_needs_devices_ = false;
  bool places_;           // tasks count: the policy places jobs
  resource_layout core_;  // of a node that is a core
  /// The cores of the same servers, which some classes may use.
  struct pool {
    class_id of;
    std::size_t first, count;  // of its nodes
  };
  std::vector<pool> pools_;
};

}  // namespace muster
