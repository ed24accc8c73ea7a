#include "platform/import/slurm/node_groups.h"

#include <cctype>
#include <tuple>

#include <fmt/format.h>

#include "muster/policies/name.h"

namespace muster {

namespace {

// A node's name without the number at its end.
std::string stem_of(std::string name) {
  while (!name.empty() && std::isdigit(static_cast<unsigned char>(name.back())) != 0) name.pop_back();
  return name.empty() ? "node" : name;
}

}  // namespace

std::string valid_name(const std::string& name, std::set<std::string>& taken) {
  constexpr std::size_t longest_number = 10;
  std::string valid = name.substr(0, longest_name - longest_number);
  for (char& c : valid)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-') c = '_';
  if (valid.empty()) valid = "_";
  std::string free = valid;
  for (std::size_t n = 2; !taken.insert(free).second; ++n) free = fmt::format("{}_{}", valid, n);
  return free;
}

node_groups group_nodes(const site_hardware& hardware, unused_values& unused) {
  std::map<std::string, std::vector<std::size_t>> partitions;  // of each node
  for (std::size_t p = 0; p < hardware.partitions.size(); ++p)
    for (const std::string& name : hardware.nodes_of(hardware.partitions[p], unused)) {
      std::vector<std::size_t>& of_node = partitions[name];
      if (of_node.empty() || of_node.back() != p) of_node.push_back(p);
    }
  std::map<std::string, std::size_t> described;  // by which line, the last one
  for (std::size_t n = 0; n < hardware.nodes.size(); ++n)
    for (const std::string& name : hardware.nodes[n].names)
      if (const auto [at, is_new] = described.try_emplace(name, n); !is_new) {
        at->second = n;
        unused.add(hardware.nodes[n].at, schedule_effect::certain, fmt::format("node {}, again", name),
                   "the last line that describes it counts");
      }

  node_groups result;
  result.of_partition.resize(hardware.partitions.size());
  std::set<std::string> taken;
  using likeness = std::tuple<std::string, std::uint32_t, double, std::map<std::string, double>,
                              std::vector<std::size_t>>;  // stem of the name, what a node has, its partitions
  std::map<likeness, std::size_t> groups;
  for (std::size_t n = 0; n < hardware.nodes.size(); ++n) {
    const site_nodes& nodes = hardware.nodes[n];
    for (const std::string& name : nodes.names) {
      if (described[name] != n || result.names.count(name) != 0) continue;
      const auto of_node = partitions.find(name);
      if (of_node == partitions.end()) {
        unused.add(nodes.at, schedule_effect::none, "nodes of no partition", "left out");
        continue;
      }
      const std::string stem = stem_of(name);
      const auto [at, is_new] = groups.try_emplace(
          likeness{stem, nodes.cores, nodes.memory, nodes.gres, of_node->second}, result.groups.size());
      if (is_new) {
        result.groups.push_back({valid_name(stem, taken), 0, nodes.cores, nodes.memory, nodes.gres});
        for (const std::size_t p : of_node->second) result.of_partition[p].push_back(at->second);
      }
      node_group& group = result.groups[at->second];
      result.names[name] = fmt::format("{}.{}", group.name, ++group.count);
    }
  }
  return result;
}

}  // namespace muster
