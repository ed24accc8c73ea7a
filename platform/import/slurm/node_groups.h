#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "platform/import/slurm/site_hardware.h"

namespace muster {

/// Nodes that are alike and of the same partitions: an entry of `platform.servers`.
struct node_group {
  std::string name;
  std::uint32_t count = 0, cores = 1;
  double memory = 0.0;  ///< bytes
  std::map<std::string, double> gres;
};

/// The nodes of a site as entries of a scenario.
struct node_groups {
  std::vector<node_group> groups;
  std::vector<std::vector<std::size_t>> of_partition;  ///< places in `groups`, by the place of the partition
  std::map<std::string, std::string> names;            ///< of each node: as lists of nodes of the scenario have it
};

/// Groups the nodes. A node that several lines describe is as the last one has it.
/// @param unused receives nodes that are of no partition, which are left out
node_groups group_nodes(const site_hardware& hardware, unused_values& unused);

/// A name that scenarios take: each character that is no letter, digit, `_` or `-` becomes `_`; one that is there
/// already has a number behind it.
std::string valid_name(const std::string& name, std::set<std::string>& taken);

}  // namespace muster
