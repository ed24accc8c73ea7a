#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/scheduler/services/rigid_service.h"
#include "muster/modules/scheduler/services/shared_holdings.h"

namespace muster {

/// The service of rigid jobs on servers that several schedulers share. It plans optimistically: what the policy sees as
/// free is what neither this scheduler holds nor the others are known to hold. A dispatch is refused if others have
/// taken some of its cores first. The job then waits again, at its place by arrival, the scheduler learns what is held
/// now, and the policy is called as for a job that a failure has interrupted.
///
/// While jobs wait, cores that others give back are an event. Those of one instant are one event, and so are those that
/// come while decisions take time.
class sharing_rigid_service final : public rigid_service, private holdings_observer, private timer_observer {
 public:
  sharing_rigid_service(const scheduler_parts& parts, rigid_policy& rules, shared_holdings& holdings);

 private:
  void job_arrives(job_extension& j) override;
  void slice_ends(tlm::tlm_generic_payload& p) override;
  void others_change() override;
  void others_take(const placement& at) override;
  void others_give_back(const placement& at) override;
  void expired(ticks, std::uint32_t) override;

  void put_back(job_extension& j);
  bool give_back(placement at);

  shared_holdings& holdings_;
  bool looks_ = false;  // an event is under way at which the policy looks at what others have given back
  // Cores of a server that are held twice, by this scheduler or on the way to be, and by others; by server_number().
  std::unordered_map<std::uint64_t, std::uint32_t> held_twice_;
  std::vector<std::pair<const job_extension*, placement>> refused_;  // slices of jobs of which others are to come back
};

}  // namespace muster
