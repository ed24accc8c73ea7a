#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <unordered_map>

#include "platform/scenario/graphml.h"
#include "platform/scenario/scenario_reader.h"
#include "platform/scenario/text_field.h"
#include "platform/toml/nearest_name.h"

namespace muster {

namespace {

constexpr std::size_t enough_mistakes = 100;

void parse_graphml(graph_file& graph) {
  const graphml read = read_graphml(graph);
  if (!graph.flaws.empty()) return;
  for (const graphml::properties& vertex : read.vertices) {
    const std::string* name = graphml::find(vertex, "name");
    graph.vertices.push_back({name ? *name : "", {}});
  }
  for (const graphml::edge& e : read.edges) graph.edges.emplace_back(e.from, e.to);
  for (std::size_t v = 0; v < graph.vertices.size(); ++v)
    if (graph.vertices[v].name.empty())
      graph.complain(
          fmt::format("vertex {} has no name; expected a string property 'name', a class or a server", v + 1));
}

void parse_edge_list(graph_file& graph) {
  std::string_view rest = graph.content;
  for (text_field line; graph.flaws.size() < named_file::enough_flaws && line.next_line(rest);) {
    line.text = line.text.substr(0, line.text.find('#'));
    const std::vector<text_field> words = line.words();
    if (words.empty()) continue;
    if (words.size() != 2) {
      graph.complain(
          fmt::format("expected CLASS SERVER, found {} {}", words.size(), words.size() == 1 ? "word" : "words"),
          words.front().where());
      continue;
    }
    graph.edges.emplace_back(graph.vertices.size(), graph.vertices.size() + 1);
    for (const text_field& word : words) graph.vertices.push_back({std::string{word.text}, word.where()});
  }
}

// The places of classes or servers, by name.
template <class Entries>
std::unordered_map<std::string_view, std::size_t> places_by_name(const Entries& entries) {
  std::unordered_map<std::string_view, std::size_t> places;
  for (const auto& entry : entries) places.emplace(entry.name, places.size());
  return places;
}

}  // namespace

void graph_file::parse() {
  std::filesystem::path{path}.extension() == ".graphml" ? parse_graphml(*this) : parse_edge_list(*this);
}

void read_graph(table_reader& document, const graph_file& graph, scenario& model) {
  table_reader platform = document.table("platform");
  const std::size_t before = platform.problems();
  const auto complain = [&](const graph_file::vertex& v, const std::string& message) {
    if (platform.problems() < before + enough_mistakes)
      platform.complain_in(graph.path, v.where.line, v.where.column, "graph", message);
  };
  const auto classes = places_by_name(model.classes), servers = places_by_name(model.servers);
  std::vector<std::string> all = names_of(model.classes);
  for (const server_spec& s : model.servers) all.push_back(s.name);
  for (const graph_file::vertex& v : graph.vertices)
    if (classes.count(v.name) + servers.count(v.name) == 0)
      complain(v, fmt::format("unknown class or server {}{}", in_quotes(v.name), platform.hint(v.name, all)));
  if (platform.problems() != before) return;

  std::vector<std::set<std::size_t>> servers_of(model.classes.size());
  for (const auto& [one, other] : graph.edges) {
    const graph_file::vertex &from = graph.vertices[one], &to = graph.vertices[other];
    // A name may be a class's and a server's: the other end then tells which of them is meant.
    const bool forward = classes.count(from.name) > 0 && servers.count(to.name) > 0;
    const auto job_class = classes.find(forward ? from.name : to.name);
    const auto server = servers.find(forward ? to.name : from.name);
    if (job_class == classes.end() || server == servers.end())
      complain(from, fmt::format("{} and {} are both {}; expected a class and a server", in_quotes(from.name),
                                 in_quotes(to.name), classes.count(from.name) == 0 ? "servers" : "classes"));
    else if (!servers_of[job_class->second].insert(server->second).second)
      complain(from, fmt::format("the edge of class {} and server {} is listed twice", in_quotes(job_class->first),
                                 in_quotes(server->first)));
  }
  if (platform.problems() != before) return;

  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    class_spec& spec = model.classes[c];
    spec.servers.clear();
    for (const std::size_t s : servers_of[c]) spec.servers.push_back(model.servers[s].name);
    if (spec.servers.empty())
      platform.complain("graph",
                        fmt::format("class {} has no server; expected an edge of every class", in_quotes(spec.name)));
  }
}

}  // namespace muster
