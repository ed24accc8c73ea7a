#include "platform/scenario/network_file.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <optional>

#include "platform/scenario/graphml.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/schema.h"

namespace muster {

namespace {

constexpr std::size_t most_network_flaws = 100;

std::optional<network_vertex::kind> kind_of(const std::string* word) {
  using kind = network_vertex::kind;
  if (!word) return std::nullopt;
  if (*word == "scheduler") return kind::scheduler;
  if (*word == "switch") return kind::middle;
  if (*word == "server") return kind::server;
  return std::nullopt;
}

class network_parser {
 public:
  explicit network_parser(network_file& into) : into_(into) {}

  void parse() {
    const graphml read = read_graphml(into_);
    if (!into_.flaws.empty()) return;
    for (const graphml::properties& vertex : read.vertices) take_vertex(vertex);
    if (into_.flaws.empty())
      for (const graphml::edge& e : read.edges) take_edge(e);
  }

 private:
  void complain(std::string message) {
    if (into_.flaws.size() < most_network_flaws) into_.flaws.push_back({{}, std::move(message)});
  }

  void take_vertex(const graphml::properties& vertex) {
    const std::string *name = graphml::find(vertex, "name"), *word = graphml::find(vertex, "kind");
    const auto kind = kind_of(word);
    if (!name || name->empty())
      complain(fmt::format("vertex {} has no name; expected a string property 'name'", into_.vertices.size() + 1));
    else if (!kind)
      complain(fmt::format("vertex {} has {}; expected the property 'kind' to be one of: scheduler, switch, server",
                           in_quotes(*name), word ? "kind " + in_quotes(*word) : "no kind"));
    into_.vertices.push_back({name ? *name : "", kind.value_or(network_vertex::kind::middle)});
  }

  void take_edge(const graphml::edge& e) {
    edge_spec with;
    with.latency = number(e, "latency", zero_or_more).value_or(0.0);
    with.bandwidth = number(e, "bandwidth", above_zero);
    into_.edges.push_back({e.from, e.to, with});
  }

  std::optional<double> number(const graphml::edge& e, const std::string& property, const number_range& range) {
    const std::string* text = graphml::find(e.with, property);
    if (!text) return std::nullopt;
    char* end = nullptr;
    const double value = std::strtod(text->c_str(), &end);
    const bool is_number = !text->empty() && *end == '\0' && std::isfinite(value);
    if (is_number && range.holds(value)) return value;
    complain(fmt::format("the {} of edge {} (from {} to {}) is {}; expected {}", property, into_.edges.size() + 1,
                         in_quotes(into_.vertices[e.from].name), in_quotes(into_.vertices[e.to].name), in_quotes(*text),
                         range.words));
    return std::nullopt;
  }

  network_file& into_;
};

}  // namespace

network_file parse_network(std::string path, std::string content) {
  network_file network;
  network.path = std::move(path);
  network.content = std::move(content);
  network_parser{network}.parse();
  return network;
}

}  // namespace muster
