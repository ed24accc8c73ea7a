#include "platform/simulation/exchange_alone.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <boost/range/iterator_range.hpp>

#include "muster/modules/network/routes.h"
#include "muster/policies/resource_layout.h"
#include "platform/model/class_table.h"
#include "platform/model/network_topology.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

constexpr std::size_t most_servers_of_job = 256;  // streams of all with all grow with the square

/// Tasks of a job by server.
struct spread_job {
  std::vector<std::size_t> servers;  // places among all servers
  std::vector<std::uint32_t> tasks;
  double slowest = std::numeric_limits<double>::infinity();  // capacity
};

std::uint32_t tasks_that_fit(const scenario& model, const class_spec& c, const server_spec& s) {
  if (!c.tasks) return s.cores;
  const resource_layout layout{model.resources.types, resources_of(model, s)};
  return static_cast<std::uint32_t>(layout.tasks_that_fit(layout.all(), *c.tasks));
}

spread_job on_first_servers(const scenario& model, const class_spec& c) {
  spread_job job;
  std::uint32_t left = c.tasks ? c.tasks->tasks : c.need;
  std::size_t first = 0;
  for (const server_spec& s : model.servers) {
    const bool usable = std::count(c.servers.begin(), c.servers.end(), s.name) > 0;
    const std::uint32_t fit = usable ? tasks_that_fit(model, c, s) : 0;
    for (std::uint32_t n = 0; n < s.count && fit > 0 && left > 0; ++n) {
      job.servers.push_back(first + n);
      job.tasks.push_back(std::min(fit, left));
      job.slowest = std::min(job.slowest, s.capacity);
      left -= job.tasks.back();
    }
    first += s.count;
  }
  return job;
}

// How many streams of a job pass each arc.
std::vector<double> streams_on_arcs(const network_graph& graph, const spread_job& job, exchange_pattern pattern) {
  std::vector<std::size_t> vertex_of(num_vertices(graph));
  for (const auto v : boost::make_iterator_range(vertices(graph)))
    if (graph[v].is == network_vertex::kind::server) vertex_of[graph[v].server] = v;
  std::vector<double> streams(2 * num_edges(graph));
  routes paths{graph};
  std::vector<arc_share> way;
  for (const server_streams& s : streams_of(pattern, job.tasks)) {
    paths.find_all(vertex_of[job.servers[s.from]], vertex_of[job.servers[s.to]], way);
    for (const arc_share& part : way) streams[part.arc] += part.share * static_cast<double>(s.count);
  }
  return streams;
}

}  // namespace

exchange_alone alone_in_cluster(const scenario& model, const class_spec& c) {
  const network_graph graph = make_network_graph(model);
  const spread_job job = on_first_servers(model, c);
  const std::vector<double> streams = streams_on_arcs(graph, job, c.exchange->pattern);
  const double bytes_per_tick =
      c.exchange->bytes / c.exchange->every * job.slowest / static_cast<double>(model.unit.ticks);
  exchange_alone found;
  for (const auto e : boost::make_iterator_range(edges(graph)))
    for (const bool there : {true, false}) {
      const std::size_t from = there ? source(e, graph) : target(e, graph);
      const std::size_t to = there ? target(e, graph) : source(e, graph);
      const double taken = streams[arc_of(graph[e], from, to)] * bytes_per_tick * graph[e].ticks_per_byte;
      if (taken > found.busiest) found = {taken, graph[from].name, graph[to].name};
    }
  return found;
}

std::vector<std::string> notes_on_exchange(const study& s) {
  std::vector<std::string> notes;
  for (const study::point& p : s.points)
    for (const class_spec& c : p.model.classes) {
      if (!c.exchange || !c.listed.empty() || on_first_servers(p.model, c).servers.size() > most_servers_of_job)
        continue;
      const exchange_alone alone = alone_in_cluster(p.model, c);
      if (alone.busiest == 0.0) continue;
      std::string note = fmt::format(
          "class {}: a job alone, on the first servers, goes at {:.3g} of its speed; at full speed its tasks take "
          "{:.3g} "
          "of the bandwidth from {} to {}",
          in_quotes(c.name), alone.speed(), alone.busiest, in_quotes(alone.from), in_quotes(alone.to));
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(std::move(note));
    }
  return notes;
}

}  // namespace muster
