#include "platform/model/deadline_entry.h"

namespace muster {

extern const deadline_entry fixed_slot_deadline{
    "fixed_slot",
    4,
    {{"slot", slots_from(1), required{}, "number of the last slot, counted from 1"}},
    [](const std::vector<double>& v, std::uint64_t, random_stream&) { return in_slots(v[0]); },
    true};

}  // namespace muster
