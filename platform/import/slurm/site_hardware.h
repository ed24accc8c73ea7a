#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "platform/import/slurm/site_lines.h"
#include "platform/import/slurm/unused_values.h"

namespace muster {

/// A list of nodes or of files of devices has at most this many names.
inline constexpr std::size_t most_nodes_of_site = 1'000'000;

/// Nodes that are alike: those of a line of slurm.conf.
struct site_nodes {
  std::vector<std::string> names;
  std::uint32_t cores = 1;
  double memory = 0.0;                  ///< bytes
  std::map<std::string, double> gres;   ///< devices of each node, by name
  std::vector<std::string> features{};  ///< by which node sets name them
  site_place at{};
};

/// A partition. Times are in seconds, memory in bytes; 0: none is set.
struct site_partition {
  std::string name;
  std::vector<std::string> nodes;  ///< names, and sets of nodes
  bool is_default = false, exclusive = false;
  double longest = 0.0, usual = 0.0;  ///< MaxTime, DefaultTime
  double memory_of_core = 0.0, memory_of_node = 0.0;
  site_place at{};
  double tier = 1.0, job_factor = 1.0;  ///< PriorityTier, PriorityJobFactor
  std::string preempt_mode{};           ///< off, requeue or cancel; empty: that of the cluster
  double grace = 0.0;                   ///< GraceTime
  bool least_loaded = false;            ///< LLN
  std::string qos{};                    ///< empty: it has none
};

/// What slurm.conf, or `scontrol show node` and `scontrol show partition`, tell of the machine.
struct site_hardware {
  std::vector<site_nodes> nodes;
  std::vector<site_partition> partitions;
  std::map<std::string, std::vector<std::string>> sets;  ///< nodes of each node set, by name

  /// The nodes of a partition; all where it names `ALL`. @param unused receives names that no node has
  std::vector<std::string> nodes_of(const site_partition& partition, unused_values& unused) const;
};

/// Reads what describes nodes and partitions: lines that begin with NodeName, NodeSet and PartitionName.
class hardware_reader {
 public:
  explicit hardware_reader(unused_values& unused) : unused_(unused) {}

  /// Takes a line. @return whether it is one of nodes or partitions
  bool take(const site_line& line);
  /// @name Whether a line has described any
  /// @{
  bool has_nodes() const { return !hardware_.nodes.empty(); }
  bool has_partitions() const { return !hardware_.partitions.empty(); }
  /// @}
  site_hardware result() { return std::move(hardware_); }

 private:
  using words = std::map<std::string, std::string>;  // by key in small letters

  // The words of a line over those of its DEFAULT lines. A line that is one changes these; nothing is returned then.
  bool over_defaults(const site_line& line, words& defaults, words& all) const;
  void take_nodes(const site_line& line);
  void take_node_set(const site_line& line);
  void take_partition(const site_line& line);

  unused_values& unused_;
  site_hardware hardware_;
  words node_defaults_, partition_defaults_;
};

/// A time of slurm.conf in seconds: minutes, `MM:SS`, `HH:MM:SS`, `D-HH`, `D-HH:MM` and `D-HH:MM:SS`; 0 for UNLIMITED
/// and INFINITE. Below 0: the text is no such time.
double slurm_time(std::string_view text);

}  // namespace muster
