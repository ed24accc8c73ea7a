#include "platform/scenario/file_kinds.h"

#include "tests/scenario/graph_folder.h"

namespace muster {
namespace {

using names = std::vector<std::string>;

const std::string ring = "# a ring\nx a\n\n  x\tb  # shared\r\ny b\ny c";
const std::string all_edges =
    "<edge source=\"0\" target=\"2\"/>\n<edge source=\"3\" target=\"0\"/>\n"
    "<edge source=\"1\" target=\"3\"><data key=\"w\">wide</data></edge>\n<edge source=\"4\" target=\"1\"/>\n";

void expect_ring(const scenario& model) {
  EXPECT_EQ(model.classes[0].servers, (names{"a", "b"}));
  EXPECT_EQ(model.classes[1].servers, (names{"b", "c"}));
}

TEST_F(graph_folder, gives_the_edges_of_a_list) {
  write("graphs/ring.txt", ring);
  const study s = read_here(graph_sample);
  expect_ring(s.points[0].model);
  EXPECT_EQ(s.files, (std::map<std::string, std::string>{{"graphs/ring.txt", ring}}));
}

TEST_F(graph_folder, gives_the_edges_of_graphml_whatever_their_direction) {
  for (const char* direction : {"undirected", "directed"}) {
    write_graphml("graphs/ring.graphml", {"x", "y", "a", "b", "c"}, all_edges, direction);
    expect_ring(read_here(graph_sample, {"platform.graph=graphs/ring.graphml"}).points[0].model);
  }
}

TEST_F(graph_folder, lists_the_servers_of_a_class_in_the_order_of_the_platform) {
  write("graphs/ring.txt", "y c\nb y\nx a\ny a\n");
  EXPECT_EQ(read_here(graph_sample).points[0].model.classes[1].servers, (names{"a", "b", "c"}));
}

TEST_F(graph_folder, may_call_a_class_and_a_server_by_one_name) {
  write("graphs/ring.txt", "x a\na x\na b\n");
  const study s = read_here(replaced(replaced(graph_sample, "{ name = \"c\", cores = 2 }", "{ name = \"x\" }"),
                                     "name = \"y\"", "name = \"a\""));
  EXPECT_EQ(s.points[0].model.classes[0].servers, (names{"a"}));
  EXPECT_EQ(s.points[0].model.classes[1].servers, (names{"b", "x"}));
}

// A line is "CLASS SERVER", and an edge of GraphML leads so from its source to its target.
TEST_F(graph_folder, takes_an_edge_as_from_class_to_server_where_either_end_could_be_both) {
  write("graphs/ring.txt", "a b\na a\nb b\n");
  write_graphml("graphs/ring.graphml", {"b", "a"},
                "<edge source=\"1\" target=\"0\"/>\n<edge source=\"1\" target=\"1\"/>\n"
                "<edge source=\"0\" target=\"0\"/>\n");
  const std::string text =
      replaced(replaced(graph_sample, "name = \"x\"", "name = \"a\""), "name = \"y\"", "name = \"b\"");
  for (const char* file : {"ring.txt", "ring.graphml"}) {
    const study s = read_here(text, {std::string("platform.graph=graphs/") + file});
    EXPECT_EQ(s.points[0].model.classes[0].servers, (names{"a", "b"})) << file;
    EXPECT_EQ(s.points[0].model.classes[1].servers, names{"b"}) << file;
  }
}

TEST_F(graph_folder, counts_the_cores_that_a_class_can_use) {
  write("graphs/ring.txt", ring);
  EXPECT_EQ(complaints_here(replaced(replaced(graph_sample, "need = 1", "need = 3"), "fcfs_pooled", "fcfs")),
            "f.toml:7:8: classes.x.need: need 3 is more than the 2 cores of its compatible servers");
}

TEST_F(graph_folder, may_be_swept) {
  write("graphs/ring.txt", ring);
  write("graphs/tree.txt", "x a\ny a\ny c\n");
  write("graphs/unused.txt", "x a\ny a\n");
  const study s = read_here(replaced(graph_sample, "ring.txt", "unused.txt") +
                            "[sweep]\n\"platform.graph\" = [\"graphs/ring.txt\", \"graphs/tree.txt\"]\n");
  ASSERT_EQ(s.points.size(), 2u);
  EXPECT_EQ(s.points[1].values, names{"graphs/tree.txt"});
  expect_ring(s.points[0].model);
  EXPECT_EQ(s.points[1].model.classes[1].servers, (names{"a", "c"}));
  ASSERT_EQ(s.files.size(), 2u);
  EXPECT_EQ(s.files.count("graphs/tree.txt"), 1u);
}

TEST_F(graph_folder, is_all_that_the_resolved_text_needs) {
  write("graphs/ring.txt", ring);
  write_graphml("graphs/ring.graphml", {"x", "y", "a", "b", "c"}, all_edges);
  const std::string text =
      graph_sample + "[sweep]\n\"platform.graph\" = [\"graphs/ring.txt\", \"graphs/ring.graphml\"]\n";
  const study once = read_here(text);
  EXPECT_EQ(once.resolved.find("servers = [\""), std::string::npos);
  const study again = read_here(once.resolved);
  EXPECT_EQ(again.resolved, once.resolved);
  EXPECT_EQ(again.files, once.files);
  expect_ring(again.points[1].model);
}

TEST_F(graph_folder, is_that_of_the_scenario_file) {
  write("graphs/ring.txt", ring);
  write("ring.toml", graph_sample);
  expect_ring(read_study((folder_ / "ring.toml").string(), {}).points[0].model);
}

}  // namespace
}  // namespace muster
