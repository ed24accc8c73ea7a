#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "muster/policies/utility.h"
#include "platform/model/scenario.h"

namespace muster {

/// A slotted job of a schedule that is computed with all arrivals known in advance.
struct offline_job {
  std::uint64_t arrival = 1;   ///< first slot in which it may be served
  std::uint64_t deadline = 0;  ///< the last one; 0: none; before the arrival: it is never served
  const utility* worth = nullptr;
};

/// The greatest total utility that any schedule can give the jobs, the future known: the optimum of equation 1 of the
/// ISPEED paper, without costs, on cores that each do a unit of work in a slot.
///
/// The utility is a concave function over the units that slots can take, a polymatroid. It is maximised by Groenevelt's
/// decomposition ("Two algorithms for maximizing a separable concave function over a polymatroid feasible region",
/// 1991), with a maximum flow of units into slots for each cut. The number of rounds is the logarithm of the number of
/// gains.
/// @param jobs of concave utility, in any order
/// @param cores in each slot; 0: nothing is served
/// @throws std::invalid_argument for a job whose utility is not concave: its units are worth something only after
/// others, which no flow can tell
double optimal_utility(const std::vector<offline_job>& jobs, std::uint64_t cores);

/// The optimal utility of the jobs of a replication.
/// @param model has an optimum
double optimum_of(const scenario& model, std::uint32_t replication);

/// The most that the optimum of the jobs can be of what ISPEED attains, whatever their deadlines: 2 + alpha, the
/// largest shape parameter among them (ISPEED paper, Theorem 2). The bound holds with whole units and without costs,
/// whether ISPEED goes by the gain of the next unit or by the largest mean gain.
/// @return none if no number bounds it
std::optional<double> competitive_bound(const std::vector<const utility*>& jobs);

}  // namespace muster
