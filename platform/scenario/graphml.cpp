#include "platform/scenario/graphml.h"

#include <fmt/format.h>

#include <boost/graph/graphml.hpp>
#include <boost/property_tree/detail/file_parser_error.hpp>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>

#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

constexpr int deepest = 32;

// The place behind the tag that begins at `at`; attributes in quotes may hold a '>'.
std::size_t end_of_tag(std::string_view text, std::size_t at) {
  for (char quote = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quote)
      quote = c == quote ? '\0' : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '>')
      return at + 1;
  }
  return text.size();
}

// The reason why a text must not be given to Boost's XML parser, which has no bound on its recursion: elements nested
// too deeply, or a document type with declarations of its own, which could hide them. None if there is no such thing;
// the text may be no XML all the same.
std::optional<std::string> complaint_about_xml(std::string_view text) {
  int depth = 0;
  std::size_t at = 0;
  const auto starts = [&](std::string_view with) { return text.compare(at, with.size(), with) == 0; };
  const auto pass = [&](std::string_view begin, std::string_view end) {
    const std::size_t found = text.find(end, at + begin.size());
    at = std::min(found, text.size() - end.size()) + end.size();
  };
  while ((at = text.find('<', at)) != std::string_view::npos) {
    if (starts("<!--")) {
      pass("<!--", "-->");
    } else if (starts("<![CDATA[")) {
      pass("<![CDATA[", "]]>");
    } else if (starts("<?")) {
      pass("<?", "?>");
    } else if (starts("<!")) {
      const std::size_t begin = at;
      pass("<!", ">");
      if (text.substr(begin, at - begin).find('[') != std::string_view::npos)
        return "expected no document type with declarations of its own";
    } else if (starts("</")) {
      pass("</", ">");
      --depth;
    } else {
      at = end_of_tag(text, at);
      if (text[at - 1] != '>' || text[at - 2] != '/') ++depth;
      if (depth > deepest) return fmt::format("nested too deeply: expected at most {}", deepest);
    }
  }
  return std::nullopt;
}

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
    file.complain(fmt::format("cannot be read as GraphML: {}", printable(why, 400)),
                  {static_cast<std::uint32_t>(std::max(line, 1ul)), 1});
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
