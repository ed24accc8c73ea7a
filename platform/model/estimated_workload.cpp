#include "platform/model/estimated_workload.h"

#include <algorithm>
#include <cmath>

#include "muster/policies/ticks.h"

namespace muster {

namespace {

// A number of ticks times a factor, at least 1, and at most half of the range of the clock.
ticks times(ticks size, double factor) {
  const double exact = std::min(static_cast<double>(size) * factor, static_cast<double>(end_of_clock) / 2.0);
  return std::max<ticks>(1, static_cast<ticks>(std::llround(exact)));
}

}  // namespace

bool estimated_workload::wanted(const arrival_spec& arrivals) {
  using rule = estimate_spec::rule;
  const estimate_spec& e = arrivals.estimates;
  const bool may_have_requests = arrivals.jobs || arrivals.initial_jobs;
  return e.kill || e.from == rule::factor || (e.from == rule::exact && may_have_requests);
}

bool estimated_workload::next(job_request& job) {
  using rule = estimate_spec::rule;
  if (!jobs_->next(job)) return false;
  if (estimates_.from == rule::factor) job.estimate = times(job.size, estimates_.factor);
  job.killed = estimates_.kill && job.estimate > 0 && job.estimate < job.size;
  if (job.killed) job.size = job.estimate;
  if (estimates_.from == rule::exact) job.estimate = 0;
  return true;
}

}  // namespace muster
