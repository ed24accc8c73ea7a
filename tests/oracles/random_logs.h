#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backfilling.h"

namespace muster::oracle {

/// The user of jobs of which it is not known who submits them; they count as one user's.
constexpr std::uint32_t unknown_user = ~std::uint32_t{0};

/// A cluster and the jobs that it gets.
struct random_log {
  backfill_cluster cluster;
  std::vector<backfill_job> jobs;
  /// The first server of each group of servers that are alike. A need may be confined to some groups, in any order.
  std::vector<std::size_t> groups;

  /// The groups that a need may use, in its order.
  std::vector<std::size_t> groups_of(const backfill_need& need) const;
};

/// A log of 60 to 120 jobs with bursts of arrivals at one instant, arrivals at the instants of ends, five users, jobs
/// without one, and estimates that are exact, too long by a factor, rounded up to a few values, or too short. Arrivals
/// and sizes are multiples of ten ticks. The same for each seed.
/// @param resources of the servers: 1: a single server, of which only the cores count; 2: up to three groups of up to
/// three servers with memory too; 3: and with devices of two parts, and licences and devices of the cluster
random_log make_random_log(std::uint64_t seed, unsigned resources);

/// Adds outages to a random log, up to four of each server, at multiples of ten ticks: some that are known beforehand
/// and some that are not, some in which servers drain and some in which they fail. Of a log of cores alone, they are
/// known outages of up to four parts of the cores, which drain.
void add_outages(random_log& log, std::uint64_t seed);

}  // namespace muster::oracle
