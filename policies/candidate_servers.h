#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "muster/policies/job.h"
#include "muster/policies/table.h"

namespace muster {

/// A server with idle cores.
struct idle_server {
  group_id group;
  std::uint32_t server;  ///< within the group
  unsigned cores;        ///< its idle cores, at least 1
};

/// The servers of a group that have idle cores: in ascending order of these, and by rank. A change and a query of the
/// order take a time logarithmic in the number of servers; neither allocates memory.
class idle_ranking {
 public:
  /// All cores of all servers are idle.
  idle_ranking(std::uint32_t servers, unsigned cores_each);

  /// The number of servers that have idle cores.
  std::size_t count() const { return by_rank_.size(); }
  /// The server of a rank below count(). Ranks are in no particular order, which depends on the changes alone.
  std::uint32_t at(std::size_t rank) const { return by_rank_[rank]; }
  unsigned cores(std::uint32_t server) const { return cores_[server]; }
  /// The lowest of the servers that have the fewest idle cores, of those with at least as many, which is at least 1.
  std::optional<std::uint32_t> fewest(unsigned at_least) const;
  /// The lowest of the servers that have the most idle cores; nothing where none has any.
  std::optional<std::uint32_t> most() const;

  /// Sets the number of idle cores of a server.
  void set(std::uint32_t server, unsigned cores);

 private:
  std::set<std::pair<unsigned, std::uint32_t>> by_cores_;  // cores and number of each server that has idle cores
  std::vector<std::set<std::pair<unsigned, std::uint32_t>>::node_type> spare_;  // nodes of the other servers
  std::vector<unsigned> cores_;
  std::vector<std::uint32_t> by_rank_;
  std::vector<std::uint32_t> rank_;  // of a server that has idle cores
};

/// The servers with idle cores that a job may use, as a rule of placement sees them. Of servers that are equal in what
/// is asked, the first in the order of the job's class comes first, within a group the lowest.
class candidate_servers {
 public:
  /// @param groups that the job may use, in the order of its class
  candidate_servers(const table<group_id, idle_ranking>& servers, const std::vector<group_id>& groups)
      : servers_(&servers), groups_(&groups) {}

  /// The server with the fewest idle cores among those with at least as many; nothing if there is none.
  std::optional<idle_server> fewest_idle(unsigned at_least) const;
  /// The server with the most idle cores. Some server must have one.
  idle_server most_idle() const;
  /// The server with the fewest idle cores that hold as many, else that with the most: best fit of bin packing
  /// (Johnson, "Fast algorithms for bin packing", 1974). Some server must have an idle core.
  idle_server best_fit(unsigned cores) const;
  /// The number of servers that have idle cores.
  std::size_t count() const;
  /// A server that has idle cores. @param rank below count()
  idle_server at(std::size_t rank) const;

 private:
  const table<group_id, idle_ranking>* servers_;
  const std::vector<group_id>* groups_;
};

}  // namespace muster
