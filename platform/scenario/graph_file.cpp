#include "platform/scenario/graph_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "platform/scenario/graphml.h"
#include "platform/scenario/text_field.h"

namespace muster {

namespace {

void parse_graphml(graph_file& graph) {
  const graphml read = read_graphml(graph);
  if (!graph.flaws.empty()) return;
  for (const graphml::properties& vertex : read.vertices) {
    const std::string* name = graphml::find(vertex, "name");
    graph.vertices.push_back({name ? *name : "", {}});
  }
  for (const graphml::edge& e : read.edges) graph.edges.emplace_back(e.from, e.to);
  for (std::size_t v = 0; v < graph.vertices.size() && graph.flaws.size() < named_file::enough_flaws; ++v)
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

}  // namespace

void parse_graph(graph_file& graph) {
  std::filesystem::path{graph.path}.extension() == ".graphml" ? parse_graphml(graph) : parse_edge_list(graph);
}

}  // namespace muster
