#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include <fmt/ranges.h>

#include "platform/log/slurm_text.h"
#include "platform/scenario/running_jobs.h"

// Lists of nodes as Slurm writes them, and which servers of a scenario the nodes are.

namespace muster {
namespace {

using node_names = std::vector<std::string>;

TEST(node_lists, are_expanded_with_the_digits_of_the_first_number) {
  EXPECT_EQ(names_in_node_list("node[01-03,07],gpu5"), (node_names{"node01", "node02", "node03", "node07", "gpu5"}));
  EXPECT_EQ(names_in_node_list("n[8-11]"), (node_names{"n8", "n9", "n10", "n11"}));
  EXPECT_EQ(names_in_node_list("n[098-101]-ib"), (node_names{"n098-ib", "n099-ib", "n100-ib", "n101-ib"}));
  EXPECT_EQ(names_in_node_list("r[1-2]n[01-02]"), (node_names{"r1n01", "r1n02", "r2n01", "r2n02"}));
  EXPECT_EQ(names_in_node_list("login"), node_names{"login"});
}

TEST(node_lists, that_are_none_are_told_from_others) {
  for (const char* list : {"", "n[1-3", "n1-3]", "n[3-1]", "n[]", "n[1-]", "n[a-b]", "n[1,[2]]", "n1,", ",n1", "n1,,n2",
                           "n[1-2000000]", "n[1-9999999999]", "n[1-1001]m[1-1000]", "(Resources)", "n 1", "n[1 -2]"})
    EXPECT_EQ(names_in_node_list(list), std::nullopt) << list;
  EXPECT_EQ(names_in_node_list(std::string(300, 'n')), std::nullopt);
  EXPECT_EQ(names_in_node_list("n[1-1000]m[1-1000]").value().size(), 1'000'000u);
  EXPECT_EQ(names_in_node_list("n[1-3],m", 3), std::nullopt);
}

TEST(node_lists, may_say_that_there_are_no_nodes) {
  for (const char* field : {"", "  ", "(null)", "None assigned", "N/A"}) EXPECT_EQ(node_list_in(field), "") << field;
  EXPECT_EQ(node_list_in(" n[1-2] "), "n[1-2]");
}

/// The servers of lists of nodes on 3 servers `node`, one `gpu`, 2 `nodes` and 4 `r`; why there are none.
node_names servers_named_by(const std::vector<std::string>& lists) {
  const auto entry = [](const char* name, std::uint32_t count) {
    server_spec s;
    s.name = name;
    s.count = count;
    return s;
  };
  const std::vector<server_spec> entries{entry("node", 3), entry("gpu", 1), entry("nodes", 2), entry("r", 4)};
  const node_servers servers(entries, lists);
  node_names all;
  for (std::size_t n = 0; n < lists.size(); ++n) {
    const auto& [flaw, on] = servers.of(n);
    std::string text{flaw};
    if (flaw.empty())
      for (const auto& [e, server] : on) text += entries[e].name + "." + std::to_string(server) + " ";
    all.push_back(text);
  }
  return all;
}

const std::string no_such_node = "on nodes that platform.servers does not have by these names";

TEST(nodes_of_a_site, are_servers_by_name_and_number_from_1) {
  EXPECT_EQ(servers_named_by({"node[01-02]", "gpu", "node-3", "nodes2,node001", "node2,node02"}),
            (node_names{"node.0 node.1 ", "gpu.0 ", "node.2 ", "node.0 nodes.1 ", "node.1 "}));
}

TEST(nodes_of_a_site, are_servers_by_number_from_0_where_one_has_it) {
  EXPECT_EQ(servers_named_by({"node1", "node[0,2]"}), (node_names{"node.1 ", "node.0 node.2 "}));
}

TEST(nodes_of_a_site, are_in_the_order_of_numbers_that_servers_do_not_have) {
  EXPECT_EQ(servers_named_by({"node140", "node[102,131]"}), (node_names{"node.2 ", "node.0 node.1 "}));
  EXPECT_EQ(servers_named_by({"r2n[01-02]", "r1n9"}), (node_names{"r.1 r.2 ", "r.0 "}));
}

TEST(nodes_of_a_site, may_be_no_servers) {
  EXPECT_EQ(servers_named_by({"node[1-3]", "node7", "other1", "noded1", "node[1"}),
            (node_names{"node.0 node.1 node.2 ", no_such_node, no_such_node, no_such_node,
                        "whose list of nodes cannot be read"}));
  EXPECT_EQ(servers_named_by({"r1n[1-5]"}), node_names{no_such_node});
}

}  // namespace
}  // namespace muster
