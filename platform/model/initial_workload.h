#pragma once

#include <cstdint>
#include <memory>

#include "muster/modules/source/workload.h"
#include "platform/model/scenario.h"

namespace muster {

/// The jobs that run or wait at time 0, and behind them those of an endless process, of which none arrives before a
/// step of the clock has passed.
class initial_workload final : public workload {
 public:
  /// @param model with arrival_spec::initial_jobs
  /// @param behind the jobs of the process
  initial_workload(const scenario& model, std::uint32_t replication, std::unique_ptr<workload> behind);
  ~initial_workload() override;

  bool next(job_request& job) override;
  std::string_view fixes_arrivals() const override { return behind_->fixes_arrivals(); }

 private:
  std::unique_ptr<const scenario> initial_model_;  // whose only jobs are the initial ones
  std::unique_ptr<workload> initial_;              // null: all of them have arrived
  std::unique_ptr<workload> behind_;
};

}  // namespace muster
