#pragma once

#include "muster/modules/scheduler/accounting/time_account.h"
#include "platform/metrics/class_record.h"
#include "platform/metrics/instrument.h"
#include "platform/simulation/job_statistics.h"

namespace muster {

/// Adds up the parts of the times of completed jobs, and completes those times for the instruments that are told later.
class time_recorder : public instrument {
 public:
  /// @param account of the scheduler @param jobs tells which jobs are measured; both outlive the recorder
  time_recorder(std::size_t classes, time_account& account, const job_statistics& jobs)
      : sums_(classes), jobs_(jobs), account_(account) {}
  const time_sums& sums() const { return sums_; }

  void window_opens(ticks) override { sums_.clear(); }
  void job_completes(ticks now, const job_extension& job) override;

 protected:
  time_sums sums_;
  const job_statistics& jobs_;

 private:
  time_account& account_;
};

}  // namespace muster
