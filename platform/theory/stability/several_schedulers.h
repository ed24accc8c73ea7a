#pragma once

#include "platform/theory/stability/stability.h"

namespace muster {

/// Examines one cluster with one scheduler, whatever changes while it runs.
using examination = stability (*)(const scenario& model, limit_search search);

/// Examines several schedulers, each with servers of its own.
///
/// Where the dispatching rule does not look at the numbers of jobs, each scheduler is a cluster by itself, with its
/// share of the arrivals, and all of them are stable if and only if each is. Where it looks, the load of all servers
/// together is necessary, and no policy's limit is claimed.
/// @param model with several schedulers
stability examine_schedulers(const scenario& model, limit_search search, examination examine);

}  // namespace muster
