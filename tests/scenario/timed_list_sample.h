#pragma once

#include <string>

#include "tests/scenario/sample.h"

namespace muster {

/// Rigid jobs from jobs.csv, on eight cores.
inline const std::string timed_list_sample = R"(name = "listed"
[platform]
servers = [ { name = "node", count = 2, cores = 4 } ]
[[classes]]
name = "job"
[arrivals]
process = "list"
file = "jobs.csv"
[policy]
name = "fcfs"
)";

/// Jobs of tasks from jobs.csv, of two classes, one of which declares what its tasks need.
inline const std::string task_list_sample = R"(name = "listed"
[platform.resources]
gpu = { kind = "devices", shares = 4 }
memory = { kind = "amount", unit = "B" }
licence = { kind = "amount", of = "cluster", amount = 2 }
[platform]
servers = [
  { name = "node", count = 2, cores = 8, resources = { memory = "64 GB", gpu = 2 } },
  { name = "big", cores = 16, resources = { memory = "32 GB" } },
]
[[classes]]
name = "plain"
need = 3
[[classes]]
name = "train"
tasks = 2
per_task = { cores = 2, gpu = 1 }
[arrivals]
process = "list"
file = "jobs.csv"
[policy]
name = "fcfs"
)";

}  // namespace muster
