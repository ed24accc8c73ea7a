#include "platform/model/time_unit.h"

namespace muster {

// Finer units get a finer clock, so that rounding to its steps stays without effect.
const std::vector<time_unit>& time_units() {
  static const std::vector<time_unit> all{
      {"ns", 1e-9, 1'000'000, -15},           {"us", 1e-6, 1'000'000'000, -15},  {"ms", 1e-3, 1'000'000'000, -12},
      {"s", 1.0, 1'000'000'000, -9},          {"min", 60.0, 60'000'000'000, -9}, {"h", 3600.0, 3'600'000'000'000, -9},
      {"d", 86400.0, 86'400'000'000'000, -9},
  };
  return all;
}

}  // namespace muster
