#pragma once

#include "platform/metrics/estimate.h"
#include "platform/model/scenario.h"

namespace muster {

/// Whether a few jobs dominate an estimate in a run of any length. Such are:
/// - the mean of response time over size, where sizes have many small values (probability_law::small_times);
/// - a mean of times, of jobs in the system or their service rate, where the third moment of some class's sizes is
///   infinite: the waiting time of M/G/1 has no finite variance then (Kleinrock, Queueing Systems I, 1975, 5.7).
bool is_heavy_mean(const estimate& e, const scenario& study_point);

}  // namespace muster
