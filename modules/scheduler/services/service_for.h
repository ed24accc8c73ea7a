#pragma once

#include "muster/modules/scheduler/services/job_service.h"

namespace muster {

/// The service of one kind of jobs: calls the policy of that kind with its view, and carries out its orders.
/// @tparam Policy rigid_policy, pooled_policy or slotted_policy
template <class Policy>
class service_for : public job_service, protected Policy::orders {
 public:
  /// @param rules the policy; outlives the service
  service_for(const scheduler_parts& parts, Policy& rules)
      : job_service(parts, rules), policy_(rules), view_(parts.state) {}

 protected:
  void wake_at(ticks at, std::uint32_t cookie) final { wakes_.set(at, cookie); }
  void policy_wakes(std::uint32_t cookie) final {
    ask_policy("woken()", [&] { policy_.woken(cookie, view_, *this); });
  }
  void server_is_repaired(group_id servers) final {
    ask_policy("repaired()", [&] { policy_.repaired(servers, view_, *this); });
  }
  /// Lets a job in service leave the cluster, as it is done.
  void complete(job_extension& j) {
    state_.leave(j);
    ++completed_;
    ask_policy("completed()", [&] { policy_.completed(j, view_, *this); });
    parts_.submissions.answer(j, tlm::TLM_OK_RESPONSE);
  }

  Policy& policy_;
  const typename Policy::view view_;
};

}  // namespace muster
