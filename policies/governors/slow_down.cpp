#include "muster/policies/governor.h"

namespace muster {

extern const governor_entry slow_down_governor{
    "slow_down", 1, "The least speed, always: cores draw little while they work, and work for long",
    [](const governed_server&) { return std::size_t{0}; }};

}  // namespace muster
