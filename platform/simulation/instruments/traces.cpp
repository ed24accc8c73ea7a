#include "platform/simulation/instrument_entry.h"

namespace muster {

/// Adds the traces that are requested, in the order of the request.
extern const instrument_entry traces_instrument{
    instrument_order::others, every_replication, [](observed_replication& replication) {
      for (const trace_request& trace : replication.watch.traces)
        trace.kind->add_to(replication.events.instruments(), replication.point, trace);
    }};

}  // namespace muster
