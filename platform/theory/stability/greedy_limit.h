#pragma once

#include <vector>

namespace muster {

/// The gap between what is known to be stable and what is known to be unstable, as multiples of the loads.
struct stability_gap {
  double stable_below = 0.0;
  double unstable_from = 0.0;  ///< under any policy
};

/// Whether admission may stop for a while although jobs wait that fit, see stability_rule::greedy_with_drains.
enum class drains { never, sometimes };

/// Computes how far a policy is stable under which no job waits that fits, and freed cores go to larger jobs first or
/// to those that have waited longer (MSF, First-Fit); with drains, Adaptive Quickswap.
///
/// The conditions are derived here from fluid limits (Dai, "On positive Harris recurrence of multiclass queueing
/// networks", 1995). Let a set of classes have long queues and the others, the short ones, none to speak of, and let j
/// be the smallest need of those with long queues. The policy is stable if the cores in service exceed the load in each
/// such state:
///
/// - Fewer than need j cores are idle, as jobs of j wait: the load must be below cores - need_j + 1. (Without drains.)
/// - If the needs from j up are multiples of need j, the cores that they do not hold become fewer by need j whenever
///   the classes below j leave need j of them idle, and never more: cores that such a job frees go to such jobs first.
///   The classes below j, if stable on these cores alone, leave them all from time to time (each arrival draws its
///   class, so that any time may pass without one of theirs). In the end the classes from j up hold all cores but r =
///   cores mod need_j, and it suffices that their load is below cores - r; under any policy it must be. If on some
///   number of cores the classes below j are not stable, their queues do not stay short there: that state does not
///   last. Where it is not known whether they are stable on some number of cores, the first condition remains.
///
/// With needs of which each divides the next larger, and the largest all cores (one-or-all, powers of 2), nothing is
/// left open: stable up to load 1. The times for which cores are held may have any law of finite mean; but all cores of
/// a job must come free at once, or smaller jobs take the first of them.
/// @param needs cores of a job, by class; from 1 to `cores`
/// @param loads mean jobs in service, by class, > 0
stability_gap greedy_limit(unsigned cores, const std::vector<unsigned>& needs, const std::vector<double>& loads,
                           drains admission);

}  // namespace muster
