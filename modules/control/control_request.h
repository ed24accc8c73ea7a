#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "muster/policies/settings.h"

namespace muster {

/// Servers of consecutive places among all servers of a cluster.
struct server_range {
  std::uint32_t first = 0;
  std::uint32_t count = 1;
};

/// What a cluster_control may be asked to do.
struct control_request {
  enum class action {
    drain,         ///< `servers` get no new work, and end what they have
    remove,        ///< `servers` leave service at once: their jobs lose what they hold there, as by a failure
    restore,       ///< `servers` that were drained or removed come back
    speed,         ///< `value` is the speed of `servers`, a factor of their capacity
    arrival_rate,  ///< `value` is the factor of the rate of arrivals of all sources
    parameter,     ///< `setting` is the value of the policy's parameter `name`
    power_cap      ///< `value` is the most that `servers` together may draw, in watts; no_cap: there is no cap
  };

  static constexpr double no_cap = std::numeric_limits<double>::infinity();

  action what = action::drain;
  server_range servers{};
  double value = 1.0;
  std::string name{};
  settings::value setting{};
};

}  // namespace muster
