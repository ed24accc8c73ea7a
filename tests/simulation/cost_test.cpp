#include <gtest/gtest.h>

#include "tests/simulation/replicate.h"
#include "tests/simulation/scenes.h"

// The metric cost: prices times what there is of each, and the average power.

namespace muster {
namespace {

std::string priced(const std::string& prices, const std::string& platform = "") {
  return one_class("count = 3, cores = 2, power = { idle = 50.0, active = 200.0 }", platform, 2.0, exponential,
                   "jobs = 2000\nreplications = 2\n[price]\n" + prices);
}

double cost_of(const std::string& text) { return estimate_of(replicate(text), "cost").mean; }

TEST(cost, is_the_price_of_all_servers_and_cores) {
  EXPECT_DOUBLE_EQ(cost_of(priced("servers.node = 10.0\ncore = 0.5")), 3 * 10.0 + 6 * 0.5);
}

TEST(cost, has_the_watts_that_the_run_has_drawn) {
  const auto results = replicate(priced("core = 1.0\nwatt = 0.25"));
  EXPECT_NEAR(estimate_of(results, "cost").mean, 6.0 + 0.25 * estimate_of(results, "average_power").mean, 1e-9);
}

// A star has an edge for each server, racks one more for each rack.
TEST(cost, has_every_edge_of_the_network) {
  EXPECT_DOUBLE_EQ(cost_of(priced("link = 7.0")), 3 * 7.0);
  EXPECT_DOUBLE_EQ(cost_of(priced("link = 7.0", "link = { topology = \"racks\", racks = 2, latency = 0.01 }")), 35.0);
}

// 3 servers with 2 GPUs and 64 GB each, and 10 licences: 6 x 1.5 + 192 x 0.25 + 10 x 2.
TEST(cost, has_the_devices_and_amounts_of_servers_and_of_the_cluster) {
  const std::string resources =
      "resources = { gpu = { kind = \"devices\", shares = 4 }, memory = { kind = \"amount\", unit = \"B\" }, licence = "
      "{ "
      "kind = \"amount\", of = \"cluster\", amount = 10 } }";
  const std::string text =
      one_class("count = 3, resources = { gpu = 2, memory = \"64 GB\" }", resources, 2.0, exponential,
                "jobs = 200\nreplications = 2\n[price]\nresources = { gpu = 1.5, memory = "
                "\"0.25 / GB\", licence = 2.0 }");
  EXPECT_DOUBLE_EQ(cost_of(text), 9.0 + 48.0 + 20.0);
}

TEST(cost, is_not_measured_without_prices) {
  const std::string text = one_class("cores = 4", "", 2.0, exponential, "jobs = 200\nreplications = 1");
  const auto results = replicate(text);
  EXPECT_EQ(results.front().find("all", "cost"), nullptr);
}

}  // namespace
}  // namespace muster
