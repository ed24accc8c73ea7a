#pragma once

#include "muster/modules/scheduler/accounting/time_account.h"
#include "platform/metrics/class_record.h"
#include "platform/metrics/instrument.h"
#include "platform/simulation/cluster_hardware.h"
#include "platform/simulation/job_statistics.h"

namespace muster {

/// Adds up the parts of the times of completed jobs, and completes those times for the instruments that are told later.
class time_recorder : public instrument {
 public:
  /// @param simulated has the accounts @param jobs tells which jobs are measured; both outlive the recorder
  time_recorder(std::size_t classes, cluster_hardware& simulated, const job_statistics& jobs)
      : sums_(classes),
        jobs_(jobs),
        simulated_(simulated),
        only_(simulated.schedulers().size() == 1 ? simulated.central.times() : nullptr) {}
  const time_sums& sums() const { return sums_; }

  void window_opens(ticks) override { sums_.clear(); }
  void job_completes(ticks now, const job_extension& job) override;

 protected:
  time_sums sums_;
  const job_statistics& jobs_;

 private:
  cluster_hardware& simulated_;
  time_account* only_;  // null: there are several schedulers
};

}  // namespace muster
