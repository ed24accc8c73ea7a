#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "platform/import/slurm/job_shape.h"
#include "platform/import/slurm/node_groups.h"
#include "platform/import/slurm/site_hardware.h"
#include "platform/import/slurm/site_import.h"
#include "platform/import/slurm/site_lines.h"
#include "platform/log/log_text.h"

// The parts of the import of a Slurm site: its lines, its nodes, and the needs of its jobs.

namespace muster {
namespace {

using words = std::vector<std::pair<std::string, std::string>>;

TEST(slurm_lines, have_blanks_around_the_sign_and_within_quotes) {
  words all;
  EXPECT_EQ(split_words("A = 1  b.c=\"x y=z\" D+=2 Empty=", all), "");
  EXPECT_EQ(all, (words{{"A", "1"}, {"b.c", "x y=z"}, {"D", "2"}, {"Empty", ""}}));
}

TEST(slurm_lines, return_what_is_no_word) {
  for (const auto& [text, rest] : std::vector<std::pair<std::string, std::string>>{
           {"A=1 oops", "oops"}, {"A=1 B=\"x y", "B=\"x y"}, {"=1", "=1"}, {"A=1 \x01=2", "\x01=2"}}) {
    words all;
    EXPECT_EQ(split_words(text, all), rest);
  }
}

// minutes; HH:MM:SS; D-HH, D-HH:MM, D-HH:MM:SS
TEST(slurm_times, are_minutes_or_parts) {
  const std::vector<std::pair<std::string, double>> times{
      {"90", 5400.0},     {"1:30", 90.0},        {"24:00:00", 86400.0},    {"7-0", 604800.0},
      {"1-12", 129600.0}, {"1-12:30", 131400.0}, {"2-00:00:10", 172810.0}, {"UNLIMITED", 0.0},
      {"infinite", 0.0},  {"soon", -1.0},        {"1-2:3:4:5", -1.0},      {"-5", -1.0}};
  for (const auto& [text, seconds] : times) EXPECT_DOUBLE_EQ(slurm_time(text), seconds) << text;
}

TEST(slurm_devices, are_the_sum_of_their_kinds) {
  EXPECT_DOUBLE_EQ(devices_in_list("gpu:a100:2,nic,gpu:v100:1", "gres/gpu"), 3.0);
  EXPECT_DOUBLE_EQ(devices_in_list("gres:gpu:2", "gres/gpu"), 2.0);
  EXPECT_DOUBLE_EQ(devices_in_list("gres/gpu=4", "gpu"), 4.0);
  EXPECT_DOUBLE_EQ(devices_in_list("gpu", "gpu"), 1.0);
  EXPECT_DOUBLE_EQ(devices_in_list("gpus:2", "gpu"), 0.0);
  EXPECT_DOUBLE_EQ(devices_in_list("N/A", "gpu"), 0.0);
}

/// Reads lines as those of slurm.conf.
site_hardware hardware_of(const std::vector<std::string>& lines, unused_values& unused) {
  hardware_reader reader(unused);
  for (std::size_t n = 0; n < lines.size(); ++n) {
    site_line line{{"slurm.conf", n + 1}, {}};
    EXPECT_EQ(split_words(lines[n], line.words), "");
    EXPECT_TRUE(reader.take(line)) << lines[n];
  }
  return reader.result();
}

// DEFAULT lines add up, as Slurm has it: the second one keeps the CPUs of the first.
TEST(slurm_nodes, have_what_the_default_lines_before_them_say) {
  unused_values unused;
  const site_hardware site = hardware_of({"nodename=DEFAULT realmemory=1000 Sockets=2 CoresPerSocket=16",
                                          "NodeName=a[01-03,07]", "NodeName=DEFAULT CPUs=40 RealMemory=2000",
                                          "NodeName=b1 CoreSpecCount=4 MemSpecLimit=500 Gres=gpu:v100:2(S:0),nic"},
                                         unused);
  ASSERT_EQ(site.nodes.size(), 2u);
  EXPECT_EQ(site.nodes[0].names, (std::vector<std::string>{"a01", "a02", "a03", "a07"}));
  EXPECT_EQ(site.nodes[0].cores, 32u);
  EXPECT_DOUBLE_EQ(site.nodes[0].memory, 1000.0 * 1048576.0);
  EXPECT_EQ(site.nodes[1].cores, 36u);
  EXPECT_DOUBLE_EQ(site.nodes[1].memory, 1500.0 * 1048576.0);
  EXPECT_EQ(site.nodes[1].gres, (std::map<std::string, double>{{"gpu", 2.0}, {"nic", 1.0}}));
  EXPECT_TRUE(unused.rows().empty());
}

TEST(slurm_nodes, are_listed_where_they_cannot_be_read) {
  unused_values unused;
  hardware_of({"NodeName=a[1-", "NodeName=b1 CPUs=many RealMemory=lots", "NodeName=c1 Color=red Weight=5"}, unused);
  std::vector<std::string> all;
  for (const auto& row : unused.rows())
    all.push_back(std::to_string(row.first.line) + ": " + row.what + ": " + row.why);
  EXPECT_EQ(all, (std::vector<std::string>{
                     "1: NodeName=a[1-: expected a list of nodes such as n[01-10,12]; the nodes are left out",
                     "2: RealMemory=lots: expected a number of megabytes; 1 is taken",
                     "2: cpus=many: expected a number; 1 is taken", "3: Color=red: muster does not know this key",
                     "3: Weight=5: which nodes are taken first is up to the policy's placement"}));
}

// Four nodes in two partitions that share one of them are three groups; the fifth node is in none.
TEST(slurm_nodes, are_grouped_by_the_partitions_that_have_them) {
  unused_values unused;
  const site_hardware site =
      hardware_of({"NodeName=n[1-5] CPUs=4", "PartitionName=a Nodes=n[1-3]", "PartitionName=b Nodes=n[3-4]"}, unused);
  const node_groups groups = group_nodes(site, unused);
  ASSERT_EQ(groups.groups.size(), 3u);
  EXPECT_EQ(groups.groups[0].count, 2u);
  EXPECT_EQ(groups.of_partition, (std::vector<std::vector<std::size_t>>{{0, 1}, {1, 2}}));
  EXPECT_EQ(groups.names.at("n2"), "n.2");
  EXPECT_EQ(groups.names.at("n3"), "n_2.1");
  EXPECT_EQ(groups.names.count("n5"), 0u);
  ASSERT_EQ(unused.rows().size(), 1u);
  EXPECT_EQ(unused.rows()[0].what, "nodes of no partition");
}

job_shape shape(std::uint32_t cores, std::uint32_t nodes, double gpus) {
  const node_group group{"n", 4, 16, 64.0, {{"gpu", 2.0}}};
  site_job job;
  job.cores = cores;
  job.nodes = nodes;
  job.gres = {gpus};
  return shape_of(job, 1.0, false, {"gpu"}, {&group});
}

TEST(slurm_needs, are_a_task_on_each_node_where_they_can_be) {
  const job_shape two = shape(18, 2, 2.0);
  EXPECT_EQ(two.tasks, 2u);
  EXPECT_EQ(two.cores, 9u);
  EXPECT_DOUBLE_EQ(two.memory, 9.0);
  EXPECT_EQ(two.gres, std::vector<std::uint32_t>{1});
}

TEST(slurm_needs, are_small_tasks_where_nodes_are_not_known_too_small_or_uneven) {
  EXPECT_EQ(shape(18, 0, 0.0).tasks, 18u);
  EXPECT_EQ(shape(32, 1, 0.0).tasks, 32u);  // no node has 32 cores
  EXPECT_EQ(shape(18, 4, 0.0).tasks, 18u);  // 4 does not divide 18
  const job_shape devices = shape(8, 0, 4.0);
  EXPECT_EQ(devices.tasks, 4u);
  EXPECT_EQ(devices.cores, 2u);
}

TEST(slurm_needs, fit_as_often_as_empty_nodes_have_room) {
  const node_group group{"n", 4, 16, 64.0, {{"gpu", 2.0}}};
  const auto fit = [&](job_shape need) { return fits(need, {"gpu"}, {&group}); };
  EXPECT_TRUE(fit({4, 16, 64.0, {2}, false}));
  EXPECT_FALSE(fit({5, 16, 64.0, {2}, false}));
  EXPECT_TRUE(fit({8, 8, 32.0, {1}, false}));
  EXPECT_FALSE(fit({8, 8, 33.0, {1}, false}));
  EXPECT_FALSE(fit({1, 1, 1.0, {3}, false}));
}

TEST(slurm_files, are_known_by_their_content_or_else_their_name) {
  const auto kind = [](const char* text, const char* name = "x") { return site_file_kind_of(text, name); };
  EXPECT_EQ(kind("# comment\nClusterName=a\nNodeName=n1 CPUs=1\n"), site_file_kind::slurm_conf);
  EXPECT_EQ(kind("NodeName=n1 Name=gpu Count=2\n"), site_file_kind::gres_conf);
  EXPECT_EQ(kind("SwitchName=s Nodes=n1\n"), site_file_kind::topology_conf);
  EXPECT_EQ(kind("NodeName=n1 Arch=x86_64\n   CPUAlloc=0 CPUTot=4\n"), site_file_kind::nodes);
  EXPECT_EQ(kind("PartitionName=p\n   AllocNodes=ALL Default=NO\n"), site_file_kind::partitions);
  EXPECT_EQ(kind("JobId=7 JobName=a\n   UserId=ann(1)\n"), site_file_kind::jobs);
  EXPECT_EQ(kind("Name|Priority|Preempt\nnormal|0|\n"), site_file_kind::qos);
  EXPECT_EQ(kind("# To edit this file\nCluster - 'a':Fairshare=1\nParent - 'root'\n"), site_file_kind::accounts);
  EXPECT_EQ(kind("PARTITION AVAIL TIMELIMIT NODES STATE NODELIST\n"), site_file_kind::states);
  EXPECT_EQ(kind("JOBID|STATE|TIME|TIME_LIMIT|CPUS\n"), site_file_kind::log);
  EXPECT_EQ(kind("JobID|Submit|Elapsed|ReqCPUS\n"), site_file_kind::log);
  EXPECT_EQ(kind("# nothing\n", "my_gres.conf"), site_file_kind::gres_conf);
  EXPECT_EQ(kind("hello\n"), std::nullopt);
}

}  // namespace
}  // namespace muster
