#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "muster/policies/job.h"
#include "muster/policies/server_racks.h"
#include "muster/policies/table.h"

namespace muster {

/// A server with idle cores.
struct idle_server {
  group_id group;
  std::uint32_t server;  ///< within the group
  unsigned cores;        ///< its idle cores, at least 1
};

/// The servers of a group that have idle cores: in ascending order of these, and by rank. A change and a query of the
/// order take a time logarithmic in the number of servers; neither allocates memory. Where racks are known the order is
/// that of the servers of each rack; else all servers are in rack 0.
class idle_ranking {
 public:
  /// All cores of all servers are idle.
  /// @param racks of the servers; empty: not known @param rack_count greater than each of them
  idle_ranking(std::uint32_t servers, unsigned cores_each, const std::vector<std::uint32_t>& racks = {},
               std::uint32_t rack_count = 0);

  /// The number of servers that have idle cores.
  std::size_t count() const { return by_rank_.size(); }
  /// The server of a rank below count(). Ranks are in no particular order, which depends on the changes alone.
  std::uint32_t at(std::size_t rank) const { return by_rank_[rank]; }
  unsigned cores(std::uint32_t server) const { return cores_[server]; }
  /// The lowest of the servers of a rack that have the fewest idle cores, of those with at least as many, which is at
  /// least 1.
  std::optional<std::uint32_t> fewest(unsigned at_least, std::uint32_t rack = 0) const;
  /// The lowest of the servers of a rack that have the most idle cores; nothing where none has any.
  std::optional<std::uint32_t> most(std::uint32_t rack = 0) const;
  /// The idle cores of a rack, where racks are known.
  std::uint64_t idle_in(std::uint32_t rack) const { return idle_[rack]; }

  /// Sets the number of idle cores of a server.
  void set(std::uint32_t server, unsigned cores);

 private:
  using ranked_server = std::pair<std::uint64_t, std::uint32_t>;  // the rack and its idle cores in one; its number

  std::uint32_t rack_of(std::uint32_t server) const { return racks_.empty() ? 0 : racks_[server]; }
  ranked_server ranked(std::uint32_t server, unsigned cores) const { return {key(rack_of(server), cores), server}; }
  static std::uint64_t key(std::uint32_t rack, unsigned cores) { return std::uint64_t{rack} << 32 | cores; }

  std::set<ranked_server> by_cores_;                       // each server that has idle cores
  std::vector<std::set<ranked_server>::node_type> spare_;  // nodes of the other servers
  std::vector<std::uint32_t> racks_;                       // of each server; empty: not known
  std::vector<std::uint64_t> idle_;                        // cores, of each rack; empty: not known
  std::vector<unsigned> cores_;
  std::vector<std::uint32_t> by_rank_;
  std::vector<std::uint32_t> rank_;  // of a server that has idle cores
};

/// The ranking of a group's servers, by racks where they are known. @param racks null: they are not
inline idle_ranking ranking_of(const server_racks* racks, group_id group, std::uint32_t servers, unsigned cores_each) {
  return racks ? idle_ranking(servers, cores_each, racks->of_servers[group], racks->count)
               : idle_ranking(servers, cores_each);
}

/// The servers with idle cores that a job may use, as a rule of placement sees them. Of servers that are equal in what
/// is asked, the first in the order of the job's class comes first, within a group the lowest.
class candidate_servers {
 public:
  /// @param groups that the job may use, in the order of its class
  /// @param racks as the rankings know them; null: they do not
  /// @param latest the rack of the server that the job has got last; nothing: it has none, or racks are not known
  candidate_servers(const table<group_id, idle_ranking>& servers, const std::vector<group_id>& groups,
                    const server_racks* racks = nullptr, std::optional<std::uint32_t> latest = {})
      : servers_(&servers), groups_(&groups), racks_(racks), latest_(latest) {}

  /// The server with the fewest idle cores among those of a rack with at least as many; nothing if there is none. Where
  /// racks are not known all servers are in rack 0.
  std::optional<idle_server> fewest_idle(unsigned at_least, std::uint32_t rack = 0) const;
  /// The server of a rack with the most idle cores. Some server there must have one.
  idle_server most_idle(std::uint32_t rack = 0) const;
  /// The server of a rack with the fewest idle cores that hold as many, else that with the most: best fit of bin
  /// packing (Johnson, "Fast algorithms for bin packing", 1974). Some server there must have an idle core.
  idle_server best_fit(unsigned cores, std::uint32_t rack = 0) const;
  /// @name Racks, for rules whose entry says needs_racks
  /// @{
  std::uint32_t racks() const { return racks_ ? racks_->count : 0; }
  /// The idle cores of a rack on servers that the job may use. Takes a time proportional to its groups.
  std::uint64_t idle_in(std::uint32_t rack) const;
  /// The rack of the server that the job has got last; nothing: it has none yet.
  std::optional<std::uint32_t> latest_rack() const { return latest_; }
  /// @}
  /// The number of servers that have idle cores.
  std::size_t count() const;
  /// A server that has idle cores. @param rank below count()
  idle_server at(std::size_t rank) const;

 private:
  const table<group_id, idle_ranking>* servers_;
  const std::vector<group_id>* groups_;
  const server_racks* racks_;
  std::optional<std::uint32_t> latest_;
};

}  // namespace muster
