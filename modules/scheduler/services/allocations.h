#pragma once

#include "muster/modules/scheduler/services/scheduler_parts.h"

namespace muster {

/// The job_allocations of all jobs, where jobs may gain or lose slices before they are complete: adds slices, removes
/// those that have ended, stops them, and finds the servers that hold a job's state.
class allocations {
 public:
  /// @param prefetcher of the jobs' shared work; outlives the jobs; may be null
  explicit allocations(const scheduler_parts& parts, pooled_work_prefetcher* prefetcher = nullptr)
      : parts_(parts), prefetcher_(prefetcher) {}

  /// Begins the allocation of a job that has arrived: it has no slices, and no server holds the job's state.
  job_allocation& begin(job_extension& j);
  /// Adds a slice that draws on the job's shared work, and books its cores.
  /// @return its transaction, ready to be sent
  tlm::tlm_generic_payload& add(job_extension& j, const placement& at, bool fetches_state);
  /// Adds a slice to the slices of the job.
  /// @param fetches_state whether the job has been served before, so that the slice resumes it or fetches its state
  void add(job_extension& j, slice_extension& slice, bool fetches_state);

  /// The outcome of a slice that has ended, when its transaction has returned to the pool.
  struct ended_slice {
    group_id group;
    std::uint64_t server;  ///< server_number() of the server
    bool completed;
    bool holds_state;  ///< whether the server has worked on the job, and so holds its state
    bool failed;
  };
  /// Removes a slice that has ended from the slices of its job, and gives its transaction back.
  ended_slice remove(tlm::tlm_generic_payload& p);

  /// Stops slices of the job, the latest first.
  /// @param count how many, of the slices that have not been stopped already
  /// @param how server_register::stop, or release where no state need be saved
  [[gnu::flatten]] void stop(job_extension& j, order_sink& orders, std::size_t count = ~std::size_t{0},
                             std::uint64_t how = server_register::stop);

  /// Stops all slices of several jobs, which stop together.
  /// @param jobs each leaves for its `reason`
  void stop_all(const std::vector<job_extension*>& jobs, order_sink& orders);

  /// The part of completed work that survives the failure of a server, by the scheduler's checkpoint setting.
  ticks at_checkpoint(ticks work) const;

 private:
  void send_stops(job_extension& j, order_sink& orders, std::size_t count, std::uint64_t how);

  scheduler_parts parts_;
  pooled_work_prefetcher* prefetcher_;
};

}  // namespace muster
