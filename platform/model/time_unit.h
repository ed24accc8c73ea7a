#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "muster/policies/job.h"
#include "platform/toml/quantity.h"

namespace muster {

/// The unit of time in which a scenario is written, and the resolution of the simulation's clock.
struct time_unit {
  std::string name = "s";
  double seconds = 1.0;
  std::uint64_t ticks = 1'000'000'000;  ///< resolution steps in one unit
  int resolution_exponent = -9;         ///< resolution in seconds, as a power of ten

  /// @param units not negative; beyond the clock's range the result is end_of_clock, at which a simulation stops with a
  ///   fault
  muster::ticks to_ticks(double units) const {
    const double exact =
        std::min(units * static_cast<double>(static_cast<std::int64_t>(ticks)), static_cast<double>(end_of_clock));
    // This runs for every job: a call of llround would cost as much as the rest of its sampling.
    // NOLINTNEXTLINE(bugprone-incorrect-roundings)
    return static_cast<muster::ticks>(static_cast<std::int64_t>(exact + 0.5));
  }
  template <class Ticks>
  double to_units(Ticks t) const {
    return static_cast<double>(t) / static_cast<double>(ticks);
  }
};

/// All units of time, from the finest. Finer units get a finer clock, so that rounding to its steps stays without
/// effect.
inline const std::vector<time_unit>& time_units() {
  static const std::vector<time_unit> all{
      {"ns", 1e-9, 1'000'000, -15},           {"us", 1e-6, 1'000'000'000, -15},  {"ms", 1e-3, 1'000'000'000, -12},
      {"s", 1.0, 1'000'000'000, -9},          {"min", 60.0, 60'000'000'000, -9}, {"h", 3600.0, 3'600'000'000'000, -9},
      {"d", 86400.0, 86'400'000'000'000, -9},
  };
  return all;
}

/// The units in which a value of a scenario may be written: of time, bytes and watts.
/// @param own the unit of time in which the scenario counts
inline std::vector<unit_of_measure> units_beside(const time_unit& own) {
  const auto nanoseconds = [](const time_unit& unit) { return std::round(unit.seconds * 1e9); };
  std::vector<unit_of_measure> units = units_without_time();
  for (const time_unit& unit : time_units()) units.push_back({unit.name, "time", nanoseconds(unit), nanoseconds(own)});
  return units;
}

}  // namespace muster
