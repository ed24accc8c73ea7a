#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace muster::oracle {

/// What a job holds at once: tasks, each of them whole on one server, and resources of the cluster as a whole.
struct backfill_need {
  unsigned tasks = 1;
  std::vector<std::uint64_t> per_task;   ///< by resource of servers, cores first; of devices in parts
  std::vector<std::uint64_t> per_job{};  ///< by resource of the cluster, of devices in parts; may be shorter
  unsigned at_most_per_server = 0;       ///< tasks; 0: any number
  bool exclusive = false;                ///< holds its servers whole
  std::vector<std::size_t> servers{};    ///< that it may use, in the order in which they are filled; empty: all
  std::uint64_t cores() const { return tasks * per_task.front(); }
};

/// A server and its resources.
struct backfill_server {
  std::vector<std::uint64_t> has;  ///< of each resource: the amount, or the number of devices
  double capacity = 1.0;           ///< work per tick, > 0
};

/// A time in which a server is out of service: nothing starts there. What runs there goes on, or loses all and waits.
struct backfill_outage {
  std::size_t server;
  std::uint64_t from, until;  ///< ticks
  bool known = true;          ///< whether plans know of it beforehand; else it lasts for ever while it lasts
  bool drains = true;         ///< whether what runs there goes on
  std::uint64_t cores = 0;    ///< that are out, of a server with nothing else; 0: all that the server has
  std::uint64_t first = 0;    ///< number of the first of these cores
};

/// A cluster, and the needs of its jobs. One of which only the cores count is a single server, for jobs of one task.
struct backfill_cluster {
  std::vector<std::uint64_t> parts{0};  ///< of a device of each resource of servers, cores first; 0: an amount
  std::vector<backfill_server> servers;
  std::vector<std::uint64_t> of_cluster{};  ///< of each resource of the cluster as a whole, as backfill_server::has
  std::vector<backfill_need> needs;
  std::vector<backfill_outage> outages{};         ///< by server, those of a server apart from each other
  std::vector<std::size_t> groups{};              ///< where there are outages: the first server of each group
  std::vector<std::uint64_t> parts_of_cluster{};  ///< of a device of each of of_cluster, as `parts`; empty: 0
};

/// Amounts of a cluster by place: those of each server, then those of the cluster. Cores and each other amount of a
/// server are a place, each device is; likewise of the cluster.
using levels = std::vector<std::int64_t>;

/// Where the tasks of a job are.
struct placed_tasks {
  levels held{};                                              ///< in each place
  std::vector<std::pair<std::size_t, unsigned>> by_server{};  ///< in the order in which servers were filled
};

/// Places tasks one by one. Servers are filled in the order of the need, devices with the fewest free parts that
/// suffice first, of equals the lowest.
class task_places {
 public:
  /// @param cluster outlives the places
  explicit task_places(const backfill_cluster& cluster);

  /// What there is when nothing is held.
  const levels& all() const { return all_; }
  /// Places all tasks of a job. @param free in each place, from which they are taken @return whether they fit
  bool place(const backfill_need& need, levels& free, placed_tasks& at) const;
  /// The place of a server's cores.
  std::size_t cores_of(std::size_t server) const { return of_server_[server].front().first; }
  /// What an outage takes of each place.
  levels taken_by(const backfill_outage& outage) const;
  /// The least capacity of the servers that a job may use.
  double slowest(const backfill_need& need) const;

 private:
  struct range {
    std::size_t first, count;
    std::int64_t parts;
  };

  range add_places(std::uint64_t has, std::uint64_t parts);
  std::vector<std::size_t> servers_of(const backfill_need& need) const;
  unsigned fill(std::size_t server, const backfill_need& need, unsigned left, levels& free, placed_tasks& at) const;
  bool take_one(std::size_t server, const backfill_need& need, levels& free, levels& held) const;
  static bool take(const range& of, std::int64_t wanted, levels& free);

  const backfill_cluster& cluster_;
  std::vector<std::vector<range>> of_server_;  // by resource
  std::vector<range> of_cluster_;              // by resource of the cluster
  std::size_t cluster_from_ = 0;
  levels all_;
};

}  // namespace muster::oracle
