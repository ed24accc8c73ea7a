#pragma once

#include <string>

#include "tests/scenario/sample.h"

namespace muster {

/// A small valid scenario with devices, amounts of servers and of the cluster, and tasks; tests change single words.
inline const std::string resource_sample = R"(name = "resources"
[platform.resources]
gpu = { kind = "devices", shares = 1000 }
memory = { kind = "amount", unit = "B" }
licence = { kind = "amount", of = "cluster", amount = 10 }
[platform]
servers = [
  { name = "node", count = 2, cores = 64, resources = { memory = 256e9, gpu = 4 } },
  { name = "big", cores = 32, resources = { memory = "1 TB" } },
]
[[classes]]
name = "train"
tasks = 3
per_task = { cores = 16, memory = "64 GB", gpu = 2 }
per_job = { licence = 2 }
share = 0.5
size = { distribution = "exponential", mean = 2.0 }
[[classes]]
name = "plain"
need = 8
share = 0.5
size = { distribution = "exponential", mean = 1.0 }
[arrivals]
rate = 0.25
[policy]
name = "fcfs"
[run]
jobs = 1000
)";

/// The sample with the first `from` replaced.
inline std::string with_resources(const std::string& from, const std::string& to) {
  return replaced(resource_sample, from, to);
}

}  // namespace muster
