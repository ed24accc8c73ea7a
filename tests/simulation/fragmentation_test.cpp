#include <gtest/gtest.h>

#include "tests/simulation/replicate.h"
#include "tests/simulation/scenes.h"

// The metric resource_fragmentation, by hand on two servers.

namespace muster {
namespace {

// Jobs of the one class find a whole GPU wherever one is free. Those of the other need none: to them all are of no use.
TEST(fragmentation, of_devices_is_the_share_of_the_mix_that_cannot_use_those_that_are_free) {
  std::string text =
      one_class("count = 2, cores = 8, resources = { gpu = 2 }", "resources = { gpu = { kind = \"devices\" } }", 2.0,
                exponential, "jobs = 2000\nreplications = 2");
  text.replace(text.find("need = 1\nshare = 1.0"), 20, "per_task = { gpu = 1 }\nshare = 0.75");
  text.insert(text.find("[arrivals]"), "[[classes]]\nname = \"plain\"\nshare = 0.25\nsize = { " + exponential + " }\n");
  const auto results = replicate(text);
  EXPECT_NEAR(estimate_of(results, "resource_fragmentation", "resource_gpu").mean, 0.25, 1e-12);
}

}  // namespace
}  // namespace muster
