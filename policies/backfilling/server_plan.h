#pragma once

#include <cstdint>
#include <vector>

#include "muster/policies/algorithms/amount_profile.h"
#include "muster/policies/backfilling/given_back.h"
#include "muster/policies/backfilling/outage_steps.h"
#include "muster/policies/backfilling/reservation_plan.h"
#include "muster/policies/backfilling/server_steps.h"

namespace muster {

/// The plan where tasks count: of each place of each server, and of what the cluster has as a whole.
///
/// A job gets the servers in the order of its class's groups, within a group the lowest, on each as many tasks as fit
/// there for its duration, and of devices those that resource_layout::take() chooses from what is free for all of it,
/// also of those of the cluster. The job is started on these servers and devices. A job for whose first start servers
/// are named gets these if it has room there now. Servers are held whole during their
/// planned outages; others that are down are expected to stay so.
///
/// A search looks at each server once, and again where something on it begins or ends as the interval moves on: at what
/// begins alone, and at all of the interval when what has limited the tasks there has ended. It leaves out instants at
/// which jobs of the same need and no longer duration did not fit, and a job that has a reservation did not, unless the
/// job would use something that has been given back since. None is made for a job that does not fit on all servers that
/// are up, were they idle.
class server_plan final : public reservation_plan {
 public:
  explicit server_plan(const cluster_view& cluster);

  change advance(rigid_view cluster) override;
  void pass_time(ticks now) override;
  ticks longest_from_now(class_id) const override { return end_of_clock; }
  bool fits_now(const planned_job& j) override;
  bool reserve(planned_job& j) override;
  bool reserve_now(planned_job& j) override;
  bool reserve_anew(planned_job& j) override;
  void withdraw(planned_job& j) override;
  void start(planned_job& j, rigid_decisions& decide) override;
  void extend(planned_job& j, ticks end) override;
  void end(planned_job& j, ticks now) override;
  void withdraw_all(const std::vector<planned_job*>& jobs, const running_jobs& running) override;

 private:
  struct planned_server {
    server_name name;
    const resource_layout* layout;
    amount_profile free;
    bool down = false;        ///< and not as planned
    bool out = false;         ///< in a planned outage
    std::uint32_t holds = 0;  ///< of jobs, reservations and planned outages
  };
  /// What a class needs, and where its tasks may be.
  struct planned_class {
    task_need need;
    bool of_cluster;                       ///< whether its jobs hold something of the cluster as a whole
    std::vector<std::uint32_t> servers{};  ///< in the order in which it gets them
    std::vector<unsigned> on_idle{};       ///< by server: its tasks that fit there when nothing is held; 0: not usable
    std::uint64_t on_up = 0;               ///< sum of these over the servers that are not down
    bool shares_devices = false;           ///< whether which device it gets depends on what is held of others
    bool by_instant = true;                ///< whether the tasks that fit for a time are the fewest of its instants
    table<group_id, amounts> each{};       ///< what a task holds in each place of a server, or an exclusive job
    earliest_known known{};
  };
  struct interval {
    ticks from, until;
  };
  /// Tasks that fit on a server for an interval.
  struct room {
    unsigned tasks;
    ticks until;  ///< until when an interval that is moved on, and no longer, may begin and has room for no more
  };

  interval at(ticks from, const planned_job& j) const { return {from, expected_end(from, j.duration, from)}; }
  void limit_to_known(const planned_job& j);
  ticks earliest(const planned_job& j);
  ticks search(const planned_job& j, ticks from, ticks before);
  bool fits_where_named(const planned_job& j);
  room room_on(std::uint32_t server, const planned_class& type, interval when);
  room room_by_instant(std::uint32_t server, const planned_class& type, interval when, unsigned most) const;
  room room_of_devices(std::uint32_t server, const planned_class& type, interval when);
  void count_from_begin(std::uint32_t server, const planned_class& type, interval when, std::uint64_t& all);
  void count_what_begins(ticks at, std::uint32_t server, const planned_class& type, interval when, std::uint64_t& all);
  void set_room(std::uint32_t server, room found, std::uint64_t& all);
  bool cluster_has(const planned_class& type, interval when);
  bool reserve_where_named(planned_job& j);
  void place(planned_job& j, ticks begin);
  unsigned place_on(planned_job& j, std::uint32_t server, unsigned tasks);
  void begin_placing(planned_job& j, ticks begin);
  void end_placing(planned_job& j);
  change find_down(rigid_view cluster);
  void set_down(std::uint32_t server, bool down);
  // Changes what is free during [from, until) by what the job holds.
  void hold(const planned_job& j, ticks from, ticks until);
  void release(const planned_job& j, ticks from, ticks until);
  void note_step(ticks at, std::uint32_t server, bool begins);
  void take_back(planned_job& j);
  void hold_planned_outages();
  void count_holds(const planned_job& j);
  void place_on_cluster(planned_job& j);
  planned_class& type(const planned_job& j) { return classes_[j.of->type]; }
  std::uint32_t number(group_id group, std::uint32_t server) const { return first_of_[group] + server; }
  // The number of a server, or that of the cluster as a whole, which is the number of all servers.
  std::uint32_t number_of(const task_placement& part) const {
    return part.group == whole_cluster ? static_cast<std::uint32_t>(servers_.size()) : number(part.group, part.server);
  }
  amount_profile& free_on(std::uint32_t number) {
    return number < servers_.size() ? servers_[number].free : of_cluster_;
  }

  std::vector<planned_server> servers_;
  table<group_id, std::uint32_t> first_of_;  // number of the first server of each group
  table<class_id, planned_class> classes_;
  const resource_layout* cluster_layout_;
  amount_profile of_cluster_;
  server_steps steps_;  // the number of all servers: of the cluster as a whole
  given_back given_back_;
  const std::vector<planned_outage> planned_;
  outage_steps outages_;
  std::vector<server_name> down_, seen_down_;  // servers that are down, and not as planned
  possible_begins begins_, known_begins_;      // of the job that is being placed
  std::vector<room> rooms_;                    // by server, of the search that is being made
  amounts least_;
  ticks now_ = 0;
};

}  // namespace muster
