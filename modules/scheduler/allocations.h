#pragma once

#include "muster/modules/scheduler/job_service.h"

namespace muster {

/// The slices of jobs that may lose some before they are complete: which a job has, which servers hold its state, and
/// how much of its work is safe.
class allocations {
 public:
  /// @param keeper of the jobs' shared work; outlives the jobs
  allocations(const scheduler_parts& parts, pool_keeper& keeper) : parts_(parts), keeper_(keeper) {}

  /// Of a job that has arrived: it has no slice, and nobody holds its state.
  job_extension::pooling& begin(job_extension& j);
  /// A further slice of the job, which draws on its shared work, ready to be sent. Its cores are booked.
  tlm::tlm_generic_payload& add(job_extension& j, const placement& at, bool fetches_state);
  /// A slice becomes one of the job's.
  /// @param fetches_state the job has been served before: the slice resumes it, or brings its state along
  void add(job_extension& j, slice_extension& slice, bool fetches_state);

  /// What is left to know of a slice that has ended.
  struct ended_slice {
    group_id group;
    std::uint64_t server;  ///< among all of the platform
    bool completed, holds_state, failed;
  };
  /// Takes a slice that has ended off its job's, and gives its transaction back.
  ended_slice remove(tlm::tlm_generic_payload& p);

  /// Stops slices of the job, those that came last first.
  /// @param how server_register::stop, or release where nothing need be saved
  void stop(job_extension& j, order_sink& orders, std::size_t count = ~std::size_t{0},
            std::uint64_t how = server_register::stop);

  /// What is safe of work that has been done, on a server that has failed.
  ticks at_checkpoint(ticks work) const;

 private:
  scheduler_parts parts_;
  pool_keeper& keeper_;
};

}  // namespace muster
