#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

constexpr std::size_t enough_mistakes = 100;

/// Puts a graph's edges into the classes.
class graph_reader {
 public:
  graph_reader(table_reader& platform, const graph_file& graph, scenario& what)
      : platform_(platform), graph_(graph), what_(what), edges_(what.classes.size()) {
    for (std::size_t c = 0; c < what.classes.size(); ++c) classes_.emplace(what.classes[c].name, c);
    for (std::size_t s = 0; s < what.servers.size(); ++s) servers_.emplace(what.servers[s].name, s);
  }

  void read() {
    const std::size_t before = platform_.problems();
    std::vector<std::string> all;
    for (const class_spec& c : what_.classes) all.push_back(c.name);
    for (const server_spec& s : what_.servers) all.push_back(s.name);
    for (const graph_file::vertex& v : graph_.vertices)
      if (classes_.count(v.name) + servers_.count(v.name) == 0 && platform_.problems() < before + enough_mistakes)
        complain(v, fmt::format("unknown class or server {}{}", in_quotes(v.name), platform_.hint(v.name, all)));
    if (platform_.problems() != before) return;
    for (const auto& [from, to] : graph_.edges)
      if (platform_.problems() < before + enough_mistakes) take_edge(graph_.vertices[from], graph_.vertices[to]);
    if (platform_.problems() != before) return;
    for (std::size_t c = 0; c < edges_.size(); ++c) take_servers(what_.classes[c], edges_[c]);
  }

 private:
  // A name may be a class's and a server's: the other end then tells which of them is meant.
  void take_edge(const graph_file::vertex& from, const graph_file::vertex& to) {
    const bool forward = classes_.count(from.name) > 0 && servers_.count(to.name) > 0;
    const auto job_class = classes_.find(forward ? from.name : to.name);
    const auto server = servers_.find(forward ? to.name : from.name);
    if (job_class == classes_.end() || server == servers_.end())
      complain(from, fmt::format("{} and {} are both {}; expected a class and a server", in_quotes(from.name),
                                 in_quotes(to.name), classes_.count(from.name) == 0 ? "servers" : "classes"));
    else if (!edges_[job_class->second].insert(server->second).second)
      complain(from, fmt::format("the edge of class {} and server {} is listed twice", in_quotes(job_class->first),
                                 in_quotes(server->first)));
  }

  void take_servers(class_spec& spec, const std::unordered_set<std::size_t>& edges) {
    spec.servers.clear();
    for (std::size_t s = 0; s < what_.servers.size(); ++s)
      if (edges.count(s) > 0) spec.servers.push_back(what_.servers[s].name);
    if (edges.empty())
      platform_.complain("graph",
                         fmt::format("class {} has no server; expected an edge of every class", in_quotes(spec.name)));
  }

  void complain(const graph_file::vertex& v, const std::string& message) {
    platform_.complain_in(graph_.path, v.where.line, v.where.column, "graph", message);
  }

  table_reader& platform_;
  const graph_file& graph_;
  scenario& what_;
  std::unordered_map<std::string_view, std::size_t> classes_, servers_;
  std::vector<std::unordered_set<std::size_t>> edges_;  // by class: its servers
};

}  // namespace

void read_graph(table_reader& document, const graph_file& graph, scenario& what) {
  table_reader platform = document.table("platform");
  graph_reader{platform, graph, what}.read();
}

}  // namespace muster
