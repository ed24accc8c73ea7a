#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "muster/policies/governor.h"
#include "muster/policies/resources.h"
#include "platform/model/power_spec.h"

namespace muster {

/// How often a server fails, and for how long: means of exponential times, in units of time, > 0.
struct fault_spec {
  double to_failure = 0.0;  ///< from the end of a repair
  double to_repair = 0.0;
};

/// A time in which a server is out of service, as the scenario says.
struct server_outage {
  std::uint32_t server = 0;                                ///< number within its entry
  double from = 0.0;                                       ///< in units of time, > 0
  double until = std::numeric_limits<double>::infinity();  ///< its return; infinite: never
  bool drains = false;  ///< whether what runs there goes on to its end; else the server fails
  bool known = false;   ///< whether policies know of it beforehand
};

/// A change of a server's speed, as the scenario says.
struct speed_event {
  std::uint32_t server = 0;  ///< number within its entry
  double at = 0.0;           ///< in units of time, > 0
  double speed = 1.0;        ///< factor of the capacity from then on

  static constexpr double least = 0.001, most = 10.0;  ///< of `speed`
};

/// A server, or `count` equal ones.
struct server_spec {
  std::string name;
  std::uint32_t count = 1;
  std::uint32_t cores = 1;
  double capacity = 1.0;  ///< work per core and unit of time
  power_spec power{};
  std::optional<fault_spec> faults{};  ///< none: it never fails
  amounts resources{};  ///< of each of scenario::resources, cores first, of devices their number; empty: cores alone
  std::vector<server_outage> outages{};  ///< by `from`; none where there are faults
  std::vector<speed_event> speeds{};     ///< by `at`; at first the speed is 1
  /// Frequencies of the cores; null: there is but one. Where they do not change, the speed of the one that is chosen is
  /// part of `capacity`, and power_spec::active is of it.
  std::shared_ptr<const governed_frequencies> frequencies{};

  /// Whether the frequency of the cores may change while they work.
  bool changes_frequency() const { return frequencies && frequencies->changes; }
  /// Whether a governor sets the speed while the cores work, so that nothing else can.
  bool sets_own_speed() const { return frequencies && frequencies->governor->follows_load; }
  /// Whether a server of them may be out of service at times.
  bool may_be_out() const { return faults || !outages.empty(); }
};

}  // namespace muster
