#pragma once

#include <cstdint>
#include <vector>

#include "platform/model/synthetic_workload.h"
#include "tests/scenario/sample.h"

namespace muster {

/// The first jobs of a scenario.
inline std::vector<job_request> drawn_jobs(const scenario& model, std::size_t jobs, std::uint32_t replication = 0) {
  const auto source = make_workload(model, replication);
  std::vector<job_request> all(jobs);
  for (job_request& job : all) source->next(job);
  return all;
}

/// How many jobs arrive in each of the successive spans of a length, in units of time.
inline std::vector<double> counts_of_arrivals(const scenario& model, double length, std::size_t spans,
                                              std::uint32_t replication = 0) {
  const auto source = make_workload(model, replication);
  std::vector<double> counts(spans);
  const ticks span = model.unit.to_ticks(length);
  job_request job;
  for (source->next(job); job.arrival / span < spans; source->next(job)) ++counts[job.arrival / span];
  return counts;
}

}  // namespace muster
