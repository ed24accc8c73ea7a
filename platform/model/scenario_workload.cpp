#include "platform/model/scenario_workload.h"

#include "platform/model/list_workload.h"
#include "platform/model/population_workload.h"
#include "platform/model/synthetic_workload.h"

namespace muster {

std::unique_ptr<workload> make_workload(const scenario& what, std::uint32_t replication) {
  if (what.arrivals.kind == arrival_spec::process::uniform)
    return std::make_unique<population_workload>(what, replication);
  if (what.arrivals.kind == arrival_spec::process::list) return std::make_unique<list_workload>(what);
  return std::make_unique<synthetic_workload>(what, replication);
}

}  // namespace muster
