#include "platform/search/hardware_change.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "platform/scenario/point_settings.h"
#include "platform/scenario/scenario_file.h"

namespace muster {
namespace {

const std::string everything = R"(name = "everything"
[platform]
servers = [
  { name = "big", count = 2, cores = 8, resources = { gpu = 4, memory = 64 } },
  { name = "lean", cores = 4, capacity = 2.0 },
]
link = { topology = "racks", racks = 2, latency = 0.5, uplink_bandwidth = 1000.0 }
decision = { fixed = 0.25, per_job = 0.125 }
costs = { set_up = 0.5, migration = 0.25, bandwidth = 100.0 }
[platform.resources]
gpu = { kind = "devices" }
memory = { kind = "amount" }
licence = { kind = "amount", of = "cluster", amount = 3 }
[[classes]]
name = "train"
per_task = { cores = 2, gpu = 1, memory = 8 }
per_job = { licence = 1 }
share = 1.0
size = { distribution = "exponential", mean = 1.0 }
[arrivals]
rate = 0.5
[policy]
name = "fcfs"
)";

scenario first_point(const std::string& text, const std::vector<std::string>& settings = {}) {
  return read_study(text, "here.toml", settings).points.front().model;
}

std::vector<std::string> settings_of(const scenario& model) {
  std::vector<std::string> all;
  for (const hardware_change& change : hardware_changes(model)) all.push_back(change.setting());
  return all;
}

TEST(hardware_changes, are_one_more_twice_and_half_of_what_is_there) {
  EXPECT_EQ(
      settings_of(first_point(everything)),
      (std::vector<std::string>{
          "platform.servers.big.count=3", "platform.servers.lean.count=2", "platform.servers.big.cores=9",
          "platform.servers.lean.cores=5", "platform.servers.big.capacity=1.1", "platform.servers.lean.capacity=2.2",
          "platform.servers.big.resources.gpu=5", "platform.servers.big.resources.memory=128",
          "platform.resources.licence.amount=6", "platform.link.uplink_bandwidth=2000.0", "platform.link.latency=0.25",
          "platform.decision.fixed=0.125; platform.decision.per_job=0.0625", "platform.costs.set_up=0.25",
          "platform.costs.migration=0.125", "platform.costs.bandwidth=200.0"}));
}

// A change that the scenario refuses could not be measured.
TEST(hardware_changes, are_settings_that_the_scenario_takes_and_that_change_it) {
  const std::string before = read_study(everything, "here.toml", {}).resolved;
  for (const hardware_change& change : hardware_changes(first_point(everything)))
    EXPECT_NE(read_study(everything, "here.toml", change.settings).resolved, before) << change.setting();
}

TEST(hardware_changes, leave_out_the_speed_of_slotted_jobs_and_what_is_free) {
  const scenario slotted = first_point(R"(name = "slots"
platform.servers = [{ name = "machine", count = 3 }]
classes = [{ name = "job", units = 5, share = 1.0, utility = { function = "exponential", steepness = 3.0 } }]
arrivals.rate = 0.1
policy = "fifo"
)");
  EXPECT_EQ(settings_of(slotted),
            (std::vector<std::string>{"platform.servers.machine.count=4", "platform.servers.machine.cores=2"}));
}

TEST(hardware_changes, are_of_frequencies_disks_the_storage_and_schedulers_too) {
  const std::string text = R"(name = "data"
platform.storage = { bandwidth = 1000.0, latency = 0.5 }
platform.decision = { fixed = 0.25 }
classes = [{ name = "job", share = 1.0, input = 100, inputs = 10, size = { distribution = "exponential", mean = 1.0 } }]
arrivals.rate = 0.5
policy = "fcfs"
[[platform.servers]]
name = "node"
count = 4
cores = 2
disk = { rate = 400.0, cache = 5000.0 }
power = { idle = 1.0 }
governor = "fixed"
frequency = "2 GHz"
frequencies = [
  { frequency = "1 GHz", watts = 3.0, speed = 0.5 },
  { frequency = "2 GHz", watts = 6.0, speed = 1.0 },
  { frequency = "3 GHz", watts = 9.0, speed = 1.25 },
]
)";
  EXPECT_EQ(settings_of(first_point(text)),
            (std::vector<std::string>{
                "platform.servers.node.count=5", "platform.servers.node.cores=3", "platform.servers.node.capacity=1.1",
                "platform.servers.node.frequency=3000000000.0", "platform.servers.node.disk.rate=800.0",
                "platform.servers.node.disk.cache=10000.0", "platform.storage.bandwidth=2000.0",
                "platform.storage.latency=0.25", "platform.schedulers.count=2", "platform.decision.fixed=0.125"}));
  for (const hardware_change& change : hardware_changes(first_point(text)))
    EXPECT_NE(read_study(text, "here.toml", change.settings).resolved, read_study(text, "here.toml", {}).resolved)
        << change.setting();
}

const std::string swept = R"(name = "swept"
platform.servers = [{ name = "node", cores = 4 }]
classes = [{ name = "light", share = 1.0, size = { distribution = "exponential", mean = 0.5 } }]
arrivals = { load = 0.5, factor = 1.5 }
policy = "fcfs"
[sweep]
"arrivals.load" = [0.25, 0.5]
policy = [{ name = "msf" }, { name = "easy_backfill", reservations = 2 }, { name = "fcfs" }]
)";

TEST(point_settings, leave_each_point_of_a_sweep_alone_as_it_is) {
  const study all = read_study(swept, "here.toml", {});
  ASSERT_EQ(all.points.size(), 6u);
  for (std::size_t p = 0; p < all.points.size(); ++p) {
    const study one = read_study(swept, "here.toml", point_settings(all, p));
    ASSERT_EQ(one.points.size(), 1u);
    EXPECT_EQ(one.points.front().model.policy.name, all.points[p].model.policy.name);
    EXPECT_EQ(one.points.front().model.policy.settings, all.points[p].model.policy.settings);
    EXPECT_EQ(one.points.front().model.arrivals.rate, all.points[p].model.arrivals.rate);
  }
}

// Four cores of capacity 1 do 8 jobs of size 0.5 in a unit of time: at load 0.25, times 1.5, 3 arrive. A load alone
// would let 3.75 arrive at five cores.
TEST(point_settings, hold_the_rate_of_arrivals_when_the_capacity_changes) {
  std::vector<std::string> settings = point_settings(read_study(swept, "here.toml", {}), 0);
  settings.emplace_back("platform.servers.node.cores=5");
  EXPECT_DOUBLE_EQ(first_point(swept, settings).arrivals.rate, 3.0);
  EXPECT_DOUBLE_EQ(first_point(swept, {"platform.servers.node.cores=5"}).arrivals.rate, 3.75);
}

TEST(point_settings, of_a_study_without_a_sweep_and_a_load_are_none) {
  EXPECT_TRUE(point_settings(read_study(everything, "here.toml", {}), 0).empty());
}

}  // namespace
}  // namespace muster
