#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/scheduler/services/rigid_service.h"

namespace muster {

/// A service of rigid jobs whose slices may end at different instants, see scheduler_settings::slices_end_apart. When a
/// slice has ended and others of its job go on, the policy is called for the cores that are free: once for all such
/// slices of an instant, behind its completions, arrivals and the policy's own timers, so that a job all of whose
/// slices end at one instant makes no difference.
/// @tparam Service rigid_service or a class derived from it
template <class Service>
class service_of_slices_apart final : public Service, private timer_observer {
 public:
  template <class... Arguments>
  explicit service_of_slices_apart(const scheduler_parts& parts, rigid_policy& rules, Arguments&&... more)
      : Service(parts, rules, std::forward<Arguments>(more)...) {}

 private:
  void slice_ends(tlm::tlm_generic_payload& p) final {
    const std::uint64_t id = dispatch_port::slice(p).holder->id;
    const unsigned open = dispatch_port::slice(p).holder->own.open_slices;
    if (open > 1 && (begun_.empty() || begun_.back() != id)) begin(id);
    if (open == 1 && !begun_.empty()) begun_.erase(std::remove(begun_.begin(), begun_.end(), id), begun_.end());
    Service::slice_ends(p);
  }

  // Notes that slices of a job have ended, and others have not yet.
  void begin(std::uint64_t id) {
    begun_.push_back(id);
    if (std::exchange(armed_, true)) return;
    this->time_.arm(this->time_.now(), timer_rank::cores_freed, *this, 0);
  }
  void expired(ticks, std::uint32_t) override {
    armed_ = false;
    if (!begun_.empty()) this->events_->happens(scheduler_event::cores_freed, nullptr);
  }
  void cores_freed() final {
    begun_.clear();
    if (this->state_.anyone_waits())
      this->ask_policy("cores_freed()", [&] { this->policy_.cores_freed(this->view_, *this); });
  }

  std::vector<std::uint64_t> begun_;  // jobs some of whose slices have ended since the policy was last called for them
  bool armed_ = false;                // whether the end of the present instant is awaited
};

}  // namespace muster
