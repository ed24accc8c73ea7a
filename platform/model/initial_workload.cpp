#include "platform/model/initial_workload.h"

#include <algorithm>
#include <utility>

namespace muster {

extern const arrival_entry list_arrivals;

namespace {

scenario with_initial_jobs_alone(scenario model) {
  model.arrivals.jobs = model.arrivals.initial_jobs;
  return model;
}

}  // namespace

initial_workload::initial_workload(const scenario& model, std::uint32_t replication, std::unique_ptr<workload> behind)
    : initial_model_(std::make_unique<const scenario>(with_initial_jobs_alone(model))),
      initial_(list_arrivals.make(*initial_model_, replication)),
      behind_(std::move(behind)) {}

initial_workload::~initial_workload() = default;

bool initial_workload::next(job_request& job) {
  if (initial_) {
    if (initial_->next(job)) return true;
    initial_.reset();
    job = {};  // a process leaves alone what its jobs do not have
  }
  if (!behind_->next(job)) return false;
  job.arrival = std::max<ticks>(job.arrival, 1);
  return true;
}

}  // namespace muster
