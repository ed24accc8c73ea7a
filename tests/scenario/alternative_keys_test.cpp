#include <gtest/gtest.h>

#include "tests/scenario/sample.h"

namespace muster {
namespace {

using settings_in_order = std::vector<std::pair<std::string, setting_value>>;

TEST(alternative_keys, replace_each_other_in_overrides) {
  EXPECT_DOUBLE_EQ(first_point(sample, {"arrivals.load=0.41"}).arrivals.rate, 3.2);
  EXPECT_DOUBLE_EQ(first_point(with("rate = 7.0", "load = 0.41"), {"arrivals.rate=2"}).arrivals.rate, 2.0);
  EXPECT_EQ(first_point(pooled_sample, {"policy.interruptions_per_job=5"}).policy.settings,
            (settings_in_order{{"interruptions_per_job", 5.0}}));
  EXPECT_EQ(first_point(replaced(pooled_sample, "theta = 0.5", "interruptions_per_job = 5"), {"policy.theta=2"})
                .policy.settings,
            (settings_in_order{{"theta", 2.0}}));
}

TEST(alternative_keys, count_in_their_order) {
  EXPECT_DOUBLE_EQ(first_point(sample, {"arrivals.load=0.41", "arrivals.rate=2"}).arrivals.rate, 2.0);
}

TEST(alternative_keys, end_each_others_sweep_in_overrides) {
  const study s = read(sample + "[sweep]\n\"arrivals.rate\" = [1, 2]\n", {"arrivals.load=0.41"});
  EXPECT_TRUE(s.keys.empty());
  EXPECT_DOUBLE_EQ(s.points[0].model.arrivals.rate, 3.2);
}

TEST(alternative_keys, replace_each_other_within_swept_tables) {
  const study s = read(pooled_sample + "[sweep]\npolicy = [{ name = \"balanced_fair\", interruptions_per_job = 5 }]\n",
                       {"policy.theta=2"});
  EXPECT_EQ(s.points[0].values[0], "balanced_fair(theta=2)");
}

TEST(alternative_keys, that_are_swept_replace_what_the_file_says) {
  const study s = read(pooled_sample + "[sweep]\n\"policy.interruptions_per_job\" = [1, 5]\n");
  EXPECT_EQ(s.points[1].model.policy.settings, (settings_in_order{{"interruptions_per_job", 5.0}}));
  EXPECT_EQ(s.resolved.find("theta"), std::string::npos);
}

TEST(alternative_keys, that_are_replaced_by_a_sweep_must_not_be_nonsense) {
  EXPECT_EQ(complaints(replaced(pooled_sample, "theta = 0.5", "theta = -1") +
                       "[sweep]\n\"policy.interruptions_per_job\" = [1, 5]\n"),
            "f.toml:19:9: policy.theta: expected a number > 0, found -1");
}

TEST(alternative_keys, are_not_swept_together) {
  EXPECT_EQ(complaints(sample + "[sweep]\n\"arrivals.rate\" = [1, 2]\n\"arrivals.load\" = [0.5]\n"),
            "f.toml:22:1: sweep.\"arrivals.load\": stands for arrivals.rate, which is swept too");
}

}  // namespace
}  // namespace muster
