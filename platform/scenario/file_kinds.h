#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/model/network_topology.h"
#include "platform/scenario/named_file.h"

namespace muster {

/// A compatibility graph as it stands in a file: names, whatever they mean in a scenario.
struct graph_file : named_file {
  static constexpr std::string_view kind = "graph file";

  struct vertex {
    std::string name;
    place where;  ///< GraphML tells none: the file's beginning
  };

  /// Reads the graph from the content. The path tells the format by its ending. `.graphml`: the first graph of a
  /// GraphML file, in which every vertex has a string property `name`; directions are ignored. All others: a list of
  /// edges, one a line, two words each; blank lines and what follows `#` are ignored.
  void parse();

  std::vector<vertex> vertices;  ///< in an edge list one for every word
  std::vector<std::pair<std::size_t, std::size_t>> edges;
};

/// A file that describes a network.
struct network_file : named_file, listed_network {
  static constexpr std::string_view kind = "network file";

  /// Reads the network from the content: the first graph of a GraphML file, in which every vertex has the string
  /// properties `name` and `kind` (scheduler, switch, server or storage), and every edge may have the numbers `latency`
  /// and `bandwidth`.
  void parse();
};

/// Slots and units of a job in a list.
constexpr std::uint64_t most_units = 1'000'000;

/// A list of jobs as it stands in a file, CSV with a header and a job a line. Blank lines, blanks around a field, a
/// byte order mark and line ends of either kind are allowed.
struct job_list_file : named_file {
  static constexpr std::string_view kind = "list of jobs";
  static constexpr std::size_t largest = std::size_t{256} << 20;  ///< bytes; a million jobs take some 60 MB

  /// Finds out which jobs the list has. One with a column `size` has rigid or pooled jobs: what its other columns mean
  /// depends on the scenario, see read_timed_list(). Any other list is read: slotted jobs, with the header
  /// `id,arrival,deadline,units,marginals`.
  ///
  /// `id` is a whole number that no other job has; `arrival` the slot of arrival, counted from 1; `deadline` the last
  /// slot in which the job may be served, not before its arrival, or nothing; `units` how many units of work it has;
  /// `marginals` what each of them adds to the job's utility: so many numbers >= 0 with blanks between them.
  void parse();
  /// The content without a byte order mark.
  std::string_view lines() const;

  bool timed = false;            ///< whether its jobs are rigid or pooled
  std::vector<listed_job> jobs;  ///< slotted jobs in the order of arrival, then of ids
};

}  // namespace muster
