#include <algorithm>
#include <cmath>
#include <memory>

#include "platform/model/synthetic_workload.h"

namespace muster {

extern const arrival_entry list_arrivals;

namespace {

/// The jobs that run or wait at time 0, and behind them those of an endless process, of which none arrives before a
/// step of the clock has passed.
class initial_workload final : public workload {
 public:
  /// @param model with arrival_spec::initial_jobs
  /// @param behind the jobs of the process
  initial_workload(const scenario& model, std::uint32_t replication, std::unique_ptr<workload> behind)
      : initial_model_(model), behind_(std::move(behind)) {
    initial_model_.arrivals.jobs = model.arrivals.initial_jobs;
    initial_ = list_arrivals.make(initial_model_, replication);
  }

  bool next(job_request& job) override {
    if (initial_) {
      if (initial_->next(job)) return true;
      initial_.reset();
      job = {};  // a process leaves alone what its jobs do not have
    }
    if (!behind_->next(job)) return false;
    job.arrival = std::max<ticks>(job.arrival, 1);
    return true;
  }
  std::string_view fixes_arrivals() const override { return behind_->fixes_arrivals(); }

 private:
  scenario initial_model_;             // whose only jobs are the initial ones
  std::unique_ptr<workload> initial_;  // null: all of them have arrived
  std::unique_ptr<workload> behind_;
};

// A number of ticks times a factor, at least 1, and at most half of the range of the clock.
ticks times(ticks size, double factor) {
  const double exact = std::min(static_cast<double>(size) * factor, static_cast<double>(end_of_clock) / 2.0);
  return std::max<ticks>(1, static_cast<ticks>(std::llround(exact)));
}

/// The rigid jobs of another workload with the estimates that a scenario asks for, cut to their requests or estimates
/// where they are killed at them. The other workload states the request of each job that has one as its estimate.
class estimated_workload final : public workload {
 public:
  /// Whether the scenario asks for anything that its jobs do not bring.
  static bool wanted(const arrival_spec& arrivals) {
    const estimate_spec& e = arrivals.estimates;
    const bool may_have_requests = arrivals.jobs || arrivals.initial_jobs;
    return e.kill || e.from == rule::factor || (e.from == rule::exact && may_have_requests);
  }

  estimated_workload(std::unique_ptr<workload> jobs, const estimate_spec& estimates)
      : jobs_(std::move(jobs)), estimates_(estimates) {}

  bool next(job_request& job) override {
    if (!jobs_->next(job)) return false;
    if (estimates_.from == rule::factor) job.estimate = times(job.size, estimates_.factor);
    job.killed = estimates_.kill && job.estimate > 0 && job.estimate < job.size;
    if (job.killed) job.size = job.estimate;
    if (estimates_.from == rule::exact) job.estimate = 0;
    return true;
  }
  std::string_view fixes_arrivals() const override { return jobs_->fixes_arrivals(); }
  workload_feedback* feedback() override { return jobs_->feedback(); }

 private:
  using rule = estimate_spec::rule;

  std::unique_ptr<workload> jobs_;
  estimate_spec estimates_;
};

}  // namespace

std::unique_ptr<workload> make_workload(const scenario& model, std::uint32_t replication) {
  const auto make = model.arrivals.entry->make;
  std::unique_ptr<workload> jobs =
      make ? make(model, replication) : std::make_unique<synthetic_workload>(model, replication);
  if (model.arrivals.initial_jobs) jobs = std::make_unique<initial_workload>(model, replication, std::move(jobs));
  if (!estimated_workload::wanted(model.arrivals)) return jobs;
  return std::make_unique<estimated_workload>(std::move(jobs), model.arrivals.estimates);
}

}  // namespace muster
