#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backfilling.h"

namespace muster::oracle {

/// A cluster and the jobs that it gets.
struct random_log {
  backfill_cluster cluster;
  std::vector<backfill_job> jobs;
  /// The first server of each group of servers that are alike. A need may be confined to some groups, in any order.
  std::vector<std::size_t> groups;

  /// The groups that a need may use, in its order.
  std::vector<std::size_t> groups_of(const backfill_need& need) const;
};

/// A log of 60 to 120 jobs with bursts of arrivals at one instant, arrivals at the instants of ends, five users, and
/// estimates that are exact, too long by a factor, rounded up to a few values, or too short. All times are multiples of
/// ten ticks. The same for each seed.
/// @param resources of the servers: 1: a single server, of which only the cores count; 2: up to five servers with
/// memory too; 3: and with devices of two parts, and with licences of the cluster
random_log make_random_log(std::uint64_t seed, unsigned resources);

}  // namespace muster::oracle
