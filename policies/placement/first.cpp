#include "muster/policies/placement.h"

namespace muster {

extern const placement_entry first_placement{
    "first", 0,
    "The servers in the order of the class, those first that fewest classes may use; within an entry the lowest that "
    "has idle cores",
    nullptr};

}  // namespace muster
