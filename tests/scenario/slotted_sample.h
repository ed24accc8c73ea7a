#pragma once

#include <string>

#include "tests/scenario/sample.h"

namespace muster {

/// A finite population of slotted jobs in two classes.
inline const std::string slotted_sample = R"(name = "slotted"
[platform]
servers = [ { name = "machine", count = 100 } ]
slot = 0.5
costs = { epsilon = 0.05 }
[[classes]]
name = "free"
units = 50
utility = { function = "logarithmic", steepness = 10.0 }
initialisation = 0.1
deadline = { distribution = "two_valued", tight = 1, loose = 100, tight_share = 0.25 }
jobs = 380
[[classes]]
name = "vip"
units = 20
value = 100
deadline = { distribution = "uniform", from = 1, to = 10 }
jobs = 20
[arrivals]
process = "uniform"
slots = 20
[policy]
name = "ispeed"
)";

/// An endless stream of slotted jobs.
inline const std::string slotted_stream = R"(name = "stream"
[platform]
servers = [ { name = "machine", count = 100 } ]
[[classes]]
name = "free"
units = 50
share = 1.0
[arrivals]
load = 0.5
[policy]
name = "fifo"
)";

/// Slotted jobs from jobs.csv.
inline const std::string list_sample = R"(name = "listed"
[platform]
servers = [ { name = "machine", count = 2 } ]
[[classes]]
name = "job"
[arrivals]
process = "list"
file = "jobs.csv"
[policy]
name = "ispeed"
)";

}  // namespace muster
