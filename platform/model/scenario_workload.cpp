#include "platform/model/scenario_workload.h"

#include "platform/model/synthetic_workload.h"

namespace muster {

std::unique_ptr<workload> make_workload(const scenario& model, std::uint32_t replication) {
  const auto make = model.arrivals.entry->make;
  return make ? make(model, replication) : std::make_unique<synthetic_workload>(model, replication);
}

}  // namespace muster
