#pragma once

#include <optional>

namespace muster {

/// Costs of the platform in units of time; all zero: the papers' model. See server_costs for when each applies.
struct cost_spec {
  double dispatch_latency = 0.0;
  double set_up = 0.0;
  double save = 0.0;
  double restore = 0.0;
  double migration = 0.0;
  std::optional<double> bandwidth;  ///< bytes of state moved per unit of time; none: moving takes no time
  double epsilon = 0.0;  ///< share of a slot that a core loses when it is newly given to a slotted job (ISPEED paper)

  bool any() const { return dispatch_latency + set_up + save + restore + migration + epsilon > 0.0 || bandwidth; }
};

/// Duration of the scheduler's decisions, in units of time; see scheduler_settings::decision_time.
struct decision_spec {
  double fixed = 0.0;
  double per_job = 0.0;
  double per_dispatch = 0.0;

  bool takes_time() const { return fixed + per_job + per_dispatch > 0.0; }
};

/// The servers' interruption timers, where the policy uses them; their mean is a parameter of the policy.
struct timer_spec {
  enum class law { exponential, deterministic };
  law kind = law::exponential;
  double tick = 0.0;  ///< hardware tick, in units of time: durations are rounded up to whole ticks; 0: none
};

}  // namespace muster
