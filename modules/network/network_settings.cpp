#include "muster/modules/network/network_settings.h"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <boost/graph/connected_components.hpp>
#include <boost/range/iterator_range.hpp>

namespace muster {

namespace {

using kind = network_vertex::kind;
using refusal = std::invalid_argument;

std::string name_of(const network_graph& graph, std::size_t v) {
  return graph[v].name.empty() ? fmt::format("vertex {}", v) : fmt::format("'{}'", graph[v].name);
}

// The vertex of the scheduler.
std::size_t scheduler_of(const network_graph& graph) {
  std::vector<std::size_t> found;
  for (const std::size_t v : boost::make_iterator_range(vertices(graph)))
    if (graph[v].is == kind::scheduler) found.push_back(v);
  if (found.size() != 1) throw refusal(fmt::format("{} schedulers; expected one", found.size()));
  return found.front();
}

void check_edges(const network_graph& graph) {
  for (const auto e : boost::make_iterator_range(edges(graph)))
    if (const double takes = graph[e].ticks_per_byte; !(takes >= 0.0) || !std::isfinite(takes))
      throw refusal(fmt::format("between {} and {} a byte takes {} ticks; expected a number >= 0",
                                name_of(graph, source(e, graph)), name_of(graph, target(e, graph)), takes));
}

void check_servers(const network_graph& graph, std::size_t scheduler) {
  std::vector<std::size_t> part(num_vertices(graph));
  boost::connected_components(graph, part.data());
  std::vector<bool> taken(num_vertices(graph));
  std::size_t servers = 0, places = 0;
  for (const std::size_t v : boost::make_iterator_range(vertices(graph))) {
    if (graph[v].is != kind::server) continue;
    if (part[v] != part[scheduler])
      throw refusal(fmt::format("server {} is not joined to the scheduler; expected a path", name_of(graph, v)));
    const std::size_t place = graph[v].server;
    ++servers;
    places = std::max(places, place + 1);
    if (place < taken.size() && taken[place])
      throw refusal(fmt::format("server {} has the place {} of an earlier one; expected a place of its own",
                                name_of(graph, v), place));
    if (place < taken.size()) taken[place] = true;
  }
  if (places != servers)
    throw refusal(fmt::format("{} servers have places up to {}; expected each place from 0 to {} once", servers,
                              places - 1, servers - 1));
}

void check_storage(const network_graph& graph, std::size_t scheduler) {
  std::vector<std::size_t> part(num_vertices(graph)), found;
  boost::connected_components(graph, part.data());
  for (const std::size_t v : boost::make_iterator_range(vertices(graph)))
    if (graph[v].is == kind::storage) found.push_back(v);
  if (found.size() > 1) throw refusal(fmt::format("{} vertices of storage; expected at most one", found.size()));
  if (found.size() == 1 && part[found.front()] != part[scheduler])
    throw refusal(
        fmt::format("storage {} is not joined to the scheduler; expected a path", name_of(graph, found.front())));
}

}  // namespace

void check(const network_settings& s) {
  const std::size_t scheduler = scheduler_of(s.graph);
  check_edges(s.graph);
  check_servers(s.graph, scheduler);
  check_storage(s.graph, scheduler);
}

std::ostream& operator<<(std::ostream& out, const network_settings& s) {
  for (const auto e : boost::make_iterator_range(edges(s.graph))) {
    const network_edge& way = s.graph[e];
    out << fmt::format("edges.{} = {} to {}\n", way.number, name_of(s.graph, source(e, s.graph)),
                       name_of(s.graph, target(e, s.graph)))
        << fmt::format("edges.{}.latency = {} ticks\n", way.number, way.latency)
        << fmt::format("edges.{}.ticks_per_byte = {} ticks\n", way.number, way.ticks_per_byte);
  }
  return out << fmt::format("dispatch_bytes = {} bytes\n", s.dispatch_bytes)
             << fmt::format("message_bytes = {} bytes\n", s.message_bytes)
             << fmt::format("sharing = {}\n", s.sharing == sharing_rule::max_min ? "max_min" : "fifo");
}

}  // namespace muster
