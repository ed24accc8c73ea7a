#include "platform/scenario/file_kinds.h"
#include "tests/scenario/graph_folder.h"
#include "tests/scenario/mistake.h"

namespace muster {
namespace {

class mistakes_in_links : public testing::TestWithParam<mistake> {};

TEST_P(mistakes_in_links, are_reported_word_for_word) {
  const mistake& m = GetParam();
  EXPECT_EQ(complaints(with(m.from, m.to)), m.message);
}

const mistake link_mistakes[] = {
    {"[[classes]]", "link = { bandwidth = 1e-300 }\n[[classes]]",
     "f.toml:4:22: platform.link.bandwidth: a message of 40 bytes takes 4e+301 s; expected less than 4.61e+09 s, the "
     "range of the "
     "clock"},
    {"[[classes]]", "link = { latency = -1, bandwidth = -5.0 }\n[[classes]]",
     "f.toml:4:20: platform.link.latency: expected a number >= 0, found -1\n"
     "f.toml:4:36: platform.link.bandwidth: expected a number > 0, found -5"},
    {"[[classes]]", "link = { topology = \"ring\" }\n[[classes]]",
     "f.toml:4:21: platform.link.topology: unknown topology 'ring'; expected one of: star, racks, fat_tree, torus, "
     "dragonfly, leaf_spine, file"},
    {"[[classes]]", "link = { topology = \"rack\" }\n[[classes]]",
     "f.toml:4:21: platform.link.topology: unknown topology 'rack'; did you mean 'racks'?"},
    {"[[classes]]", "link = { topology = \"racks\" }\n[[classes]]",
     "f.toml:4:8: platform.link.racks: missing; expected an integer from 1 to 1"},
    {"[[classes]]", "link = { topology = \"racks\", racks = 2 }\n[[classes]]",
     "f.toml:4:38: platform.link.racks: expected an integer from 1 to 1, found 2"},
    {"[[classes]]", "link = { racks = 2, uplink_latency = 1.0, ports = 4, file = \"x\" }\n[[classes]]",
     "f.toml:4:18: platform.link.racks: has no effect with topology 'star'; expected topology 'racks'\n"
     "f.toml:4:38: platform.link.uplink_latency: has no effect with topology 'star'; expected topology 'racks' "
     "or 'leaf_spine'\n"
     "f.toml:4:51: platform.link.ports: has no effect with topology 'star'; expected topology 'fat_tree'\n"
     "f.toml:4:61: platform.link.file: has no effect with topology 'star'; expected topology 'file'"},
    {"[[classes]]", "link = { topology = \"fat_tree\", ports = 3 }\n[[classes]]",
     "f.toml:4:41: platform.link.ports: expected an even number of ports, found 3"},
    {"servers = [ { name = \"node\", cores = 32 } ]",
     "servers = [ { name = \"node\", count = 16, cores = 2 } ]\nlink = { topology = \"fat_tree\", ports = 4 }",
     "f.toml:4:41: platform.link.ports: a fat tree of 4 ports has 15 places beside the scheduler's; expected enough "
     "for "
     "16 servers"},
    {"[[classes]]", "link = { topology = \"fat_tree\", ports = 66 }\n[[classes]]",
     "f.toml:4:41: platform.link.ports: expected an integer from 2 to 64, found 66"},
    {"[[classes]]", "link = { topology = \"torus\", width = 400, height = 300 }\n[[classes]]",
     "f.toml:4:38: platform.link.width: a torus of 400 x 300 x 1 has 120000 switches; expected at most 5000"},
    {"[[classes]]", "link = { topology = \"dragonfly\", groups = 6, routers = 2, global_links = 2 }\n[[classes]]",
     "f.toml:4:43: platform.link.groups: a group has 4 global links, 2 for each of 2 routers; expected at most 5 "
     "groups"},
    {"[[classes]]", "link = { topology = \"dragonfly\", groups = 51, routers = 100 }\n[[classes]]",
     "f.toml:4:43: platform.link.groups: a dragonfly of 51 groups of 100 has 5100 routers; expected at most 5000"},
    {"[[classes]]", "link = { topology = \"leaf_spine\", leaves = 2, spines = 300 }\n[[classes]]",
     "f.toml:4:44: platform.link.leaves: expected an integer from 1 to 1, found 2\n"
     "f.toml:4:56: platform.link.spines: expected an integer from 1 to 256, found 300"},
    {"[[classes]]", "link = { global_latency = 1.0, spines = 2 }\n[[classes]]",
     "f.toml:4:27: platform.link.global_latency: has no effect with topology 'star'; expected topology 'dragonfly'\n"
     "f.toml:4:41: platform.link.spines: has no effect with topology 'star'; expected topology 'leaf_spine'"},
    {"[[classes]]", "link = { sharing = \"fair\" }\n[[classes]]",
     "f.toml:4:20: platform.link.sharing: unknown sharing 'fair'; expected one of: fifo, max_min"},
    {"[[classes]]", "link = { bandwith = 1.0 }\n[[classes]]",
     "f.toml:4:10: platform.link.bandwith: unknown key; did you mean 'bandwidth'?"},
    {"[[classes]]", "link = { latency = 1e10 }\n[[classes]]",
     "f.toml:4:20: platform.link.latency: expected less than 4.61e+09 s, the range of the clock, found 10000000000"},
    {"[[classes]]", "link = { dispatch_bytes = -1, message_bytes = 0.5 }\n[[classes]]",
     "f.toml:4:27: platform.link.dispatch_bytes: expected an integer from 0 to 1000000000, found -1\n"
     "f.toml:4:47: platform.link.message_bytes: expected an integer, found 0.5"},
    {"[[classes]]", "link = { topology = \"file\", latency = 1.0, file = \"a.graphml\" }\n[[classes]]",
     "f.toml:4:39: platform.link.latency: has no effect with topology = \"file\": the file has it, edge by edge"},
    {"[[classes]]", "link = { topology = \"file\" }\n[[classes]]",
     "f.toml:4:8: platform.link.file: missing; expected a string"},
    {"[[classes]]", "decision = { fixed = -1, per_job = \"1\" }\n[[classes]]",
     "f.toml:4:22: platform.decision.fixed: expected a number >= 0, found -1\n"
     "f.toml:4:36: platform.decision.per_job: expected a number, found a string"},
    {"[[classes]]", "decision = { perjob = 1.0 }\n[[classes]]",
     "f.toml:4:14: platform.decision.perjob: unknown key; did you mean 'per_job'?"},
};

INSTANTIATE_TEST_SUITE_P(link, mistakes_in_links, testing::ValuesIn(link_mistakes));

/// The sample on two servers, its network in net.graphml.
class networks_from_files : public graph_folder {
 protected:
  // Vertices "NAME KIND" and edges "FROM TO" with what follows them as data.
  void write_network(const std::string& vertices, const std::string& links) const {
    write("net.graphml",
          "<?xml version=\"1.0\"?>\n<graphml>\n<key id=\"n\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
          "<key id=\"k\" for=\"node\" attr.name=\"kind\" attr.type=\"string\"/>\n"
          "<key id=\"l\" for=\"edge\" attr.name=\"latency\" attr.type=\"double\"/>\n"
          "<key id=\"b\" for=\"edge\" attr.name=\"bandwidth\" attr.type=\"double\"/>\n"
          "<graph edgedefault=\"undirected\">\n" +
              vertices + links + "</graph>\n</graphml>\n");
  }
  static std::string vertex(const std::string& name, const std::string& kind) {
    return "<node id=\"" + name + "\"><data key=\"n\">" + name + "</data><data key=\"k\">" + kind + "</data></node>\n";
  }
  static std::string edge(const std::string& from, const std::string& to, const std::string& data = "") {
    return "<edge source=\"" + from + "\" target=\"" + to + "\">" + data + "</edge>\n";
  }
  static std::string two_servers() {
    return with("servers = [ { name = \"node\", cores = 32 } ]",
                "servers = [ { name = \"node\", count = 2, cores = 32 }, { name = \"big\" } ]\n"
                "link = { topology = \"file\", file = \"net.graphml\" }");
  }
  const std::string all =
      vertex("root", "scheduler") + vertex("mid", "switch") + vertex("node.0", "server") + vertex("node.1", "server");
  const std::string big = vertex("big", "server");
  const std::string edges = edge("root", "mid") + edge("mid", "node.0") + edge("mid", "node.1") + edge("mid", "big");
};

TEST_F(networks_from_files, have_a_storage_where_jobs_have_data) {
  const std::string text = replaced(replaced(two_servers(), "need = 1", "need = 1\ninput = 5"), "msfq", "fcfs");
  write_network(all + big, edges);
  EXPECT_EQ(complaints_here(text),
            "f.toml:4:36: platform.link.file: has no vertex of kind storage, and classes have data; expected one from "
            "and to which they move");
  write_network(all + big + vertex("disks", "storage"), edges + edge("root", "disks"));
  EXPECT_EQ(complaints_here(text), "");
  write_network(all + big + vertex("disks", "storage"), edges);
  EXPECT_EQ(complaints_here(text),
            "net.graphml:1:1: platform.link.file: storage 'disks' cannot be reached from the scheduler");
}

TEST_F(networks_from_files, are_read_with_latency_and_bandwidth_of_every_edge) {
  write_network(all + big, edge("root", "mid", "<data key=\"l\">0.5</data><data key=\"b\">1e6</data>") +
                               edge("mid", "node.0") + edge("mid", "node.1") + edge("node.1", "big"));
  const network_spec network = read_here(two_servers(), {"policy.name=fcfs"}).points.front().model.network;
  ASSERT_TRUE(network.file);
  ASSERT_EQ(network.file->edges.size(), 4u);
  EXPECT_EQ(network.file->edges[0].with.latency, 0.5);
  EXPECT_EQ(network.file->edges[0].with.bandwidth, 1e6);
  EXPECT_EQ(network.file->edges[1].with.latency, 0.0);
  EXPECT_EQ(network.file->edges[1].with.bandwidth, std::nullopt);
  EXPECT_TRUE(network.takes_time());
}

TEST_F(networks_from_files, are_kept_with_the_results) {
  write_network(all + big, edges);
  const study found = read_here(two_servers(), {"policy.name=fcfs"});
  EXPECT_EQ(found.files.count("net.graphml"), 1u);
  EXPECT_FALSE(found.points.front().model.network.takes_time());
}

TEST_F(networks_from_files, must_be_there_and_be_graphml) {
  EXPECT_EQ(complaints_here(two_servers()),
            "f.toml:4:36: platform.link.file: 'net.graphml' cannot be opened: No such file or directory");
  write("net.graphml", "<graphml");
  EXPECT_EQ(complaints_here(two_servers()).substr(0, 63),
            "net.graphml:1:1: platform.link.file: cannot be read as GraphML:");
}

TEST_F(networks_from_files, must_know_the_servers) {
  write_network(all + vertex("bigg", "server"), "");
  EXPECT_EQ(complaints_here(two_servers()),
            "net.graphml:1:1: platform.link.file: unknown server 'bigg'; did you mean 'big'?");
  write_network(vertex("mid", "switch") + vertex("node.0", "server"), "");
  EXPECT_EQ(complaints_here(two_servers()),
            "net.graphml:1:1: platform.link.file: expected one vertex of kind scheduler, found 0");
  write_network(all, "");
  EXPECT_EQ(complaints_here(two_servers()), "net.graphml:1:1: platform.link.file: server 'big' is missing");
}

TEST_F(networks_from_files, must_join_every_server_to_the_scheduler) {
  write_network(all + big, edge("root", "mid") + edge("mid", "node.0") + edge("node.1", "big"));
  EXPECT_EQ(complaints_here(two_servers()),
            "net.graphml:1:1: platform.link.file: server 'big' cannot be reached from the scheduler\n"
            "net.graphml:1:1: platform.link.file: server 'node.1' cannot be reached from the scheduler");
}

TEST_F(networks_from_files, must_say_what_each_vertex_is) {
  write_network(all + vertex("big", "serfer"), edges);
  EXPECT_EQ(
      complaints_here(two_servers()),
      "net.graphml:1:1: platform.link.file: vertex 'big' has kind 'serfer'; expected the property 'kind' to be one "
      "of: scheduler, switch, server, storage");
  write_network(all + "<node id=\"big\"/>\n", edges);
  EXPECT_EQ(complaints_here(two_servers()),
            "net.graphml:1:1: platform.link.file: vertex 5 has no name; expected a string property 'name'");
}

TEST_F(networks_from_files, must_have_numbers_that_are_possible) {
  write_network(all + big, edge("root", "mid", "<data key=\"l\">-1</data><data key=\"b\">0</data>") +
                               edge("mid", "node.0", "<data key=\"b\">-2</data>") +
                               edge("mid", "node.1", "<data key=\"l\">fast</data>") + edge("mid", "big"));
  EXPECT_EQ(complaints_here(two_servers()),
            "net.graphml:1:1: platform.link.file: the bandwidth of edge 1 (from 'root' to 'mid') is '0'; expected a "
            "number > 0\n"
            "net.graphml:1:1: platform.link.file: the bandwidth of edge 2 (from 'mid' to 'node.0') is '-2'; expected a "
            "number > 0\n"
            "net.graphml:1:1: platform.link.file: the latency of edge 1 (from 'root' to 'mid') is '-1'; expected a "
            "number >= 0\n"
            "net.graphml:1:1: platform.link.file: the latency of edge 3 (from 'mid' to 'node.1') is 'fast'; expected a "
            "number >= 0");
  write_network(all + big, edges + edge("root", "big", "<data key=\"l\">1e300</data>"));
  EXPECT_EQ(complaints_here(two_servers()),
            "net.graphml:1:1: platform.link.file: the latency from 'root' to 'big' is 1e+300; expected less than "
            "4.61e+09 s, the range of the clock");
}

}  // namespace
}  // namespace muster
