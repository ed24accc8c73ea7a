#pragma once

#include <string>
#include <vector>

#include "platform/metrics/estimate.h"
#include "platform/model/scenario.h"

namespace muster {

/// Results of a point that are computed without simulation.
struct theory {
  /// Values by class in the order of the scenario, then of `all`, without replications and intervals. Empty: no answer.
  std::vector<estimate> values;
  std::string about;  ///< a sentence: what the values are and when they are exact, or why there are none

  void add(const std::string& class_name, const std::string& metric, double value) {
    estimate& added = values.emplace_back();
    added.class_name = class_name;
    added.metric = metric;
    added.mean = value;
  }
};

/// Computes what theory knows of a point. Pooled jobs: balanced fairness, in closed form for two classes and for draws
/// among like servers, else by recursion. Rigid jobs on like cores: under FCFS M/M/k, M/G/1 and the chain of few
/// classes; under MSF and MSFQ, one core or all, the exact chain beside the analysis of Section 5 of the Quickswap
/// paper. Slotted jobs: the optimum of finite arrivals, and the bound of ISPEED's competitive ratio.
///
/// Utilization is given where all cores have the same capacity, as only then it follows from the load.
theory known_answer(const scenario& model);

/// The answer for rigid jobs in order of arrival. Jobs of one core: M/M/k by Erlang's C formula, M/G/1 by that of
/// Pollaczek and Khinchine. Other needs, with exponential sizes: the chain of solve_fcfs().
theory first_come_first_served_answer(const scenario& model);

}  // namespace muster
