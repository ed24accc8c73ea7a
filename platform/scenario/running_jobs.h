#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/model/scenario.h"
#include "platform/scenario/log_file.h"

namespace muster {

/// The servers of a scenario that nodes of a site are, by their names.
///
/// A node is of the entry with the longest name with which its own begins, if nothing follows there or a number does,
/// perhaps behind `-`, `_` or `.`: `node012` and `node-12` are of `node`. Its number is that of the server, counted
/// from 1, or from 0 where a node has the number 0. Where nodes have numbers that the entry does not have, or several
/// numbers as `r1n04` has, they are the first servers in the order of their numbers, if there are as many.
class node_servers {
 public:
  /// The servers of a list of nodes.
  struct servers_of_list {
    std::string_view flaw{};                                         ///< why they are not known; empty: they are
    std::vector<std::pair<std::uint32_t, std::uint32_t>> servers{};  ///< entries and numbers, ascending, each once
  };

  /// @param lists of all nodes that are named, as of names_in_node_list()
  node_servers(const std::vector<server_spec>& entries, const std::vector<std::string>& lists);

  const servers_of_list& of(std::size_t list) const { return lists_[list]; }

 private:
  using numbers = std::vector<std::uint32_t>;
  /// A node by its entry and the numbers in its name.
  struct node {
    std::size_t entry;
    numbers key;
  };
  static constexpr std::size_t none = ~std::size_t{0};

  node node_of(std::string_view name) const;
  void number(std::size_t entry, std::uint32_t count);

  std::map<std::string_view, std::size_t> entries_;                // by name
  std::vector<std::set<numbers>> keys_;                            // of each entry
  std::vector<std::map<numbers, std::uint32_t>> servers_of_keys_;  // of each entry
  std::vector<servers_of_list> lists_;
};

/// Gives the jobs that run at time 0 the servers that their queue names, and adds a note. The units of a job, cores or
/// tasks, are divided evenly over its servers, as far as these have room. One whose servers are not known, or have too
/// few cores free beside the jobs ahead of it, gets none, and is counted by its reason.
/// @param model whose jobs and classes are complete
void place_running_jobs(const log_file& queue, scenario& model);

}  // namespace muster
