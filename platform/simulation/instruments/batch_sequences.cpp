#include "platform/simulation/instruments/batch_sequences.h"

#include "platform/simulation/instrument_entry.h"

namespace muster {

extern const instrument_entry batch_sequences_instrument{
    instrument_order::others, [](const observed_replication& replication) { return replication.point.run.batch_means; },
    [](observed_replication& replication) {
      replication.batches = &replication.add<batch_sequences>(replication.point.classes.size());
    }};

}  // namespace muster
