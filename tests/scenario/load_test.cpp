#include <gtest/gtest.h>

#include "tests/scenario/sample.h"

namespace muster {
namespace {

// An arrival brings 0.9 * 1 + 0.1 * 32 = 4.1 of work on average, to 32 cores.
TEST(load, is_the_share_of_the_capacity_that_the_work_needs) {
  const study s = read(with("rate = 7.0", "load = 0.5"));
  EXPECT_DOUBLE_EQ(s.points[0].model.arrivals.rate, 0.5 * 32.0 / 4.1);
  EXPECT_DOUBLE_EQ(s.points[0].model.classes[1].rate, 0.05 * 32.0 / 4.1);
  EXPECT_NE(s.resolved.find("[arrivals]\nload = 0.5\n"), std::string::npos);
  EXPECT_EQ(s.resolved.find("rate = "), std::string::npos);
}

// Servers a and b: 2 + 2 units of work per unit of time; a job brings 0.5 * 1 + 0.5 * 3 = 2 of it.
TEST(load, counts_the_capacity_of_all_servers) {
  EXPECT_DOUBLE_EQ(first_point(replaced(pooled_sample, "rate = 1.0", "load = 0.75")).arrivals.rate, 1.5);
  EXPECT_DOUBLE_EQ(
      first_point(replaced(pooled_sample, "rate = 1.0", "load = 0.75"), {"platform.servers.b.capacity=2.0"})
          .arrivals.rate,
      2.25);
}

TEST(load, may_be_too_much) { EXPECT_DOUBLE_EQ(first_point(with("rate = 7.0", "load = 4.1")).arrivals.rate, 32.0); }

TEST(load, scales_interarrival_times) {
  const scenario model = first_point(with("rate = 7.0",
                                          "load = 0.41\nprocess = \"renewal\"\ninterarrival = { distribution = "
                                          "\"uniform\", low = 1, high = 3 }"));
  EXPECT_DOUBLE_EQ(model.arrivals.rate, 3.2);
  EXPECT_DOUBLE_EQ(model.arrivals.interarrival.mean(), 1.0 / 3.2);
}

TEST(load, follows_what_a_sweep_changes) {
  const study s = read(with("rate = 7.0", "load = 0.41") + "[sweep]\n\"classes.heavy.size.mean\" = [1.0, 2.0]\n");
  EXPECT_DOUBLE_EQ(s.points[0].model.arrivals.rate, 3.2);
  EXPECT_DOUBLE_EQ(s.points[1].model.arrivals.rate, 0.41 * 32.0 / 7.3);
}

TEST(load, that_is_wrong_is_reported_word_for_word) {
  EXPECT_EQ(complaints(with("rate = 7.0", "load = 0")), "f.toml:15:8: arrivals.load: expected a number > 0, found 0");
  EXPECT_EQ(complaints(with("rate = 7.0", "load = \"high\"")),
            "f.toml:15:8: arrivals.load: expected a number, found a string");
  EXPECT_EQ(complaints(with("rate = 7.0", "load = 0.5\nrate = 7.0")),
            "f.toml:15:8: arrivals.load: found rate and load; expected one of them");
  EXPECT_EQ(complaints(with("rate = 7.0", "laod = 0.5")),
            "f.toml:14:1: arrivals.rate: missing; expected rate or load\n"
            "f.toml:15:1: arrivals.laod: unknown key; did you mean 'load'?");
  EXPECT_EQ(complaints(with("rate = 7.0", "load = 1e9")),
            "f.toml:15:8: arrivals.load: arrivals come every 1.28e-10 s on average; expected at least the clock's step "
            "of 1e-09 s");
  EXPECT_EQ(complaints(with("rate = 7.0", "load = 1e308")),
            "f.toml:15:8: arrivals.load: mean: expected a number > 0, found 0");
  EXPECT_EQ(complaints(replaced(replaced(with("rate = 7.0", "load = 0.5"), "share = 0.9", "rate = 3"), "share = 0.1",
                                "rate = 1.0")),
            "f.toml:15:8: arrivals.load: expected no load here, because every class has a rate");
}

}  // namespace
}  // namespace muster
