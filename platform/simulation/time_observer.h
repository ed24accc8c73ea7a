#pragma once

#include "muster/modules/scheduler/time_account.h"
#include "muster/modules/source/job_observer.h"
#include "platform/metrics/time_sums.h"

namespace muster {

/// Where jobs' times are explained: adds up the times of the jobs that complete. It observes in place of others, and
/// passes on to them what it receives.
class time_observer final : public job_observer {
 public:
  /// @param jobs receives jobs whose times are complete; outlives the observer
  time_observer(std::size_t classes, job_observer& jobs) : sums_(classes), jobs_(jobs) {}
  /// Before the simulation.
  void connect(time_account& account) { account_ = &account; }
  time_sums& sums() { return sums_; }

  void job_arrives(ticks now, const job_extension& job) override { jobs_.job_arrives(now, job); }
  void job_completes(ticks now, const job_extension& job) override;

 private:
  time_sums sums_;
  job_observer& jobs_;
  time_account* account_ = nullptr;
};

}  // namespace muster
