#pragma once

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/command_line/command.h"
#include "tests/command_line/trace_reader.h"

namespace muster {

/// `run.jobs` of `gangs` and of `pool`.
inline constexpr int jobs_of_scene = 800;

/// Rigid jobs; gangs over several servers, with set-up, and phases.
inline constexpr const char* gangs = R"(name = "gangs"
platform.servers = [{ name = "node", count = 3, cores = 4 }, { name = "fast", cores = 2, capacity = 2.0 }]
platform.costs = { dispatch_latency = 0.01, set_up = 0.05 }
classes = [
  { name = "light", need = 1, share = 0.8, size = { distribution = "exponential", mean = 1.0 } },
  { name = "heavy", need = 14, share = 0.2, size = { distribution = "exponential", mean = 1.0 } },
]
arrivals.rate = 2.5
policy = { name = "msfq", threshold = 5 }
run = { jobs = 800, replications = 1, warm_up = 0.0 }
)";

/// Pooled jobs that are interrupted, move, and pay for it.
inline constexpr const char* pool = R"(name = "pool"
platform.servers = [{ name = "a", cores = 2 }, { name = "b", capacity = 2.0 }, { name = "rack", count = 4 }]
platform.costs = { set_up = 0.01, save = 0.01, restore = 0.02, migration = 0.03 }
classes = [
  { name = "web", share = 0.7, size = { distribution = "exponential", mean = 1.0 } },
  { name = "batch", share = 0.3, servers = ["a", "rack"], size = { distribution = "exponential", mean = 2.0 } },
]
arrivals.load = 0.6
policy = { name = "balanced_fair", interruptions_per_job = 2.0 }
run = { jobs = 800, replications = 1, warm_up = 0.0 }
)";

/// Slotted jobs, some of which expire.
inline constexpr const char* slots = R"(name = "slots"
[platform]
servers = [{ name = "machine", count = 6 }]
costs = { epsilon = 0.05 }
[[classes]]
name = "vip"
jobs = 30
units = 20
value = 10.0
utility = { function = "logarithmic", steepness = 20.0 }
deadline = { distribution = "two_valued", tight = 2, loose = 30 }
[[classes]]
name = "free"
jobs = 70
units = 10
utility = { function = "exponential", steepness = 3.0 }
deadline = { distribution = "uniform", from = 1, to = 20 }
[arrivals]
process = "uniform"
slots = 100
[policy]
name = "ispeed"
[run]
replications = 1
warm_up = 0.0
)";

struct named_scenario {
  const char* name;
  const char* text;
  unsigned cores;
};
inline const named_scenario scenarios[] = {{"gangs", gangs, 14}, {"pool", pool, 7}, {"slots", slots, 6}};

class trace_test : public command_line_test {
 protected:
  /// Runs a scenario with traces into a folder of its name.
  void run(const named_scenario& s, const std::string& options) const {
    std::ofstream(folder_ / (std::string(s.name) + ".toml")) << s.text;
    const auto result =
        shell(fmt::format("muster run {} --quiet {} --out {}", at(std::string(s.name) + ".toml"), options, at(s.name)));
    ASSERT_EQ(result.status, 0) << result.output;
  }
  std::string content(const named_scenario& s, const std::string& file) const {
    return content_of(folder_ / s.name / file);
  }
  double result(const named_scenario& s, const std::string& class_name, const std::string& metric) const {
    for (const auto& row : read_table(content(s, "results.csv")))
      if (row.at("class") == class_name && row.at("metric") == metric) return std::stod(row.at("estimate"));
    throw std::runtime_error("no " + metric + " of " + class_name);
  }
};

inline void expect_same(double found, double known, const std::string& what) {
  EXPECT_NEAR(found, known, 1e-9 * std::max(1.0, std::abs(known))) << what;
}

}  // namespace muster
