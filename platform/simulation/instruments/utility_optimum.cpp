#include "platform/metrics/replication_result.h"
#include "platform/simulation/instrument_entry.h"
#include "platform/theory/slotted/optimal_utility.h"

namespace muster {

namespace {

/// Adds the most utility that the jobs could have earned, and its ratio to what they have earned.
void add_optimum(const observed_replication& replication, replication_result& result) {
  const std::uint64_t jobs = replication.jobs.completed();
  const auto utility = static_cast<double>(replication.jobs.counts().utility);
  const double optimum = optimum_of(replication.point, replication.number);
  result.add("all", "optimal_utility", optimum, jobs);
  result.add("all", "competitive_ratio", optimum / utility, jobs, utility > 0.0);
  if (utility == 0.0 && optimum > 0.0)
    result.notes.push_back({"competitive_ratio has no estimate: no job has earned anything"});
}

}  // namespace

extern const instrument_entry utility_optimum_instrument{
    instrument_order::optimum_rows,
    [](const observed_replication& replication) { return replication.measures("optimal_utility"); },
    add_at_the_end<add_optimum>};

}  // namespace muster
