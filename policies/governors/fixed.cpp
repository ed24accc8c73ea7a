#include "muster/policies/governor.h"

namespace muster {

extern const governor_entry fixed_governor{
    "fixed",
    3,
    "The frequency that the entry of servers names, until an event names another one",
    [](const governed_server& server) { return server.fixed; },
    false,
    true};

}  // namespace muster
