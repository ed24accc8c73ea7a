#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

constexpr std::size_t enough_mistakes = 100;

/// Finds a scenario's classes and servers by the names of a graph.
class graph_names {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  explicit graph_names(const scenario& what) {
    for (std::size_t c = 0; c < what.classes.size(); ++c) classes_.emplace(what.classes[c].name, c);
    for (std::size_t s = 0; s < what.servers.size(); ++s) servers_.emplace(what.servers[s].name, s);
    for (const class_spec& c : what.classes) all_.push_back(c.name);
    for (const server_spec& s : what.servers) all_.push_back(s.name);
  }

  std::size_t class_at(const std::string& name) const { return at(classes_, name); }
  std::size_t server_at(const std::string& name) const { return at(servers_, name); }
  bool known(const std::string& name) const { return class_at(name) != none || server_at(name) != none; }
  const std::vector<std::string>& all() const { return all_; }

 private:
  using index = std::unordered_map<std::string_view, std::size_t>;
  static std::size_t at(const index& names, const std::string& name) {
    const auto found = names.find(name);
    return found == names.end() ? none : found->second;
  }

  index classes_, servers_;
  std::vector<std::string> all_;
};

/// Puts a graph's edges into the classes.
class graph_reader {
 public:
  graph_reader(table_reader& platform, const graph_file& graph, scenario& what)
      : platform_(platform), graph_(graph), what_(what), names_(what), edges_(what.classes.size()) {}

  void read() {
    const std::size_t before = platform_.problems();
    for (const graph_file::vertex& v : graph_.vertices)
      if (!names_.known(v.name) && platform_.problems() < before + enough_mistakes)
        complain(v,
                 fmt::format("unknown class or server {}{}", in_quotes(v.name), platform_.hint(v.name, names_.all())));
    if (platform_.problems() != before) return;
    for (const auto& [from, to] : graph_.edges)
      if (platform_.problems() < before + enough_mistakes) take_edge(graph_.vertices[from], graph_.vertices[to]);
    if (platform_.problems() != before) return;
    for (std::size_t c = 0; c < edges_.size(); ++c) take_servers(what_.classes[c], edges_[c]);
  }

 private:
  // A name may be a class's and a server's: the other end then tells which of them is meant.
  void take_edge(const graph_file::vertex& from, const graph_file::vertex& to) {
    std::size_t job_class = names_.class_at(from.name), server = names_.server_at(to.name);
    if (job_class == graph_names::none || server == graph_names::none)
      job_class = names_.class_at(to.name), server = names_.server_at(from.name);
    if (job_class == graph_names::none || server == graph_names::none)
      complain(from, fmt::format("{} and {} are both {}; expected a class and a server", in_quotes(from.name),
                                 in_quotes(to.name),
                                 names_.class_at(from.name) == graph_names::none ? "servers" : "classes"));
    else if (!edges_[job_class].insert(server).second)
      complain(from, fmt::format("the edge of class {} and server {} is listed twice",
                                 in_quotes(what_.classes[job_class].name), in_quotes(what_.servers[server].name)));
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
  graph_names names_;
  std::vector<std::unordered_set<std::size_t>> edges_;  // by class: its servers
};

}  // namespace

void read_graph(table_reader& document, const graph_file& graph, scenario& what) {
  table_reader platform = document.table("platform");
  graph_reader{platform, graph, what}.read();
}

}  // namespace muster
