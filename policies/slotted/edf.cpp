#include <limits>

#include "muster/policies/catalogue.h"
#include "muster/policies/slotted/in_turn.h"

namespace muster {

/// Earliest deadline first; jobs without one come last. Source: ISPEED paper, Section VI-B.
class edf final : public in_turn {
  double rank(const job& j) const override {
    return j.units->deadline == 0 ? std::numeric_limits<double>::infinity() : static_cast<double>(j.units->deadline);
  }
};

extern const policy_entry edf_entry = [] {
  policy_entry entry;
  entry.name = "edf";
  entry.about =
      "in each slot the jobs in the order of their deadlines, each on all cores that it can use (ISPEED, Section VI-B)";
  entry.construct = without_settings<edf>;
  entry.sees_deadlines = true;
  return entry;
}();

}  // namespace muster
