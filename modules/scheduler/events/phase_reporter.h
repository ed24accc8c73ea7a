#pragma once

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/scheduler/events/phase_observer.h"
#include "muster/policies/policy.h"

namespace muster {

/// Reports the phases that the policy begins.
class phase_reporter {
 public:
  /// @param rules the policy; outlives the reporter
  /// @throws sc_core::sc_report if the policy's phases() throws, or there are too many
  phase_reporter(const timekeeper& time, const policy& rules);

  /// Sets who receives the phases. @param observer outlives the reporter
  void report_to(phase_observer& observer) { observer_ = &observer; }
  /// How many phases the policy has, as its phases() said when the reporter was made.
  unsigned phases() const { return phases_; }
  /// Looks for a phase that has begun. It is called after each function of the policy. A phase beyond the last one is a
  /// fault.
  void look() {
    if (policy_.phases_begun() != seen_) report();
  }

 private:
  [[gnu::noinline]] void report();
  [[noreturn]] void refuse() const;

  const timekeeper& time_;
  const policy& policy_;
  const unsigned phases_;
  phase_observer* observer_ = nullptr;
  std::uint64_t seen_ = 0;
};

}  // namespace muster
