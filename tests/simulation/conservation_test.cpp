#include <algorithm>

#include <rapidcheck.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/simulation/replicate.h"

// At its end every replication checks, to the last tick, that jobs and core time are conserved and that Little's law
// holds; a violation is a fault. Here random clusters, workloads and policies are put through it.

namespace muster {
namespace {

std::string random_platform(int& servers, int& cores) {
  const auto groups = *rc::gen::inRange(1, 4);
  const bool fail = *rc::gen::arbitrary<bool>();
  std::string text = "name = \"random\"\n[platform]\nservers = [";
  for (int g = 0; g < groups; ++g) {
    const int count = *rc::gen::inRange(1, 6), each = *rc::gen::inRange(1, 5);
    servers += count;
    cores += count * each;
    text +=
        fmt::format("{{ name = \"s{}\", count = {}, cores = {}, capacity = {}{} }},", g, count, each,
                    *rc::gen::element(0.5, 1.0, 2.0), fail ? ", faults = { to_failure = 20.0, to_repair = 1.0 }" : "");
  }
  return text + (fail ? "]\ncheckpoint_every = 0.2\n" : "]\n");
}

std::string random_costs() {
  const std::string bandwidth = *rc::gen::arbitrary<bool>() ? ", bandwidth = 100.0" : "";
  return fmt::format("costs = {{ set_up = {}, dispatch_latency = {}, save = {}, restore = {}, migration = {}{} }}\n",
                     *rc::gen::element(0.0, 0.05), *rc::gen::element(0.0, 0.01), *rc::gen::element(0.0, 0.02),
                     *rc::gen::element(0.0, 0.03), *rc::gen::element(0.0, 0.04), bandwidth);
}

std::string random_network(int servers) {
  const std::string link = *rc::gen::element<std::string>(
      "latency = 0.0", "latency = 0.02", "latency = 0.001, bandwidth = 1e5",
      fmt::format("topology = \"racks\", racks = {}, latency = 0.01, uplink_bandwidth = 1e5", std::min(servers, 2)),
      "topology = \"fat_tree\", ports = 8, latency = 0.001, bandwidth = 1e4, message_bytes = 16");
  return fmt::format("link = {{ {} }}\ndecision = {{ fixed = {}, per_job = {} }}\n", link,
                     *rc::gen::element(0.0, 0.0, 0.001), *rc::gen::element(0.0, 0.0, 0.0005));
}

std::string random_class(int number, int need, const std::string& servers) {
  const std::string size = *rc::gen::element<std::string>(R"(distribution = "exponential", mean = 1.0)",
                                                          R"(distribution = "deterministic", value = 1.0)",
                                                          R"(distribution = "hyperexponential", mean = 1.0, scv = 4.0)",
                                                          R"(distribution = "pareto", shape = 2.5, mean = 1.0)");
  return fmt::format("[[classes]]\nname = \"c{}\"\nneed = {}\nrate = {}\nsize = {{ {} }}\n{}", number, need,
                     *rc::gen::element(0.1, 0.5, 2.0), size, servers);
}

std::string random_run(const std::string& policy) {
  return fmt::format("[policy]\n{}\n[run]\njobs = 3000\nreplications = 1\nwarm_up = {}\n", policy,
                     *rc::gen::element(0.0, 0.1, 0.5));
}

std::string random_scenario() {
  int servers = 0, cores = 0;
  std::string text = random_platform(servers, cores);
  text += random_costs() + random_network(servers);
  const int classes = *rc::gen::inRange(1, 5);
  for (int c = 0; c < classes; ++c) text += random_class(c, *rc::gen::inRange(1, cores + 1), "");
  return text + random_run(fmt::format("name = \"{}\"",
                                       *rc::gen::element<std::string>("fcfs", "first_fit", "msf", "static_quickswap",
                                                                      "adaptive_quickswap")));
}

std::string random_pooled_scenario() {
  int servers = 0, cores = 0;
  std::string text = random_platform(servers, cores);
  text += random_costs() + random_network(servers);
  text += fmt::format("timers = {{ law = \"{}\", tick = {} }}\n",
                      *rc::gen::element<std::string>("exponential", "deterministic"), *rc::gen::element(0.0, 0.1));
  const int classes = *rc::gen::inRange(1, 5);
  for (int c = 0; c < classes; ++c) {
    const int drawn = *rc::gen::inRange(-servers, servers + 1);
    text += random_class(c, 1,
                         fmt::format("state = {}\n{}", *rc::gen::element(0.0, 5.0),
                                     drawn > 0 ? fmt::format("servers = {{ random = {} }}\n", drawn)
                                               : *rc::gen::element<std::string>("", "servers = [\"s0\"]\n")));
  }
  return text + random_run(*rc::gen::element<std::string>("name = \"fcfs_pooled\"",
                                                          "name = \"balanced_fair\"\ninterruptions_per_job = 5.0",
                                                          "name = \"balanced_fair\"\ntheta = 1.0"));
}

void expect_conservation(std::string (*scenario)()) {
  ASSERT_TRUE(rc::check([scenario] {
    const std::string text = scenario();
    RC_LOG() << text;
    const auto results = replicate(text);
    RC_ASSERT(results.size() == 1u);
    RC_ASSERT(results[0].jobs == 3000u);
  }));
}

TEST(conservation, holds_for_random_clusters_workloads_and_policies) { expect_conservation(random_scenario); }

TEST(conservation, holds_for_pooled_jobs_whatever_the_timers_and_costs) { expect_conservation(random_pooled_scenario); }

}  // namespace
}  // namespace muster
