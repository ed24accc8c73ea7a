#pragma once

#include "muster/modules/scheduler/services/allocations.h"
#include "muster/modules/scheduler/services/rigid_service.h"

namespace muster {

/// The service of rigid jobs that may lose their cores before they are complete: as a server fails, or as the policy
/// preempts them. A job that loses a slice loses them all, and waits again.
///
/// A job that is preempted keeps the work for which all its slices have run, which its servers save. The same servers
/// need only restore it when the job is resumed there, others must fetch it. A job that is killed, or has lost a
/// server, keeps the work up to its latest checkpoint, and no less than had been saved before. A job that is killed for
/// good leaves as if it were complete.
class recovering_rigid_service : public rigid_service {
 public:
  recovering_rigid_service(const scheduler_parts& parts, rigid_policy& rules);

  void happens(scheduler_event kind, tlm::tlm_generic_payload* transaction) final;

 protected:
  void start(const job& waiting) override;
  void send_placed(job_extension& j, unsigned slices) final;
  void slice_ends(tlm::tlm_generic_payload& p) override;

 private:
  void job_arrives(job_extension& j) final;
  void take_cores(const job& running, queue_place where, leaves_for reason) final;

  void fail(job_extension& j);
  void leave_cores(job_extension& j, ticks duration);
  void keep_work(job_extension& j, ticks duration);
  void has_left(job_extension& j);
  void jobs_have_left() final;
  void stop_preempted();

  allocations allocations_;
  std::vector<job_extension*> preempted_;   // jobs whose slices are to be stopped
  std::vector<job_extension*> stopping_;    // jobs whose slices are being stopped
  std::vector<job_extension*> left_;        // jobs for which the policy is to be called
  std::vector<job_extension*> batch_;       // jobs for which the policy is being called
  const job_extension* failing_ = nullptr;  // job whose slices are being stopped, as one has failed
  ticks latest_ = 0;                        // instant of the latest batch
  unsigned times_at_once_ = 0;              // number of batches at that instant
};

}  // namespace muster
