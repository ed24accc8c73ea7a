#include <rapidcheck.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/simulation/replicate.h"

// At its end every replication checks, to the last tick, that jobs and core time are conserved and that Little's law
// holds; a violation is a fault. Here random clusters, workloads and policies are put through it.

namespace muster {
namespace {

std::string random_scenario() {
  const auto groups = *rc::gen::inRange(1, 4);
  std::string text = "name = \"random\"\n[platform]\nservers = [";
  int cores = 0;
  for (int g = 0; g < groups; ++g) {
    const int count = *rc::gen::inRange(1, 6), each = *rc::gen::inRange(1, 5);
    cores += count * each;
    text += fmt::format("{{ name = \"s{}\", count = {}, cores = {}, capacity = {} }},", g, count, each,
                        *rc::gen::element(0.5, 1.0, 2.0));
  }
  text += fmt::format("]\ncosts = {{ set_up = {}, dispatch_latency = {} }}\nlink = {{ latency = {} }}\n",
                      *rc::gen::element(0.0, 0.05), *rc::gen::element(0.0, 0.01), *rc::gen::element(0.0, 0.02));
  const int classes = *rc::gen::inRange(1, 5);
  for (int c = 0; c < classes; ++c) {
    const int need = *rc::gen::inRange(1, cores + 1);
    const std::string size = *rc::gen::element<std::string>(
        R"(distribution = "exponential", mean = 1.0)", R"(distribution = "deterministic", value = 1.0)",
        R"(distribution = "hyperexponential", mean = 1.0, scv = 4.0)",
        R"(distribution = "pareto", shape = 2.5, mean = 1.0)");
    text += fmt::format("[[classes]]\nname = \"c{}\"\nneed = {}\nrate = {}\nsize = {{ {} }}\n", c, need,
                        *rc::gen::element(0.1, 0.5, 2.0), size);
  }
  return text + fmt::format("[policy]\nname = \"{}\"\n[run]\njobs = 3000\nreplications = 1\nwarm_up = {}\n",
                            *rc::gen::element<std::string>("fcfs", "first_fit", "msf", "static_quickswap",
                                                           "adaptive_quickswap"),
                            *rc::gen::element(0.0, 0.1, 0.5));
}

TEST(conservation, holds_for_random_clusters_workloads_and_policies) {
  ASSERT_TRUE(rc::check([] {
    const std::string text = random_scenario();
    RC_LOG() << text;
    const auto results = replicate(text);
    RC_ASSERT(results.size() == 1u);
    RC_ASSERT(results[0].jobs == 3000u);
  }));
}

}  // namespace
}  // namespace muster
