#include "tests/modules/scene.h"

namespace muster {
namespace {

// A random workload with a monitor on every hop.
void run_monitored(layout l, ticks gap, std::size_t jobs = 3000) {
  l.monitored = true;
  scene s{l, random_jobs(jobs, l.needs.size(), gap, 40)};
  s.run();
  EXPECT_EQ(s.monitors.front()->transactions(), jobs);
  const bool overhead = l.costs.before_work({}) > 0;
  for (std::size_t m = l.submission_latency == 0 ? 1 : 2; m < s.monitors.size(); ++m) {
    const protocol_checker& hop = *s.monitors[m];
    EXPECT_EQ(hop.count(slice_productive), overhead ? hop.transactions() : 0)
        << "slice_productive once, and only after an overhead";
  }
}

TEST(base_protocol, holds_on_every_hop_with_fcfs) { run_monitored({{1}, {{"node", 1, 4, 1.0}}}, 6); }

TEST(base_protocol, holds_on_every_hop_with_msfq) { run_monitored({{8, 1}, {{"node", 1, 8, 1.0}}, "msfq"}, 15); }

TEST(base_protocol, holds_on_every_hop_with_gangs_over_servers) {
  run_monitored({{12, 5, 1}, {{"large", 2, 4, 1.0}, {"small", 8, 1, 1.0}}, "first_fit"}, 20);
}

TEST(base_protocol, holds_on_every_hop_with_overhead) {
  run_monitored({{5, 1}, {{"node", 4, 2, 1.0}}, "msf", {3, 2}}, 25);
}

TEST(base_protocol, holds_on_every_hop_with_links_before_the_servers) {
  run_monitored({{5, 1}, {{"left", 4, 2, 1.0}, {"right", 1, 3, 2.0}}, "msf", {3, 2}, 7}, 25);
}

TEST(base_protocol, holds_on_every_hop_with_links_everywhere) {
  run_monitored({{5, 1}, {{"left", 4, 2, 1.0}, {"right", 1, 3, 2.0}}, "adaptive_quickswap", {}, 7, 11}, 25);
}

TEST(base_protocol, link_adds_its_latency_once_each_way) {
  scene s{{{1}, {{"node", 1, 1, 1.0}}, "fcfs", {}, 7, 11}, {{100, class_id{0}, 50}}};
  s.run();
  ASSERT_EQ(s.log.records.size(), 1u);
  EXPECT_EQ(s.log.records[0].completed, 100u + 11 + 7 + 50 + 7 + 11);
}

TEST(base_protocol, link_carries_slice_productive_as_late_as_all_else) {
  scene s{{{1}, {{"node", 1, 1, 1.0}}, "fcfs", {20, 0}, 7, 0, true}, {{100, class_id{0}, 50}}};
  s.run();
  EXPECT_EQ(s.monitors[1]->count(slice_productive), 1u);
  EXPECT_EQ(s.monitors[2]->count(slice_productive), 1u);
  EXPECT_EQ(s.log.records[0].completed, 100u + 7 + 20 + 50 + 7);
}

}  // namespace
}  // namespace muster
