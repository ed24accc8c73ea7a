#pragma once

#include "platform/theory/stability/stability.h"

namespace muster {

/// Examines whether a point of pooled jobs is stable, see examine_stability().
stability examine_pooled(const scenario& model);

/// The scenario with servers that never fail, but have the capacity that failures leave them on average.
scenario while_up(scenario model);

/// Examines one cluster with one scheduler, whatever changes while it runs.
using examination = stability (*)(const scenario& model, limit_search search);

/// Examines several schedulers, each with servers of its own.
///
/// Where the dispatching rule does not look at the numbers of jobs, each scheduler is a cluster by itself, with its
/// share of the arrivals, and all of them are stable if and only if each is. Where it looks, the load of all servers
/// together is necessary, and no policy's limit is claimed.
/// @param model with several schedulers
stability examine_schedulers(const scenario& model, limit_search search, examination examine);

/// Takes back what does not hold where the cluster changes while it runs: jobs that exchange data, speeds and rates
/// that change, FMUs that control. What remains is judged anew.
/// @param limits as they are without changes
void limit_by_changes(const scenario& model, stability& limits);

}  // namespace muster
