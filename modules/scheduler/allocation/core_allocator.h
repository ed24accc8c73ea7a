#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include <boost/range/iterator_range_core.hpp>

#include "muster/modules/protocol/job_extension.h"
#include "muster/modules/scheduler/allocation/free_servers.h"
#include "muster/modules/scheduler/allocation/server_group.h"
#include "muster/modules/scheduler/allocation/task_allocator.h"
#include "muster/policies/cluster_state.h"
#include "muster/policies/placement.h"
#include "muster/policies/placement_preview.h"

namespace muster {

/// Knows which cores are free, and decides which of them a job gets. No core of a server that is down is free.
///
/// The allocator counts free cores by server, and keeps the view's count by group, which is enough for a group of one
/// server.
class core_allocator final : private placement_preview {
 public:
  /// @param state outlives the allocator, which alone books cores there
  /// @param rule by which rigid jobs are placed; null: `first`
  /// @param random for the rule; outlives the allocator; may be null where the rule draws nothing
  /// @param racks for a rule that needs them
  core_allocator(cluster_state& state, const table<group_id, server_group>& groups,
                 const placement_entry* rule = nullptr, random_numbers* random = nullptr,
                 const cluster_resources& resources = {}, const server_racks& racks = {});
  core_allocator(const core_allocator&) = delete;
  core_allocator& operator=(const core_allocator&) = delete;

  const group_location& location(group_id group) const { return locations_[group]; }
  const table<group_id, group_location>& locations() const { return locations_; }

  std::uint32_t idle_cores(group_id group, std::uint32_t server) const {
    if (tasks_) return tasks_->idle_cores(group, server);
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
  /// Books idle cores that another scheduler has taken, which shares the servers.
  void take_for_another(const placement& at) {
    take(at);
    rank(at.group, at.server);
  }
  /// Makes the cores of a slice that has ended idle. Those of a server that is down become idle when it is repaired.
  /// @param ended the slice, which its job still counts as open; may be null for jobs that are not rigid
  void give_back(const placement& at, const slice_extension* ended = nullptr) {
    if (plain_)
      set_free(at);
    else
      give_back_with_care(at, ended);
  }

  /// Books the cores of a rigid job by the rule of placement. Without one they are taken group by group in the order of
  /// its class, and from the lowest server that has some free. The job must fit.
  /// @return on how many servers the cores are
  unsigned place(const job& waiting);
  /// Books what tasks of a rigid job hold, where tasks count, as the policy has placed them.
  /// @param where without an objection, see task_allocator::objection()
  /// @return on how many servers the tasks are
  unsigned place_on(const job& waiting, const std::vector<task_placement>& where);
  /// Books what a rigid job holds on given servers, which ascend; where tasks count, their cores are tasks of the job.
  /// @return on how many servers they are; 0: one of them may not be used or has no room, or this is not what the job
  ///   needs, and nothing is booked
  unsigned place_where_named(const job& waiting, const std::vector<placement>& where);
  /// Counts a job for which place_where_named() was not called, as the policy has chosen other servers.
  void note_other_places() { ++without_named_places_; }
  /// How many jobs got other servers than those named, as there was no room.
  std::uint64_t without_named_places() const { return without_named_places_; }
  /// The cores of the latest job for which a function that places a job was called.
  boost::iterator_range<const placement*> placements() const {
    return {placements_.data(), placements_.data() + placed_};
  }
  /// What the job of placements() holds on one of their servers, in each place, cores first; null: only cores count.
  const amounts* held(const placement& at) const {
    return tasks_ ? &held_[static_cast<std::size_t>(&at - placements_.data())] : nullptr;
  }
  /// What is free of resources, where tasks count; null: only cores do.
  const task_allocator* tasks() const { return tasks_.get(); }
  task_allocator* tasks() { return tasks_.get(); }
  /// The smallest capacity among the servers of placements().
  double slowest() const { return slowest_; }

  /// Books the cores of a rigid job as place() does, where the rule of placement is `first`, its class may use one
  /// group only and the first server there that has idle cores has enough. So the place of most jobs is found without a
  /// search, and what fits there fits.
  /// @return a placement without cores: the conditions are not met, and no cores are booked
  placement place_on_one_server(class_id type) {
    const group_id* const only = state_.only_group(type);
    if (!only || !takes_first_) return {};
    const unsigned cores = state_.need(type);
    if (state_.free_in(*only) < cores) return {};
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
  bool any_down() const { return tasks_ ? tasks_->any_down() : !down_.empty(); }
  /// @}

 private:
  double score(class_id type) const override;
  void add(const placement& at) {
    placements_[placed_++] = at;
    state_.take(at.group, at.cores);
  }
  void place_on_servers(group_id group, unsigned cores);
  void place_by_rule(class_id type, unsigned cores);
  [[gnu::noinline]] void place_tasks(const job& waiting);
  void note_slowest();
  void hold_of_cluster(const job& placed);
  void give_back_of_cluster(const slice_extension& ended);
  [[gnu::noinline]] void give_back_with_care(const placement& at, const slice_extension* ended);
  // Tells the rule, if there is one, that a server has another number of idle cores.
  void rank(group_id group, std::uint32_t server);
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
  bool plain_;        // no rule, no tasks, and no server that is down
  bool takes_first_;  // no rule, and no tasks
  placement_rule rule_;
  random_numbers* random_;
  std::unique_ptr<const server_racks> racks_;  // null: the rule does not need them
  table<group_id, idle_ranking> ranked_;       // empty without a rule
  std::unique_ptr<task_allocator> tasks_;      // null: only cores count
  std::vector<amounts> held_;                  // where tasks count: what placements_ hold in each place
  amounts of_cluster_;                         // what the latest job holds in each place of the cluster; empty: nothing
  std::uint64_t without_named_places_ = 0;
};

}  // namespace muster
