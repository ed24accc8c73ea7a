#pragma once

#include "preemptive_queue.h"

namespace muster::oracle {

/// Budgets of time in service, overhead included.
struct kill_budgets {
  /// Ticks of the first round, by class.
  std::vector<double> first;
  /// From round to round.
  double growth = 2.0;
};

/// Rigid jobs that are killed and begin anew, job by job, with all searches written out.
///
/// Jobs take cores as in `serve_preemptively` and pay dispatch latency and set-up at each start. They start in the
/// order of round, then of arrival; one that does not fit holds back those behind it. A budget, in whole ticks and at
/// least one, ends when all completions and arrivals of its instant have come. If a job waits then, all whose budgets
/// end are killed: they lose their work, and wait for their next round; if none does, they go on in it, with its
/// budget.
///
/// @param jobs in order of arrival
/// @return one entry per job
std::vector<preemptive_outcome> serve_and_kill(const std::vector<preemptive_job>& jobs,
                                               const std::vector<preemptive_class>& classes,
                                               const std::vector<preemptive_servers>& servers,
                                               const preemption_costs& costs, const kill_budgets& budgets);

}  // namespace muster::oracle
