#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "muster/modules/source/workload.h"
#include "platform/model/scenario.h"

namespace muster {

/// The rigid or pooled jobs of a list as they are submitted.
class listed_requests {
 public:
  explicit listed_requests(const scenario& model);

  std::size_t size() const { return jobs_->size(); }
  /// When a job arrives, as the list says.
  ticks arrival(std::size_t place) const { return unit_.to_ticks((*jobs_)[place].arrival); }
  /// Writes a job into a request.
  void write(std::size_t place, job_request& job) const {
    const timed_job& listed = (*jobs_)[place];
    job.arrival = unit_.to_ticks(listed.arrival);
    job.type = ids_[listed.type];
    job.size = std::max<ticks>(1, unit_.to_ticks(listed.size));
    job.need = listed.need;
    job.estimate = listed.requested > 0.0 ? std::max<ticks>(1, unit_.to_ticks(listed.requested)) : 0;
    job.user = listed.user;
    job.listed = static_cast<std::uint32_t>(place);
  }
  const time_unit& unit() const { return unit_; }

 private:
  std::shared_ptr<const timed_jobs> jobs_;
  time_unit unit_;
  std::vector<class_id> ids_;  // by the place of the class in the scenario
};

}  // namespace muster
