#include "platform/simulation/instruments/batch_sequences.h"

#include "platform/simulation/instrument_entry.h"

namespace muster {

extern const instrument_entry batch_sequences_instrument{
    instrument_order::others, [](observed_replication& replication) {
      if (replication.point.run.batch_means)
        replication.batches = &replication.add<batch_sequences>(replication.point.classes.size());
    }};

}  // namespace muster
