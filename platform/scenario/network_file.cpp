#include "platform/scenario/network_file.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>

#include "platform/scenario/graphml.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/number_in.h"
#include "platform/toml/schema.h"

namespace muster {

namespace {

std::optional<network_vertex::kind> kind_of(const std::string* word) {
  using kind = network_vertex::kind;
  static const std::map<std::string, kind> kinds{
      {"scheduler", kind::scheduler}, {"switch", kind::middle}, {"server", kind::server}};
  const auto found = word ? kinds.find(*word) : kinds.end();
  return found == kinds.end() ? std::nullopt : std::optional{found->second};
}

void complain(network_file& network, std::string message) {
  if (network.flaws.size() < named_file::enough_flaws) network.complain(std::move(message));
}

void take_vertex(network_file& network, const graphml::properties& vertex) {
  const std::string *name = graphml::find(vertex, "name"), *word = graphml::find(vertex, "kind");
  const auto kind = kind_of(word);
  if (!name || name->empty())
    complain(network,
             fmt::format("vertex {} has no name; expected a string property 'name'", network.vertices.size() + 1));
  else if (!kind)
    complain(network, fmt::format("vertex {} has {}; expected the property 'kind' to be one of: scheduler, switch, "
                                  "server",
                                  in_quotes(*name), word ? "kind " + in_quotes(*word) : "no kind"));
  network.vertices.push_back({name ? *name : "", kind.value_or(network_vertex::kind::middle)});
}

std::optional<double> number(network_file& network, const graphml::edge& e, const std::string& property,
                             const number_range& range) {
  const std::string* text = graphml::find(e.with, property);
  if (!text) return std::nullopt;
  const auto value = number_in<double>(*text);
  if (value && std::isfinite(*value) && range.holds(*value)) return value;
  complain(network, fmt::format("the {} of edge {} (from {} to {}) is {}; expected {}", property,
                                network.edges.size() + 1, in_quotes(network.vertices[e.from].name),
                                in_quotes(network.vertices[e.to].name), in_quotes(*text), range.words));
  return std::nullopt;
}

}  // namespace

void parse_network(network_file& network) {
  const graphml read = read_graphml(network);
  if (!network.flaws.empty()) return;
  for (const graphml::properties& vertex : read.vertices) take_vertex(network, vertex);
  if (!network.flaws.empty()) return;
  for (const graphml::edge& e : read.edges) {
    const double latency = number(network, e, "latency", zero_or_more).value_or(0.0);
    network.edges.push_back({e.from, e.to, {latency, number(network, e, "bandwidth", above_zero)}});
  }
}

}  // namespace muster
