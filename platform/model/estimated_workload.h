#pragma once

#include <memory>

#include "muster/modules/source/workload.h"
#include "platform/model/scenario.h"

namespace muster {

/// The rigid jobs of another workload with the estimates that a scenario asks for, cut to their requests or estimates
/// where they are killed at them. The other workload states the request of each job that has one as its estimate.
class estimated_workload final : public workload {
 public:
  /// Whether the scenario asks for anything that its jobs do not bring.
  static bool wanted(const arrival_spec& arrivals);

  explicit estimated_workload(std::unique_ptr<workload> jobs, const estimate_spec& estimates)
      : jobs_(std::move(jobs)), estimates_(estimates) {}

  bool next(job_request& job) override;
  std::string_view fixes_arrivals() const override { return jobs_->fixes_arrivals(); }
  workload_feedback* feedback() override { return jobs_->feedback(); }

 private:
  std::unique_ptr<workload> jobs_;
  estimate_spec estimates_;
};

}  // namespace muster
