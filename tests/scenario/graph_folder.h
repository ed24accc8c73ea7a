#pragma once

#include <gtest/gtest.h>
#include <unistd.h>
#include <boost/algorithm/string/erase.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/refusal.h"
#include "tests/scenario/sample.h"

namespace muster {

/// Three servers and two classes, whose edges are in graphs/ring.txt.
inline const std::string graph_sample = R"(name = "ring"
[platform]
graph = "graphs/ring.txt"
servers = [ { name = "a" }, { name = "b" }, { name = "c", cores = 2 } ]
[[classes]]
name = "x"
need = 1
share = 0.5
size = { distribution = "exponential", mean = 1.0 }
[[classes]]
name = "y"
need = 1
share = 0.5
size = { distribution = "exponential", mean = 1.0 }
[arrivals]
load = 0.5
[policy]
name = "fcfs_pooled"
[run]
jobs = 1000
)";

/// A folder with graph files, which lasts for a test.
class graph_folder : public testing::Test {
 protected:
  graph_folder() { std::filesystem::create_directories(folder_ / "graphs"); }
  ~graph_folder() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& path, const std::string& content) const {
    std::ofstream{folder_ / path, std::ios::binary} << content;
  }
  /// A GraphML file with vertices 0, 1, .. of these names.
  void write_graphml(const std::string& path, const std::vector<std::string>& names, const std::string& edges,
                     const std::string& edge_default = "undirected") const {
    std::string nodes;
    for (std::size_t i = 0; i < names.size(); ++i)
      nodes += "<node id=\"" + std::to_string(i) + "\"><data key=\"n\">" + names[i] + "</data></node>\n";
    write(path,
          "<?xml version=\"1.0\"?>\n<graphml>\n<key id=\"n\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
          "<key id=\"w\" for=\"edge\" attr.name=\"width\" attr.type=\"weight\"/>\n<graph edgedefault=\"" +
              edge_default + "\">\n" + nodes + edges + "</graph>\n</graphml>\n");
  }

  study read_here(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    return read_study(text, "f.toml", overrides, folder_.string());
  }
  /// What is said of the text; the folder's own name left out.
  std::string complaints_here(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    return boost::erase_all_copy(refusal<scenario_error>([&] { read_here(text, overrides); }), folder_.string() + "/");
  }

  const std::filesystem::path folder_ =
      std::filesystem::path{testing::TempDir()} / ("muster_graphs_" + std::to_string(::getpid()));
};

}  // namespace muster
