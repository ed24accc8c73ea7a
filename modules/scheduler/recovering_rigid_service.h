#pragma once

#include "muster/modules/scheduler/allocations.h"
#include "muster/modules/scheduler/rigid_service.h"

namespace muster {

/// Rigid jobs on servers that may fail: a job that loses a slice loses them all, and its work since the latest
/// checkpoint. It then waits again, in the order of arrival.
class recovering_rigid_service final : public rigid_service {
 public:
  recovering_rigid_service(const scheduler_parts& parts, policy& rules);

 private:
  void job_arrives(job_extension& j) override;
  void start(const job& waiting) override;
  void slice_ends(tlm::tlm_generic_payload& p) override;
  void fail(job_extension& j);

  allocations allocations_;
};

}  // namespace muster
