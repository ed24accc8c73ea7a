#pragma once

#include "muster/modules/scheduler/services/allocations.h"
#include "muster/modules/scheduler/services/service_for.h"
#include "muster/policies/pooled_policy.h"

namespace muster {

/// The service of pooled jobs. A job has whole servers, which join it by the policy's decisions. When a server
/// interrupts the job, all its slices are stopped; when the last one has ended, the job goes back to the end of the
/// queue. The same happens when a server fails, and the job then loses its work since the latest checkpoint or the
/// latest saved state.
class pooled_service final : public service_for<pooled_policy>, private pooled_work_prefetcher {
 public:
  pooled_service(const scheduler_parts& parts, pooled_policy& rules);

  /// Whether these are the numbers of the servers that the job has drawn; none where its class does not draw servers.
  bool has_length(const job_descriptor& work, std::uint64_t behind) const override;
  bool accepts(const tlm::tlm_generic_payload& p, const job_descriptor& work) const override;

 private:
  // Functions that are called for each job or slice have all that they call inlined, here, in slice_bank and in
  // slotted_service.
  [[gnu::flatten]] void job_arrives(job_extension& j) override;
  [[gnu::flatten]] void slice_ends(tlm::tlm_generic_payload& p) override;
  void slice_saves(tlm::tlm_generic_payload& p) override;
  [[gnu::flatten]] void join(const job& pooled, group_id servers) override;
  void prefetch_servers_of_next_job(const job_extension& j) const;
  void check_join(const job& pooled, group_id servers) const;
  void dispatch(job_extension& j, const placement& at);
  void interrupt(job_extension& j);
  void fail(job_extension& j);
  void fall_back(job_extension& j);
  void prefetch_for_leaving(const pooled_work& work, prefetch_step step) override;

  allocations allocations_;
  bool servers_fail_ = false;
};

}  // namespace muster
