#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "platform/scenario/scenario_file.h"

namespace muster {

/// Scenarios that are no studies, but bring together what the shipped ones keep apart.
struct mixture {
  const char* name;
  const char* text;
};

inline constexpr mixture mixtures[] = {
    {"every_distribution", R"(
[platform]
servers = [{ name = "a", count = 3, cores = 4 }, { name = "b", cores = 5, capacity = 1.5 }]
[[classes]]
name = "exponential"
need = 1
share = 0.3
size = { distribution = "exponential", mean = 1.0 }
[[classes]]
name = "hyperexponential"
need = 2
share = 0.2
size = { distribution = "hyperexponential", mean = 1.0, scv = 4.0 }
[[classes]]
name = "lognormal"
need = 3
share = 0.2
size = { distribution = "lognormal", mean = 1.0, scv = 2.0 }
[[classes]]
name = "erlang"
need = 5
share = 0.1
size = { distribution = "erlang", phases = 3, mean = 1.0 }
[[classes]]
name = "weibull"
need = 12
share = 0.1
size = { distribution = "weibull", shape = 0.7, mean = 1.0 }
[[classes]]
name = "pareto"
need = 17
share = 0.1
size = { distribution = "bounded_pareto", shape = 1.5, low = 0.3, high = 30.0 }
[arrivals]
process = "renewal"
rate = 2.0
interarrival = { distribution = "uniform", low = 0.1, high = 0.9 }
[run]
jobs = 2_000
[policy]
name = "msf"
[sweep]
policy = ["fcfs", "first_fit", "msf", "static_quickswap", "adaptive_quickswap"]
)"},
    {"rigid_with_everything", R"(
[platform]
servers = [
  { name = "a", count = 3, cores = 4, faults = { to_failure = 20.0, to_repair = 1.0 } },
  { name = "b", count = 2, cores = 2, capacity = 0.5, faults = { to_failure = 20.0, to_repair = 1.0 } },
]
checkpoint_every = 0.2
costs = { set_up = 0.05, dispatch_latency = 0.01, save = 0.02, restore = 0.03, migration = 0.04, bandwidth = 100.0 }
link = { topology = "racks", racks = 2, latency = 0.01, uplink_bandwidth = 1e5 }
decision = { fixed = 0.001, per_job = 0.0005 }
[[classes]]
name = "light"
need = 1
share = 0.7
state = 5.0
size = { distribution = "exponential", mean = 1.0 }
[[classes]]
name = "heavy"
need = 9
share = 0.3
state = 20.0
servers = ["b", "a"]
size = { distribution = "hyperexponential", mean = 1.0, scv = 4.0 }
[arrivals]
rate = 2.0
[run]
jobs = 2_000
[policy]
name = "fcfs"
[sweep]
policy = ["fcfs", "first_fit", "msf", "static_quickswap", "adaptive_quickswap"]
)"},
    {"pooled_with_everything", R"(
[platform]
servers = [
  { name = "a", cores = 2, faults = { to_failure = 20.0, to_repair = 1.0 } },
  { name = "b", capacity = 0.5 },
  { name = "c", faults = { to_failure = 10.0, to_repair = 1.0 } },
  { name = "d" },
]
checkpoint_every = 0.2
costs = { set_up = 0.05, dispatch_latency = 0.01, save = 0.02, restore = 0.03, migration = 0.04, bandwidth = 100.0 }
link = { topology = "fat_tree", ports = 8, latency = 0.001, bandwidth = 1e4, message_bytes = 16 }
decision = { fixed = 0.001, per_job = 0.0005 }
timers = { law = "deterministic", tick = 0.1 }
[[classes]]
name = "two"
need = 1
share = 0.6
state = 5.0
servers = { random = 2 }
size = { distribution = "exponential", mean = 1.0 }
[[classes]]
name = "shared"
need = 1
share = 0.4
servers = ["a", "b"]
size = { distribution = "deterministic", value = 1.0 }
[arrivals]
rate = 1.5
[run]
jobs = 2_000
[policy]
name = "fcfs_pooled"
[sweep]
policy = [
  { name = "fcfs_pooled" },
  { name = "balanced_fair", interruptions_per_job = 5.0 },
  { name = "balanced_fair", theta = 1.0 },
]
)"},
    {"slotted_with_everything", R"(
[platform]
servers = [
  { name = "a", count = 2, cores = 2, faults = { to_failure = 20.0, to_repair = 1.0 } },
  { name = "b", count = 2, faults = { to_failure = 2.0, to_repair = 1.0 } },
]
slot = 1.0
costs = { set_up = 0.05, dispatch_latency = 0.01, save = 0.02, restore = 0.03, migration = 0.04, epsilon = 0.05 }
link = { latency = 0.02 }
decision = { fixed = 0.001, per_job = 0.0005 }
[[classes]]
name = "vip"
units = 4
share = 0.3
value = 10.0
state = 5.0
utility = { function = "logarithmic", steepness = 5.0 }
deadline = { distribution = "two_valued", tight = 0, loose = 9 }
[[classes]]
name = "free"
units = 3
share = 0.7
utility = { function = "linear" }
deadline = { distribution = "uniform", from = 0, to = 6 }
[arrivals]
rate = 2.5
[run]
jobs = 1_000
[policy]
name = "ispeed"
[sweep]
policy = [
  { name = "ispeed" },
  { name = "ispeed", gain = "literal" },
  { name = "fifo" },
  { name = "edf" },
  { name = "equal_partitioning" },
  { name = "equal_partitioning", share = "fractional" },
]
)"},
};

inline std::vector<std::filesystem::path> shipped_scenarios(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Settings under which a scenario has few jobs, where it has many, and few points; finite arrivals are few as they
/// are. What differs in what goes over the sockets stays: policies, costs, interruptions, graphs.
inline std::vector<std::string> small_size(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream read;
  read << in.rdbuf();
  const std::string text = read.str();
  const auto has = [&](const std::string& words, std::size_t from) { return text.find(words, from) != text.npos; };
  std::vector<std::string> settings{"run.replications=1"};
  if (has("\njobs = ", text.find("\n[run]"))) settings.emplace_back("run.jobs=1000");
  for (const char* setting :
       {"arrivals.load=0.8", "arrivals.rate=4", "arrivals.slots=20", "platform.costs.epsilon=0.05",
        "policy.interruptions_per_job=5", R"(classes.*.size={ distribution = "exponential", mean = 1.0 })",
        R"(classes.job.size={ distribution = "exponential", mean = 1.0 })",
        R"(classes.*.utility.function="bing_search")", R"(classes.free.utility.function="bing_search")"}) {
    std::string key = setting;
    key.resize(key.find('='));
    if (has("\"" + key + "\" = ", text.find("\n[sweep]"))) settings.emplace_back(setting);
  }
  return settings;
}

}  // namespace muster
