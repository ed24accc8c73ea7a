#include "platform/scenario/graphml.h"

#include <fmt/format.h>

#include <boost/graph/graphml.hpp>
#include <boost/property_tree/detail/file_parser_error.hpp>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "platform/scenario/xml_check.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

/// Takes what Boost's reader finds.
class graphml_listener final : public boost::mutate_graph {
 public:
  graphml_listener(graphml& graph, bool directed) : graph_(graph), directed_(directed) {}

  bool is_directed() const override { return directed_; }
  boost::any do_add_vertex() override {
    graph_.vertices.emplace_back();
    return graph_.vertices.size() - 1;
  }
  std::pair<boost::any, bool> do_add_edge(boost::any from, boost::any to) override {
    graph_.edges.push_back({boost::any_cast<std::size_t>(from), boost::any_cast<std::size_t>(to), {}});
    return {graph_.edges.size() - 1, true};
  }
  void set_graph_property(const std::string&, const std::string&, const std::string&) override {}
  void set_vertex_property(const std::string& property, boost::any vertex, const std::string& value,
                           const std::string&) override {
    graph_.vertices[boost::any_cast<std::size_t>(vertex)].emplace_back(property, value);
  }
  void set_edge_property(const std::string& property, boost::any edge, const std::string& value,
                         const std::string&) override {
    graph_.edges[boost::any_cast<std::size_t>(edge)].with.emplace_back(property, value);
  }

 private:
  graphml& graph_;
  bool directed_;
};

void read(const std::string& content, graphml& graph, bool directed) {
  std::istringstream in{content};
  graphml_listener listener{graph, directed};
  try {
    boost::read_graphml(in, listener, 0);
  } catch (const boost::undirected_graph_error&) {
    if (!directed) throw;
    graph = {};
    read(content, graph, false);
  }
}

}  // namespace

const std::string* graphml::find(const properties& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& p) { return p.first == name; });
  return found == all.end() ? nullptr : &found->second;
}

graphml read_graphml(named_file& file) {
  graphml graph;
  const auto refuse = [&](unsigned long line, std::string_view why) {
    file.flaws.push_back({{static_cast<std::uint32_t>(std::max(line, 1ul)), 1},
                          fmt::format("cannot be read as GraphML: {}", printable(why, 400))});
  };
  try {
    if (const auto complaint = complaint_about_xml(file.content))
      refuse(1, *complaint);
    else
      read(file.content, graph, true);
  } catch (const boost::directed_graph_error&) {
    refuse(1, "some of its edges are directed and some are not; expected edges of one kind");
  } catch (const boost::property_tree::file_parser_error& error) {
    refuse(error.line(), error.message());
  } catch (const std::exception& error) {
    refuse(1, error.what());
  }
  return graph;
}

}  // namespace muster
