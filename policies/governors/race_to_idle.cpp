#include "muster/policies/governor.h"

namespace muster {

extern const governor_entry race_to_idle_governor{
    "race_to_idle", 0, "The greatest speed, always: cores are done soon, and idle or asleep from then on",
    [](const governed_server& server) { return server.frequencies.fastest(); }};

}  // namespace muster
