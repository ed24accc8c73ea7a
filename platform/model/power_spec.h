#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace muster {

/// Power of a device, or of a unit of an amount, in watts. A device that is held in parts draws that share of `busy`.
struct resource_power {
  double idle = 0.0;
  double busy = 0.0;  ///< while a job holds it
};

/// Whether any of the resources draws power.
inline bool any_draws(const std::vector<resource_power>& resources) {
  return std::any_of(resources.begin(), resources.end(), [](const auto& r) { return r.idle + r.busy > 0.0; });
}

/// Power of a core in each of its states, in watts, and when it sleeps.
struct power_spec {
  double idle = 0.0, active = 0.0, overhead = 0.0, asleep = 0.0;
  std::optional<double> sleep_after;        ///< units of time; none: cores never sleep
  double wake = 0.0;                        ///< units of time until a core that sleeps is ready
  std::vector<resource_power> resources{};  ///< of each of scenario::resources, cores left at 0; empty: none draws any

  bool any() const { return idle + active + overhead + asleep > 0.0 || any_draws(resources); }
  /// Whether a slice may have to wait for a core to wake.
  bool delays() const { return sleep_after && wake > 0.0; }
};

/// A cap on the power of servers together, as the scenario says.
struct power_cap_event {
  double at = 0.0;                      ///< in units of time, > 0
  std::string servers;                  ///< name of their entry; empty: all servers of the cluster
  std::uint32_t count = 0;              ///< the first ones of the entry
  std::optional<double> watts;          ///< > 0; none: the cap of the same servers is taken away
  std::optional<std::uint32_t> rack{};  ///< of the topology "racks", from 0, whose servers are meant; none: others
};

}  // namespace muster
