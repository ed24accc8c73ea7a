#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "muster/policies/job.h"

namespace muster {

/// A job before it is submitted.
struct job_request {
  ticks arrival = 0;  ///< not before the one of the job ahead
  class_id type{};
  ticks size = 1;                        ///< service duration on cores of capacity 1; at least 1
  std::vector<std::uint64_t> servers{};  ///< numbers of the servers drawn, where the class draws them
  /// @name Of a slotted job
  /// @{
  std::optional<std::uint64_t> deadline{};  ///< the last slot in which it may be served, from 1; 0: it has none
  const utility* worth = nullptr;           ///< where each job of the class submits its own; outlives the job
  /// @}
};

/// The jobs that a job source submits: from a random process, a log or a list.
class workload {
 public:
  virtual ~workload() = default;
  /// @return whether there is another job; if so, `job` holds it
  virtual bool next(job_request& job) = 0;
};

}  // namespace muster
