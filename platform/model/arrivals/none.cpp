#include "muster/modules/source/workload.h"
#include "platform/model/arrival_entry.h"

namespace muster {

extern const arrival_entry list_arrivals;

extern const arrival_entry none_arrivals{
    "none",
    11,
    arrival_kind::list,
    {},  // the jobs that wait or run at time 0 are all that there are
    nullptr,
    [](const scenario& model, std::uint32_t replication) { return list_arrivals.make(model, replication); },
    [](const scenario&) { return std::uint64_t{0}; }};  // none is slotted

}  // namespace muster
