#pragma once

#include <vector>

#include "platform/model/metric_of_class.h"
#include "platform/model/study.h"
#include "platform/store/study_estimates.h"

namespace muster {

/// The metrics by which policies are judged: `report.metrics`, else those of `run.precision`, else the one that the
/// kind of the jobs makes usual. Those without a better direction are left out.
std::vector<metric_of_class> judged_metrics(const scenario& model);

/// Judges the policies of a study. In each contest every two are compared by the paired difference of their
/// replications, or, where that has no interval or is not stored, by their two intervals, with Holm's correction: a
/// contest declares any two equal policies different with a probability of at most 5 %.
///
/// Where the scenario has bounds (`report.where`), only policies that keep all of them can be best: the 95 % interval
/// of the metric lies within the bound. Those whose interval lies beyond it are excluded.
/// @return a verdict without metrics if no two points differ in their policies alone
verdict judge(const study& s, const study_estimates& all);

}  // namespace muster
