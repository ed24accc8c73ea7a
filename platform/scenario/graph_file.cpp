#include "platform/scenario/graph_file.h"

#include <fmt/format.h>

#include <boost/graph/graphml.hpp>
#include <boost/property_tree/detail/file_parser_error.hpp>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "platform/scenario/diagnostics.h"
#include "platform/scenario/xml_check.h"

namespace muster {

namespace {

constexpr std::size_t enough_flaws = 100;

/// Takes the names and edges that Boost's reader finds, and nothing else.
class graphml_listener final : public boost::mutate_graph {
 public:
  graphml_listener(graph_file& graph, bool directed) : graph_(graph), directed_(directed) {}

  bool is_directed() const override { return directed_; }
  boost::any do_add_vertex() override {
    graph_.vertices.emplace_back();
    return graph_.vertices.size() - 1;
  }
  std::pair<boost::any, bool> do_add_edge(boost::any from, boost::any to) override {
    graph_.edges.emplace_back(boost::any_cast<std::size_t>(from), boost::any_cast<std::size_t>(to));
    return {graph_.edges.size() - 1, true};
  }
  void set_graph_property(const std::string&, const std::string&, const std::string&) override {}
  void set_vertex_property(const std::string& property, boost::any vertex, const std::string& value,
                           const std::string&) override {
    if (property == "name") graph_.vertices[boost::any_cast<std::size_t>(vertex)].name = value;
  }
  void set_edge_property(const std::string&, boost::any, const std::string&, const std::string&) override {}

 private:
  graph_file& graph_;
  bool directed_;
};

void read_graphml(graph_file& graph, bool directed) {
  std::istringstream in{graph.content};
  graphml_listener listener{graph, directed};
  try {
    boost::read_graphml(in, listener, 0);
  } catch (const boost::undirected_graph_error&) {
    if (!directed) throw;
    graph.vertices.clear();
    graph.edges.clear();
    read_graphml(graph, false);
  }
}

void parse_graphml(graph_file& graph) {
  const auto refuse = [&](unsigned long line, std::string_view why) {
    graph.flaws.push_back({{static_cast<std::uint32_t>(std::max(line, 1ul)), 1},
                           fmt::format("cannot be read as GraphML: {}", printable(why, 400))});
  };
  if (const auto complaint = complaint_about_xml(graph.content)) return refuse(1, *complaint);
  try {
    read_graphml(graph, true);
  } catch (const boost::directed_graph_error&) {
    return refuse(1, "some of its edges are directed and some are not; expected edges of one kind");
  } catch (const boost::property_tree::file_parser_error& error) {
    return refuse(error.line(), error.message());
  } catch (const std::exception& error) {
    return refuse(1, error.what());
  }
  for (std::size_t v = 0; v < graph.vertices.size() && graph.flaws.size() < enough_flaws; ++v)
    if (graph.vertices[v].name.empty())
      graph.flaws.push_back(
          {{}, fmt::format("vertex {} has no name; expected a string property 'name', a class or a server", v + 1)});
}

// The words of a line, without its comment.
std::vector<graph_file::vertex> words_of(std::string_view line, std::uint32_t number) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u; };
  std::vector<graph_file::vertex> words;
  std::uint32_t column = 0;
  bool in_word = false;
  for (const char c : line.substr(0, line.find('#'))) {
    if (begins_character(c)) ++column;
    if (blank(c)) {
      in_word = false;
    } else {
      if (!in_word) words.push_back({"", {number, column}});
      in_word = true;
      words.back().name += c;
    }
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
