#include "platform/scenario/graph_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "platform/scenario/graphml.h"
#include "platform/toml/text_file.h"

namespace muster {

namespace {

constexpr std::size_t enough_flaws = 100;

void parse_graphml(graph_file& graph) {
  const graphml read = read_graphml(graph);
  if (!graph.flaws.empty()) return;
  for (const graphml::properties& vertex : read.vertices) {
    const std::string* name = graphml::find(vertex, "name");
    graph.vertices.push_back({name ? *name : "", {}});
  }
  for (const graphml::edge& e : read.edges) graph.edges.emplace_back(e.from, e.to);
  for (std::size_t v = 0; v < graph.vertices.size() && graph.flaws.size() < enough_flaws; ++v)
    if (graph.vertices[v].name.empty())
      graph.flaws.push_back(
          {{}, fmt::format("vertex {} has no name; expected a string property 'name', a class or a server", v + 1)});
}

// The words of a line, without its comment.
std::vector<graph_file::vertex> words_of(std::string_view line, std::uint32_t number) {
  constexpr std::string_view blanks = " \t\r";
  std::vector<graph_file::vertex> words;
  line = line.substr(0, line.find('#'));
  for (std::size_t at = 0; (at = line.find_first_not_of(blanks, at)) != std::string_view::npos;) {
    const std::string_view word = line.substr(at, line.find_first_of(blanks, at) - at);
    words.push_back({std::string{word}, {number, characters(line.substr(0, at)) + 1}});
    at += word.size();
  }
  return words;
}

void parse_edge_list(graph_file& graph) {
  std::string_view rest = graph.content;
  for (std::uint32_t number = 1; !rest.empty() && graph.flaws.size() < enough_flaws; ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    std::vector<graph_file::vertex> words = words_of(line, number);
    if (words.empty()) continue;
    if (words.size() != 2) {
      graph.flaws.push_back({words.front().where, fmt::format("expected CLASS SERVER, found {} {}", words.size(),
                                                              words.size() == 1 ? "word" : "words")});
      continue;
    }
    graph.edges.emplace_back(graph.vertices.size(), graph.vertices.size() + 1);
    for (graph_file::vertex& word : words) graph.vertices.push_back(std::move(word));
  }
}

}  // namespace

graph_file parse_graph(std::string path, std::string content) {
  graph_file graph;
  graph.path = std::move(path);
  graph.content = std::move(content);
  std::filesystem::path{graph.path}.extension() == ".graphml" ? parse_graphml(graph) : parse_edge_list(graph);
  return graph;
}

}  // namespace muster
