#include "platform/model/deadline_entry.h"

namespace muster {

extern const deadline_entry constant_deadline{
    "constant",
    1,
    {{"slots", slots_from(0), required{}, "deadline of every job"}},
    [](const std::vector<double>& v, std::uint64_t arrival, random_stream&) { return arrival + in_slots(v[0]); }};

}  // namespace muster
