#include <gtest/gtest.h>

#include "tests/scenario/sample.h"

namespace muster {
namespace {

using settings_in_order = std::vector<std::pair<std::string, setting_value>>;

TEST(pooled_jobs, may_draw_their_servers_from_all) {
  const study s = read(pooled_sample);
  const scenario model = s.points.front().model;
  EXPECT_EQ(model.classes[0].drawn, 0u);
  EXPECT_EQ(model.classes[1].drawn, 2u);
  EXPECT_EQ(model.classes[1].servers, (std::vector<std::string>{"a", "b"}));
  EXPECT_NE(s.resolved.find("servers = { random = 2 }\n"), std::string::npos);
}

TEST(pooled_jobs, may_draw_as_many_servers_as_there_are) {
  EXPECT_EQ(first_point(replaced(pooled_sample, "random = 2", "random = 3")).classes[1].drawn, 3u);
}

TEST(pooled_jobs, are_interrupted_as_theta_or_their_number_says) {
  EXPECT_EQ(first_point(pooled_sample).policy.settings, (settings_in_order{{"theta", 0.5}}));
  EXPECT_EQ(first_point(replaced(pooled_sample, "theta = 0.5", "interruptions_per_job = 4")).policy.settings,
            (settings_in_order{{"interruptions_per_job", 4.0}}));
  EXPECT_EQ(first_point(replaced(pooled_sample, "theta = 0.5", "interruptions_per_job = 0")).policy.settings,
            (settings_in_order{{"interruptions_per_job", 0.0}}));
}

TEST(timers_and_costs, are_what_the_file_says) {
  const scenario model =
      first_point(with("[[classes]]",
                       "costs = { save = 0.25, restore = 0.5, migration = 1, bandwidth = 1e9 }\n"
                       "timers = { law = \"deterministic\", tick = 1e-3 }\n[[classes]]\nstate = 4096"));
  EXPECT_EQ(model.costs.save, 0.25);
  EXPECT_EQ(model.costs.restore, 0.5);
  EXPECT_EQ(model.costs.migration, 1.0);
  EXPECT_EQ(model.costs.bandwidth, 1e9);
  EXPECT_EQ(model.timers.kind, timer_spec::law::deterministic);
  EXPECT_EQ(model.timers.tick, 1e-3);
  EXPECT_EQ(model.classes[0].state, 4096.0);
  EXPECT_EQ(model.classes[1].state, 0.0);
}

TEST(timers_and_costs, are_none_by_default) {
  const scenario model = first_point(sample);
  EXPECT_FALSE(model.costs.any());
  EXPECT_FALSE(model.costs.bandwidth);
  EXPECT_EQ(model.timers.kind, timer_spec::law::exponential);
  EXPECT_EQ(model.timers.tick, 0.0);
}

}  // namespace
}  // namespace muster
