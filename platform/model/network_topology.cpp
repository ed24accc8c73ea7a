#include "platform/model/network_topology.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace muster {

bool network_spec::takes_time() const {
  if (shape != topology::file) return link.takes_time() || uplink.takes_time();
  for (const listed_network::edge& e : file->edges)
    if (e.with.takes_time()) return true;
  return false;
}

namespace {

using kind = network_vertex::kind;

class network_builder {
 public:
  explicit network_builder(const scenario& model) : model_(model), servers_(network_names(model)) {}

  network_graph build() {
    switch (model_.network.shape) {
      case network_spec::topology::star:
        star();
        break;
      case network_spec::topology::racks:
        racks();
        break;
      case network_spec::topology::fat_tree:
        fat_tree();
        break;
      case network_spec::topology::file:
        file();
        break;
    }
    return graph_;
  }

 private:
  std::size_t add(kind is, std::string name, std::uint32_t server = 0) {
    const std::size_t added = add_vertex(graph_);
    graph_[added] = {is, server, std::move(name)};
    return added;
  }
  std::size_t add_server(std::size_t n) { return add(kind::server, servers_[n], static_cast<std::uint32_t>(n)); }
  void join(std::size_t from, std::size_t to, const edge_spec& e) {
    add_link(graph_, from, to, model_.unit.to_ticks(e.latency),
             e.bandwidth ? static_cast<double>(model_.unit.ticks) / *e.bandwidth : 0.0);
  }
  void join(std::size_t from, std::size_t to) { join(from, to, model_.network.link); }

  void star() {
    const std::size_t middle = add(kind::scheduler, "scheduler");
    for (std::size_t n = 0; n < servers_.size(); ++n) join(middle, add_server(n));
  }

  void racks() {
    const std::size_t root = add(kind::scheduler, "scheduler");
    for (std::uint32_t r = 0; r < model_.network.racks; ++r)
      join(root, add(kind::middle, fmt::format("rack {}", r)), model_.network.uplink);
    for (std::size_t n = 0; n < servers_.size(); ++n)
      join(root + 1 + n * model_.network.racks / servers_.size(), add_server(n));
  }

  void fat_tree() {
    const std::size_t half = model_.network.ports / 2, pods = model_.network.ports;
    std::vector<std::size_t> top, edge;
    for (std::size_t c = 0; c < half * half; ++c) top.push_back(add(kind::middle, fmt::format("core {}", c)));
    for (std::size_t pod = 0; pod < pods; ++pod) {
      const std::size_t first = edge.size();
      for (std::size_t s = 0; s < half; ++s) edge.push_back(add(kind::middle, fmt::format("pod {} edge {}", pod, s)));
      for (std::size_t s = 0; s < half; ++s) {
        const std::size_t above = add(kind::middle, fmt::format("pod {} aggregation {}", pod, s));
        for (std::size_t c = 0; c < half; ++c) join(top[s * half + c], above);
        for (std::size_t e = 0; e < half; ++e) join(above, edge[first + e]);
      }
    }
    join(edge.front(), add(kind::scheduler, "scheduler"));
    for (std::size_t n = 0; n < servers_.size(); ++n) join(edge[(n + 1) / half], add_server(n));
  }

  void file() {
    std::unordered_map<std::string_view, std::size_t> number;
    for (std::size_t n = 0; n < servers_.size(); ++n) number.emplace(servers_[n], n);
    const listed_network& read = *model_.network.file;
    for (const listed_network::vertex& v : read.vertices)
      add(v.is, v.name, v.is == kind::server ? static_cast<std::uint32_t>(number.at(v.name)) : 0);
    for (const listed_network::edge& e : read.edges) join(e.from, e.to, e.with);
  }

  const scenario& model_;
  std::vector<std::string> servers_;  // names, by number
  network_graph graph_;
};

}  // namespace

std::vector<std::string> network_names(const scenario& model) {
  std::vector<std::string> names;
  for (const server_spec& s : model.servers)
    for (std::uint32_t n = 0; n < s.count; ++n)
      names.push_back(s.count == 1 ? s.name : fmt::format("{}.{}", s.name, n));
  return names;
}

network_graph make_network_graph(const scenario& model) { return network_builder{model}.build(); }

std::uint64_t fat_tree_places(std::uint64_t ports) { return ports * ports * ports / 4 - 1; }

}  // namespace muster
