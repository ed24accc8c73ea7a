#include "platform/model/time_unit.h"

#include <cmath>

namespace muster {

std::vector<unit_of_measure> units_beside(const time_unit& own) {
  const auto nanoseconds = [](const time_unit& unit) { return std::round(unit.seconds * 1e9); };
  std::vector<unit_of_measure> units = units_without_time();
  for (const time_unit& unit : time_units()) units.push_back({unit.name, "time", nanoseconds(unit), nanoseconds(own)});
  return units;
}

}  // namespace muster
