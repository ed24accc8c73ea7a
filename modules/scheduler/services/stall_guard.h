#pragma once

#include <cstdint>
#include <string>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/scheduler/allocation/core_allocator.h"
#include "muster/policies/cluster_state.h"

namespace muster {

/// Receives the stall of a run: jobs are in service, none of them makes progress, and as far as can be told none will.
class stall_observer {
 public:
  /// The run stalls. @param why such as "all core time of 100000 slots has gone into overhead"
  virtual void work_stalls(const std::string& why) = 0;

 protected:
  ~stall_observer() = default;
};

/// Finds runs that would not end, as no job makes progress.
class stall_guard {
 public:
  /// @param state, cores outlive the guard
  stall_guard(const timekeeper& time, const cluster_state& state, const core_allocator& cores)
      : time_(time), state_(state), cores_(cores) {}

  /// Sets who receives stalls; without an observer a stall is a fault. @param observer outlives the guard
  void report_to(stall_observer& observer) { observer_ = &observer; }
  [[gnu::cold]] void report(const std::string& why) const;

  /// Counts an arrival for which the policy has been called. Too many arrivals in a row at which no job is in service
  /// are a fault.
  void arrival_is_processed() {
    if (state_.in_service() > 0)
      idle_arrivals_ = 0;
    else
      count_idle_arrival();
  }
  /// Counts the failure of a server. @param completed jobs so far
  void server_fails(std::uint64_t completed);

 private:
  [[gnu::noinline]] void count_idle_arrival();

  const timekeeper& time_;
  const cluster_state& state_;
  const core_allocator& cores_;
  stall_observer* observer_ = nullptr;
  std::uint64_t idle_arrivals_ = 0;     // arrivals since the cluster last had a job in service
  std::uint64_t failures_ = 0;          // failures of servers in a row, without a completion
  std::uint64_t completed_before_ = 0;  // jobs completed at the latest failure
};

}  // namespace muster
