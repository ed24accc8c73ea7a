#pragma once

#include <cstddef>

#include "muster/modules/source/job_source.h"
#include "platform/model/scenario.h"

namespace muster {

/// The slotted jobs of a scenario's list, the same in every replication.
class list_workload final : public workload {
 public:
  /// @param what with arrivals of process list; outlives the jobs
  explicit list_workload(const scenario& what) : jobs_(what.arrivals.list), slot_(what.unit.to_ticks(what.slot)) {}

  bool next(job_request& job) override;

 private:
  const std::vector<listed_job>& jobs_;
  ticks slot_;
  std::size_t at_ = 0;
};

}  // namespace muster
