#include "platform/model/arrival_entry.h"

namespace muster {

extern const arrival_entry renewal_arrivals{
    "renewal",
    2,
    arrival_kind::renewal,
    {{"interarrival", a_distribution, required{}, "its law, scaled to the rate if one is given"}}};

}  // namespace muster
