#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_set>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>

#include "platform/model/class_table.h"
#include "platform/model/network_topology.h"
#include "platform/scenario/graphml.h"
#include "platform/scenario/scenario_reader.h"
#include "platform/toml/quantity.h"

namespace muster {

namespace {

constexpr std::size_t enough_complaints = 100;

std::optional<network_vertex::kind> kind_of_vertex(const std::string* word) {
  using kind = network_vertex::kind;
  static const std::map<std::string, kind> kinds{
      {"scheduler", kind::scheduler}, {"switch", kind::middle}, {"server", kind::server}, {"storage", kind::storage}};
  const auto found = word ? kinds.find(*word) : kinds.end();
  return found == kinds.end() ? std::nullopt : std::optional{found->second};
}

void take_vertex(network_file& network, const graphml::properties& vertex) {
  const std::string *name = graphml::find(vertex, "name"), *word = graphml::find(vertex, "kind");
  const auto kind = kind_of_vertex(word);
  if (!name || name->empty())
    network.complain(
        fmt::format("vertex {} has no name; expected a string property 'name'", network.vertices.size() + 1));
  else if (!kind)
    network.complain(
        fmt::format("vertex {} has {}; expected the property 'kind' to be one of: scheduler, switch, "
                    "server, storage",
                    in_quotes(*name), word ? "kind " + in_quotes(*word) : "no kind"));
  network.vertices.push_back({name ? *name : "", kind.value_or(network_vertex::kind::middle)});
}

std::optional<double> number_of_edge(network_file& network, const graphml::edge& e, const std::string& property,
                                     const number_range& range) {
  const std::string* text = graphml::find(e.with, property);
  if (!text) return std::nullopt;
  const auto value = number_in<double>(*text);
  if (value && std::isfinite(*value) && range.holds(*value)) return value;
  network.complain(fmt::format("the {} of edge {} (from {} to {}) is {}; expected {}", property,
                               network.edges.size() + 1, in_quotes(network.vertices[e.from].name),
                               in_quotes(network.vertices[e.to].name), in_quotes(*text), range.words));
  return std::nullopt;
}

/// Holds a network from a file against the servers.
class network_check {
 public:
  network_check(table_reader& link, const network_file& file, const scenario& model)
      : link_(link), file_(file), names_(network_names(model)) {
    const std::size_t before = link.problems();
    check_names();
    if (link.problems() == before) check_paths();
    if (link.problems() == before)
      for (const network_file::edge& e : file.edges) check_times(e);
  }

 private:
  using kind = network_vertex::kind;

  void complain(std::string message) {
    if (++complaints_ <= enough_complaints) link_.complain_in(file_.path, 1, 1, "file", std::move(message));
  }

  void check_names() {
    const std::unordered_set<std::string> known(names_.begin(), names_.end());
    std::unordered_set<std::string> found;
    std::size_t schedulers = 0;
    for (const network_file::vertex& v : file_.vertices) {
      if (v.is == kind::scheduler) ++schedulers;
      if (v.is != kind::server) continue;
      if (known.count(v.name) == 0)
        complain(fmt::format("unknown server {}{}", in_quotes(v.name), link_.hint(v.name, names_)));
      else if (!found.insert(v.name).second)
        complain(fmt::format("server {} is there twice", in_quotes(v.name)));
    }
    const auto is_storage = [](const network_file::vertex& v) { return v.is == kind::storage; };
    if (const auto found_storage = std::count_if(file_.vertices.begin(), file_.vertices.end(), is_storage);
        found_storage > 1)
      complain(fmt::format("expected at most one vertex of kind storage, found {}", found_storage));
    if (schedulers != 1) complain(fmt::format("expected one vertex of kind scheduler, found {}", schedulers));
    if (complaints_ > 0) return;
    for (const std::string& name : names_)
      if (found.count(name) == 0) complain(fmt::format("server {} is missing", in_quotes(name)));
  }

  void check_paths() {
    boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> graph(file_.vertices.size());
    for (const network_file::edge& e : file_.edges) add_edge(e.from, e.to, graph);
    std::vector<std::size_t> part(file_.vertices.size());
    connected_components(graph, part.data());
    const auto scheduler = std::find_if(file_.vertices.begin(), file_.vertices.end(),
                                        [](const network_file::vertex& v) { return v.is == kind::scheduler; });
    const std::size_t reached = part[static_cast<std::size_t>(scheduler - file_.vertices.begin())];
    for (std::size_t v = 0; v < part.size(); ++v)
      if (part[v] != reached && file_.vertices[v].is == kind::server)
        complain(fmt::format("server {} cannot be reached from the scheduler", in_quotes(file_.vertices[v].name)));
      else if (part[v] != reached && file_.vertices[v].is == kind::storage)
        complain(fmt::format("storage {} cannot be reached from the scheduler", in_quotes(file_.vertices[v].name)));
  }

  void check_times(const network_file::edge& e) {
    check_time(e, "latency", e.with.latency);
    if (e.with.bandwidth) check_time(e, "time of a byte", 1.0 / *e.with.bandwidth);
  }
  void check_time(const network_file::edge& e, const char* delay, double time) {
    const clock_range& clock = link_.clock();
    if (time >= clock.longest)
      complain(fmt::format("the {} from {} to {} is {}; expected less than {:.3g} {}, the range of the clock", delay,
                           in_quotes(file_.vertices[e.from].name), in_quotes(file_.vertices[e.to].name), shortest(time),
                           clock.longest, clock.unit));
  }

  table_reader& link_;
  const network_file& file_;
  std::vector<std::string> names_;
  std::size_t complaints_ = 0;
};

void check_bandwidths(table_reader& link, const std::vector<described_key>& keys, const network_spec& network) {
  const std::uint64_t longest = std::max(network.dispatch_bytes, network.message_bytes);
  check_bandwidth(link, "bandwidth", network.link.bandwidth, longest);
  for (std::size_t k = 0; k < keys.size(); ++k)
    if (const auto* type = std::get_if<number_key>(&keys[k].type); type && type->unit == "bytes/time")
      check_bandwidth(link, keys[k].name, network.values[k], longest);
}

}  // namespace

void network_file::parse() {
  const graphml read = read_graphml(*this);
  if (!flaws.empty()) return;
  for (const graphml::properties& vertex : read.vertices) take_vertex(*this, vertex);
  if (!flaws.empty()) return;
  for (const graphml::edge& e : read.edges) {
    const double latency = number_of_edge(*this, e, "latency", zero_or_more).value_or(0.0);
    edges.push_back({e.from, e.to, {latency, number_of_edge(*this, e, "bandwidth", above_zero)}});
  }
}

void read_link(table_reader& platform, point_draft& point) {
  table_reader link = platform.table("link");
  network_spec& network = point.model.network;
  network.shape = topology_catalogue()[link.choice<std::size_t>("topology")];
  const std::size_t before = link.problems();
  const std::uint64_t servers = std::max<std::uint64_t>(total_servers(point.model), 1);
  const std::vector<described_key> keys = network.shape->keys(servers);
  network.link = {link.number("latency"), link.optional_number("bandwidth")};
  network.values = read_values(link, keys);
  if (network.shape->objection && link.problems() == before)
    if (const auto wrong = network.shape->objection(network.values, servers))
      link.complain(wrong->first, wrong->second);
  network.dispatch_bytes = link.integer<std::uint64_t>("dispatch_bytes");
  network.message_bytes = link.integer<std::uint64_t>("message_bytes");
  network.sharing = link.choice<sharing_rule>("sharing");
  check_bandwidths(link, keys, network);
  link.close();
  if (network.shape->name != "file" || link.problems() != before) return;
  if (const auto file = read_file<network_file>(link, "file", point.files)) {
    network.file = file;
    network_check{link, *file, point.model};
  }
}

}  // namespace muster
