#pragma once

#include "muster/modules/scheduler/accounting/time_account.h"
#include "platform/metrics/class_record.h"
#include "platform/metrics/instrument.h"

namespace muster {

/// Adds up the parts of the times of completed jobs, and completes those times for the instruments that are told later.
class time_recorder final : public instrument {
 public:
  /// @param by_resource whether there are resources beside cores
  /// @param account of the scheduler; outlives the recorder
  time_recorder(std::size_t classes, bool by_resource, time_account& account)
      : sums_(classes), by_resource_(by_resource), account_(account) {}
  const time_sums& sums() const { return sums_; }

  void window_opens(ticks) override { sums_.clear(); }
  void job_completes(ticks now, const job_extension& job) override;

 private:
  time_sums sums_;
  bool by_resource_;
  time_account& account_;
};

}  // namespace muster
