#include "tests/scenario/graph_folder.h"

namespace muster {
namespace {

using mistakes_in_graph_files = graph_folder;

struct wrong_graph {
  const char* content;
  const char* message;
};

TEST_F(mistakes_in_graph_files, as_a_list_of_edges_are_reported_word_for_word) {
  const wrong_graph cases[] = {
      {"x a\nx\n", "graphs/ring.txt:2:1: platform.graph: expected CLASS SERVER, found 1 word"},
      {"x a\n\n  y b c  # and so on\nz\n",
       "graphs/ring.txt:3:3: platform.graph: expected CLASS SERVER, found 3 words\n"
       "graphs/ring.txt:4:1: platform.graph: expected CLASS SERVER, found 1 word"},
      {"x a\ny d\n",
       "graphs/ring.txt:2:3: platform.graph: unknown class or server 'd'; expected one of: x, y, a, b, c"},
      {"x a\nz b\n",
       "graphs/ring.txt:2:1: platform.graph: unknown class or server 'z'; expected one of: x, y, a, b, c"},
      {"x a\ny b\nx y\n",
       "graphs/ring.txt:3:1: platform.graph: 'x' and 'y' are both classes; expected a class and a server"},
      {"x a\ny b\nc b\n",
       "graphs/ring.txt:3:1: platform.graph: 'c' and 'b' are both servers; expected a class and a server"},
      {"x a\ny b\nx a\n", "graphs/ring.txt:3:1: platform.graph: the edge of class 'x' and server 'a' is listed twice"},
      {"x a\ny b\na x\n", "graphs/ring.txt:3:1: platform.graph: the edge of class 'x' and server 'a' is listed twice"},
      {"x a\n", "f.toml:3:9: platform.graph: class 'y' has no server; expected an edge of every class"},
      {"",
       "f.toml:3:9: platform.graph: class 'x' has no server; expected an edge of every class\n"
       "f.toml:3:9: platform.graph: class 'y' has no server; expected an edge of every class"},
      {"\xc3\xa4 \x01 \n",
       "graphs/ring.txt:1:1: platform.graph: unknown class or server '\xc3\xa4'; expected one of: x, y, a, b, c\n"
       "graphs/ring.txt:1:3: platform.graph: unknown class or server '\\x01'; expected one of: x, y, a, b, c"},
  };
  for (const wrong_graph& wrong : cases) {
    write("graphs/ring.txt", wrong.content);
    EXPECT_EQ(complaints_here(graph_sample), wrong.message);
  }
}

TEST_F(mistakes_in_graph_files, name_the_nearest_class_or_server) {
  write("graphs/ring.txt", "ligth a\nlight node_b\n");
  const std::string text = replaced(
      replaced(replaced(graph_sample, "name = \"x\"", "name = \"light\""), "name = \"b\"", "name = \"node_a\""),
      "name = \"c\"", "name = \"server\"");
  EXPECT_EQ(complaints_here(text),
            "graphs/ring.txt:1:1: platform.graph: unknown class or server 'ligth'; did you mean 'light'?\n"
            "graphs/ring.txt:2:7: platform.graph: unknown class or server 'node_b'; did you mean 'node_a'?");
}

TEST_F(mistakes_in_graph_files, as_graphml_are_reported_word_for_word) {
  const std::string text = replaced(graph_sample, "ring.txt", "ring.graphml");
  const wrong_graph cases[] = {
      {"<graphml>\n<graph>\n</graphml>",
       "graphs/ring.graphml:3:1: platform.graph: cannot be read as GraphML: unexpected end of data"},
      {"", "graphs/ring.graphml:1:1: platform.graph: cannot be read as GraphML: No such node (graphml)"},
      {"x a\ny b\n", "graphs/ring.graphml:1:1: platform.graph: cannot be read as GraphML: expected <"},
      {"<gml></gml>", "graphs/ring.graphml:1:1: platform.graph: cannot be read as GraphML: No such node (graphml)"},
      {"<graphml>\n<graph><edge source='a'/></graph></graphml>",
       "graphs/ring.graphml:1:1: platform.graph: cannot be read as GraphML: No such node (<xmlattr>/edgedefault)"},
      {"<graphml>\n<graph edgedefault='directed'><edge source='a'/></graph></graphml>",
       "graphs/ring.graphml:1:1: platform.graph: cannot be read as GraphML: No such node (<xmlattr>/target)"},
      {"<graphml>\n<graph edgedefault='directed'><edge source='a' target='b'/></graph></graphml>",
       "graphs/ring.graphml:1:1: platform.graph: vertex 1 has no name; expected a string property 'name', a class or a "
       "server\n"
       "graphs/ring.graphml:1:1: platform.graph: vertex 2 has no name; expected a string property 'name', a class or a "
       "server"},
      {"<graphml><key id='n' for='all of them'/></graphml>",
       "graphs/ring.graphml:1:1: platform.graph: cannot be read as GraphML: parse error: Attribute for is not valid: "
       "all of them"},
      {"<graphml>\n<graph edgedefault='directed'><edge source='a' target='b'/><edge directed='false' source='a' "
       "target='b'/></graph></graphml>",
       "graphs/ring.graphml:1:1: platform.graph: cannot be read as GraphML: some of its edges are directed and some "
       "are not; expected edges of one kind"},
      {"<!DOCTYPE graphml [ <!ENTITY a 'b'> ]><graphml></graphml>",
       "graphs/ring.graphml:1:1: platform.graph: cannot be read as GraphML: expected no document type with "
       "declarations of its own"},
  };
  for (const wrong_graph& wrong : cases) {
    write("graphs/ring.graphml", wrong.content);
    EXPECT_EQ(complaints_here(text), wrong.message);
  }
}

TEST_F(mistakes_in_graph_files, of_vertices_in_graphml_are_reported_word_for_word) {
  const std::string text = replaced(graph_sample, "ring.txt", "ring.graphml");
  const std::string edge = "<edge source=\"0\" target=\"2\"/>\n";
  write_graphml("graphs/ring.graphml", {"x", "y", "d"}, edge);
  EXPECT_EQ(complaints_here(text),
            "graphs/ring.graphml:1:1: platform.graph: unknown class or server 'd'; expected one of: x, y, a, b, c");
  write_graphml("graphs/ring.graphml", {"x", "", "a"}, edge);
  EXPECT_EQ(complaints_here(text),
            "graphs/ring.graphml:1:1: platform.graph: vertex 2 has no name; expected a string property 'name', a class "
            "or a server");
  write_graphml("graphs/ring.graphml", {"x", "y", "a"}, edge);
  EXPECT_EQ(complaints_here(text),
            "f.toml:3:9: platform.graph: class 'y' has no server; expected an edge of every class");
  write_graphml("graphs/ring.graphml", {"x", "y", "y"}, edge);
  EXPECT_EQ(complaints_here(text),
            "graphs/ring.graphml:1:1: platform.graph: 'x' and 'y' are both classes; expected a class and a server");
  write_graphml("graphs/ring.graphml", {"x", "y", "a"}, edge + edge);
  EXPECT_EQ(complaints_here(text),
            "graphs/ring.graphml:1:1: platform.graph: the edge of class 'x' and server 'a' is listed twice");
}

TEST_F(mistakes_in_graph_files, of_the_path_are_reported_word_for_word) {
  write("graphs/ring.txt", "x a\ny b\n");
  struct {
    const char* path;
    const char* message;
  } const cases[] = {
      {"\"graphs/rign.txt\"",
       "'graphs/rign.txt' cannot be opened: No such file or directory; did you mean 'graphs/ring.txt'?"},
      {"\"elsewhere/ring.txt\"", "'elsewhere/ring.txt' cannot be opened: No such file or directory"},
      {"\"graphs\"", "'graphs' is a directory; expected a graph file"},
      {"\"\"", "expected a relative path without '..', found ''"},
      {"\"graphs/\"", "expected a relative path without '..', found 'graphs/'"},
      {"\"/etc/passwd\"", "expected a relative path without '..', found '/etc/passwd'"},
      {"\"graphs/../graphs/ring.txt\"", "expected a relative path without '..', found 'graphs/../graphs/ring.txt'"},
      {"\"graphs/ring.txt\\u0000\"", "expected a relative path without '..', found 'graphs/ring.txt\\x00'"},
      {"[\"graphs/ring.txt\"]", "expected a string, found an array"},
  };
  for (const auto& wrong : cases)
    EXPECT_EQ(complaints_here(replaced(graph_sample, "\"graphs/ring.txt\"", wrong.path)),
              std::string{"f.toml:3:9: platform.graph: "} + wrong.message);
}

TEST_F(mistakes_in_graph_files, that_are_too_large_are_refused) {
  write("graphs/ring.txt", std::string((16u << 20) + 1, '\n'));
  EXPECT_EQ(complaints_here(graph_sample),
            "f.toml:3:9: platform.graph: 'graphs/ring.txt' is too large; expected at most 16777216 bytes");
}

TEST_F(mistakes_in_graph_files, leave_no_room_for_servers_of_classes) {
  write("graphs/ring.txt", "x a\ny b\n");
  EXPECT_EQ(complaints_here(replaced(graph_sample, "need = 1", "need = 1\nservers = [\"a\"]")),
            "f.toml:8:11: classes.x.servers: expected no servers here, because platform.graph has the edges of all "
            "classes");
}

TEST_F(mistakes_in_graph_files, are_reported_once_however_many_points_meet_them) {
  write("graphs/ring.txt", "x a\ny\n");
  EXPECT_EQ(complaints_here(graph_sample + "[sweep]\n\"run.seed\" = [1, 2, 3]\n\"run.warm_up\" = [0.1, 2]\n"),
            "f.toml:23:23: run.warm_up: expected a number >= 0 and < 1, found 2\n"
            "graphs/ring.txt:2:1: platform.graph: expected CLASS SERVER, found 1 word");
}

TEST_F(mistakes_in_graph_files, in_the_value_that_a_sweep_replaces_are_reported) {
  write("graphs/ring.txt", "x a\ny\n");
  write("graphs/tree.txt", "x a\ny b\n");
  EXPECT_EQ(complaints_here(graph_sample + "[sweep]\n\"platform.graph\" = [\"graphs/tree.txt\"]\n"),
            "graphs/ring.txt:2:1: platform.graph: expected CLASS SERVER, found 1 word");
}

TEST_F(mistakes_in_graph_files, do_not_lead_the_reader_astray_when_they_nest_deeply) {
  for (const std::string& hidden :
       {std::string{}, std::string{"<!-- </a></a> -->"}, std::string{"<![CDATA[</a></a>]]>"},
        std::string{"<?x </a></a> ?>"}, std::string{"<b c='</a></a>'/>"}}) {
    std::string content = "<graphml>";
    for (int i = 0; i < 100'000; ++i) content += "<a>" + hidden;
    write("graphs/ring.graphml", content);
    EXPECT_EQ(complaints_here(replaced(graph_sample, "ring.txt", "ring.graphml")),
              "graphs/ring.graphml:1:1: platform.graph: cannot be read as GraphML: nested too deeply: expected at most "
              "32");
  }
}

}  // namespace
}  // namespace muster
