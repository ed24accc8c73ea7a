#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace muster {

/// A compatibility graph as it stands in a file: names, whatever they mean in a scenario.
struct graph_file {
  struct place {
    std::uint32_t line = 1;
    std::uint32_t column = 1;  ///< in characters, from 1
  };
  struct vertex {
    std::string name;
    place where;  ///< GraphML tells none: the file's beginning
  };
  struct flaw {
    place where;
    std::string message;
  };

  std::string path;     ///< for messages
  std::string content;  ///< as it was read
  std::string refusal;  ///< why it could not be read; empty if it could
  std::vector<flaw> flaws;
  std::vector<vertex> vertices;  ///< in an edge list one for every word
  std::vector<std::pair<std::size_t, std::size_t>> edges;

  bool fit() const { return refusal.empty() && flaws.empty(); }
};

/// Reads a graph from a text.
/// @param path tells the format by its ending. `.graphml`: the first graph of a GraphML file, in which every vertex has
///   a string property `name`; directions are ignored. All others: a list of edges, one a line, two words each; blank
///   lines and what follows `#` are ignored.
graph_file parse_graph(std::string path, std::string content);

/// The graph files that the points of a study name. Each is read once.
class graph_files {
 public:
  /// @param folder of the scenario; the paths are relative to it
  explicit graph_files(std::string folder) : folder_(std::move(folder)) {}

  /// @param path as the scenario has it: relative, without `..`, to a file of at most 16 MiB; else it is refused
  const graph_file& at(const std::string& path);
  /// Content by path of those that were asked for and could be read.
  std::map<std::string, std::string> contents() const;

 private:
  graph_file read(const std::string& path) const;

  std::string folder_;
  std::map<std::string, graph_file> read_;
};

}  // namespace muster
